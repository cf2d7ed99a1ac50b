// SPDX-License-Identifier: Apache-2.0
// Which pages are written to the same blocks. A stream has one open block on each plane; pages that will be overwritten
// at about the same time belong together, since their block then empties by itself. Variants: by_source, single,
// hot_cold.
#pragma once

#include <cstdint>

#include "core/archive.h"
#include "core/ids.h"
#include "core/registry.h"
#include "core/ticks.h"

namespace nandscape::controller {

class StreamPolicy {
 public:
  virtual ~StreamPolicy() = default;
  // Streams are numbered from 0.
  virtual std::uint8_t streams() const = 0;
  // The first ones of them, that writes of the host go to.
  virtual std::uint8_t write_streams() const = 0;
  // Of a write of the host, asked once for each.
  virtual std::uint8_t stream_of_write(Lpn lpn, Tick now) = 0;
  // Of a page that has to move out of a block of stream `from`.
  virtual std::uint8_t stream_of_move(Lpn lpn, std::uint8_t from) = 0;
  // What it has learnt.
  virtual void persist(Archive&) {}
};

using StreamRegistry = Registry<StreamPolicy>;
const StreamRegistry& stream_registry();

}  // namespace nandscape::controller
