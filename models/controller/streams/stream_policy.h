// SPDX-License-Identifier: Apache-2.0
// Chooses the write stream of each page. The pages of a stream are written to the same blocks; a stream has one open
// block on each plane. Pages that will be overwritten at about the same time should share a stream. All pages of their
// block are then invalid soon, and garbage collection has little to move.
#pragma once

#include <cstdint>

#include "core/archive.h"
#include "core/ids.h"
#include "core/parameters.h"
#include "core/registry.h"
#include "core/ticks.h"

namespace nandscape::controller {

class StreamPolicy {
 public:
  virtual ~StreamPolicy() = default;
  // Returns the number of streams. Streams are numbered from 0.
  virtual std::uint8_t streams() const = 0;
  // Returns the number of streams for host writes. These streams have the lowest numbers.
  virtual std::uint8_t write_streams() const = 0;
  // Returns the stream of a host write. Must be called exactly once for each write, since policies may count writes.
  virtual std::uint8_t stream_of_write(Lpn lpn, Tick now) = 0;
  // Returns the stream of a page that is moved out of a block that belongs to the stream `from`.
  virtual std::uint8_t stream_of_move(Lpn lpn, std::uint8_t from) = 0;
  // Saves or restores the state of the policy, if it has any.
  virtual void persist(Archive&) {}
};

using StreamRegistry = Registry<StreamPolicy>;
StreamRegistry& stream_registry();

// Configuration group `controller.streams`.
struct StreamParameters {
  VariantChoice policy{"by_source", nullptr};
};
void describe(StreamParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
