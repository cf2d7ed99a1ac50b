// SPDX-License-Identifier: Apache-2.0
// Chooses the write stream of each mapping unit. The units of a stream are written to the same blocks; a stream has one
// open block on each plane. Units that will be overwritten at about the same time should share a stream. All units of
// their block are then invalid soon, and garbage collection has little to move.
#pragma once

#include <cstdint>

#include "controller/streams/stream_counters.h"
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
  // Returns the number of streams for moved units. These streams have the highest numbers, and may also be streams for
  // host writes. If no block is free for one of them, its units are written to the last stream.
  virtual std::uint8_t move_streams() const = 0;
  // Called once, before the first write. The drive exports `units` mapping units; the first `known_hot` units are known
  // to be hot.
  virtual void begin(std::uint64_t /*units*/, std::uint64_t /*known_hot*/) {}
  // Returns the stream of a host write. Must be called exactly once for each write, since policies may count writes.
  virtual std::uint8_t stream_of_write(Lpn lpn, Tick now) = 0;
  // Returns the stream of a unit that is moved.
  virtual std::uint8_t stream_of_move(Lpn lpn) const = 0;
  // Called when garbage collection begins to empty a block of the stream, with the numbers of all and of valid units.
  virtual void collected(std::uint8_t /*stream*/, std::uint32_t /*units*/, std::uint32_t /*valid*/) {}
  virtual StreamCounters counters() const { return {}; }
  // Saves or restores the state of the policy, if it has any.
  virtual void persist(Archive&) {}
  virtual void persist_counters(Archive&) {}
};

using StreamRegistry = Registry<StreamPolicy>;
StreamRegistry& stream_registry();

// Configuration group `controller.streams`.
struct StreamParameters {
  VariantChoice policy{"by_source", nullptr};
  double known_hot_percent = 0;
};
void describe(StreamParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
