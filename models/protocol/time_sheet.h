// SPDX-License-Identifier: Apache-2.0
// Accounts for the time of a request. A request consists of commands, a command consists of accesses to pages, and an
// access causes reads and programs of the flash. A request ends when the last of these ends, so its time is the time of
// the critical path:
//
//   request           the sheet of its command that ends last
//   command           the sheet of its access that ends last
//   access            its own sheet, plus that of the flash command for which it waits
//
// A sheet is in one part at a time. A block that takes over the work enters the next part, and the time since the last
// entry is charged to the previous part. The parts therefore add up to the time from begin() to end(), exact to the
// tick, whatever the blocks do. If a block does not enter a part, for example an external die, its time is charged to
// the part that was current when the work was passed to it.
//
// After the first failed decode of a page, all time is charged to `retries` until the data of the page are available.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/ticks.h"

namespace nandscape {

enum class LatencyPart : std::uint8_t {
  queue,       // host: driver and submission queue until the fetch, and the completion in the driver
  link,        // PCIe and NVMe: transfer of entries and data, and waits for the link
  firmware,    // in the drive, except the parts below: processor cores, latency of commands, mapping, order of accesses
  cache,       // DRAM, and waits for room in the data cache
  die,         // waits for a die that is busy with other host requests
  channel,     // waits for a bus that is busy with other host requests
  array,       // tR, tPROG, tBERS
  transfer,    // command, address and data cycles on the bus of the channel
  ecc,         // encoding and decoding, and waits for the ECC engine
  retries,     // everything after a failed decode
  collection,  // waits for a die, a bus or a free block because of background work
};
inline constexpr std::size_t latency_parts = 11;

struct LatencyPartName {
  std::string_view name;
  std::string_view meaning;
};
inline constexpr std::array<LatencyPartName, latency_parts> latency_part_names = {{
    {"queue", "in the driver and the submission queue until the fetch, and the completion in the driver"},
    {"link", "submission entry, data and completion on PCI Express, or waiting for the link"},
    {"firmware", "in the drive, with no work below: processor cores, latency of commands, mapping, order of accesses"},
    {"cache", "in the data cache: DRAM, and waiting for room"},
    {"die", "waiting for a die that served other host requests"},
    {"channel", "waiting for the bus of a channel that served other host requests"},
    {"array", "tR or tPROG"},
    {"transfer", "command, address and data cycles on the bus"},
    {"ecc", "encoding or decoding, and waiting for the engine"},
    {"retries", "everything after the first failed decode of a page"},
    {"collection", "waiting for a die, a bus or a free block because of background work"},
}};

using LatencyParts = std::array<Tick, latency_parts>;

class TimeSheet {
 public:
  void begin(LatencyPart part, Tick now) {
    parts_ = {};
    begin_ = mark_ = now;
    part_ = part;
    retrying_ = false;
  }

  // Charges the time since the last entry to the current part, and makes `part` the current one.
  void enter(LatencyPart part, Tick now) {
    charge(now);
    part_ = retrying_ ? LatencyPart::retries : part;
  }
  // Call this function when a decode has failed. All later time is charged to `retries`.
  void enter_retries(Tick now) {
    enter(LatencyPart::retries, now);
    retrying_ = true;
  }
  // Charges the first `ticks` ticks since the last entry to the part `part`, and the remaining time later to the
  // current part.
  void set_apart(LatencyPart part, Tick ticks, Tick now) {
    ticks = std::min(ticks, since_mark(now));
    parts_[static_cast<std::size_t>(retrying_ ? LatencyPart::retries : part)] += ticks;
    mark_ += ticks;
  }
  // Ends a wait for `work`. Charges the time since `work` began to the parts that the sheet of `work` has recorded, and
  // enters `part`. If `work` began before the last entry, it was started for another access as well, and its sheet is
  // ignored.
  void add(TimeSheet& work, LatencyPart part, Tick now) {
    if (work.begin_ >= mark_ && work.begin_ <= now) {
      work.charge(now);
      charge(work.begin_);
      for (std::size_t k = 0; k < latency_parts; ++k) parts_[k] += work.parts_[k];
      mark_ = now;
    }
    enter(part, now);
  }
  void end(Tick now) { charge(now); }

  LatencyPart part() const { return part_; }
  // Returns the time since the last entry.
  Tick since_mark(Tick now) const { return now > mark_ ? now - mark_ : 0; }
  Tick mark() const { return mark_; }
  // Returns the time in each part, up to the last entry or the end.
  const LatencyParts& parts() const { return parts_; }

 private:
  void charge(Tick now) {
    const Tick passed = since_mark(now);
    parts_[static_cast<std::size_t>(part_)] += passed;
    mark_ += passed;
  }

  LatencyParts parts_{};
  Tick begin_ = 0;
  Tick mark_ = 0;
  LatencyPart part_ = LatencyPart::queue;
  bool retrying_ = false;
};

}  // namespace nandscape
