// SPDX-License-Identifier: Apache-2.0
// Chooses the stream of each page: pages of a stream are written to the same blocks. A stream has one open block on
// each plane. Pages that will be overwritten at about the same time belong together, since their block then empties by
// itself.
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
  // The number of streams, which are numbered from 0.
  virtual std::uint8_t streams() const = 0;
  // The number of streams for host writes; these are the first ones.
  virtual std::uint8_t write_streams() const = 0;
  // The stream of a host write; called once for each write.
  virtual std::uint8_t stream_of_write(Lpn lpn, Tick now) = 0;
  // The stream of a page that is moved out of a block of stream `from`.
  virtual std::uint8_t stream_of_move(Lpn lpn, std::uint8_t from) = 0;
  // Saves or restores the policy's state.
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
