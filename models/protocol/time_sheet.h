// SPDX-License-Identifier: Apache-2.0
// Where the time of a request went. A request is divided: into commands, which are divided into accesses to pages,
// which cause reads and programs of the flash. A request waits for the part of it that ends last, and its time is the
// time of that part, the critical path:
//
//   request           the sheet of its command that ends last
//   command           the sheet of its access that ends last
//   access            its own, and, added to it, that of the flash command that it waits for
//
// A sheet is in one part at a time. Whoever takes the work over enters the next part; what has passed since the last
// entry belongs to the part before. So the parts add up to the time from begin() to end(), in ticks, whatever the
// blocks in between do: where one of them, such as a die of somebody else, does not tell what it does, its time stays
// with the part that the work was in when it was handed over.
//
// From the first decode of a page that fails until the page is there, all parts are `retries`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/ticks.h"

namespace nandscape {

enum class LatencyPart : std::uint8_t {
  queue,       // at the host: in the driver and the submission queue until it is fetched; its completion in the driver
  link,        // PCIe and NVMe: entries and data on their way, or waiting for a place there
  firmware,    // in the drive, with nothing below: processor cores, mapping, wait for an earlier access to the unit
  cache,       // DRAM, and wait for room in the data cache
  die,         // wait for a die that serves others of the host
  channel,     // wait for a bus that serves others of the host
  array,       // tR, tPROG, tBERS
  transfer,    // command, address and data cycles on the bus of the channel
  ecc,         // encoding and decoding, and the wait for that
  retries,     // everything after a decode that failed
  collection,  // wait for a die, a bus or a free block, because of background work
};
inline constexpr std::size_t latency_parts = 11;

struct LatencyPartName {
  std::string_view name;
  std::string_view meaning;
};
inline constexpr std::array<LatencyPartName, latency_parts> latency_part_names = {{
    {"queue", "in the driver and the submission queue until it was fetched, and its completion in the driver"},
    {"link", "submission entry, data and completion on PCI Express, or waiting for a place there"},
    {"firmware", "in the drive, with nothing below at work for it: processor cores, mapping, order of accesses"},
    {"cache", "in the data cache: DRAM, and wait for room"},
    {"die", "waiting for a die that served other requests of the host"},
    {"channel", "waiting for the bus of a channel that served other requests of the host"},
    {"array", "tR or tPROG"},
    {"transfer", "command, address and data cycles on the bus"},
    {"ecc", "encoding or decoding, and waiting for the engine"},
    {"retries", "everything after the first decode of a page that failed"},
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

  // From now on it is in that part.
  void enter(LatencyPart part, Tick now) {
    charge(now);
    part_ = retrying_ ? LatencyPart::retries : part;
  }
  // A decode has failed: from now on all is retries.
  void enter_retries(Tick now) {
    enter(LatencyPart::retries, now);
    retrying_ = true;
  }
  // Of the time that has passed since the last entry, the earliest `ticks` belong to another part.
  void set_apart(LatencyPart part, Tick ticks, Tick now) {
    ticks = std::min(ticks, since_mark(now));
    parts_[static_cast<std::size_t>(retrying_ ? LatencyPart::retries : part)] += ticks;
    mark_ += ticks;
  }
  // What it has waited for is over: from its beginning on, that was done which `work` tells. From now on it is in that
  // part. Work that began before the last entry was not its own alone, and tells nothing of it.
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
  // Since the last entry.
  Tick since_mark(Tick now) const { return now > mark_ ? now - mark_ : 0; }
  Tick mark() const { return mark_; }
  // Of the time until the last entry, or the end.
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
