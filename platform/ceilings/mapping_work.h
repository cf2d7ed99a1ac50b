// SPDX-License-Identifier: Apache-2.0
// Computes what the look-ups and changes of mapping entries demand (controller/mapping_memory/).
//
// Entries of neighbouring units share a line of 64 bytes, which is read once for all units of a request; requests in
// order share the lines of each other. With uniform accesses to a range whose entries take E bytes, a memory that holds
// M bytes of them has the entry with the probability min(1, M/E), as all memories here replace what was used least
// recently. Accesses in order to a larger range find nothing twice.
//
//   DRAM   a line for each look-up, and a burst for each changed entry. The bus takes the time of the bursts. Random
//          accesses open a row each, which occupies a bank for RP + RCD and the bursts.
//   host   a line over the link for each look-up that finds the entry in the buffer and not in SRAM, and a line back
//   for
//          each changed one that leaves the SRAM
//   flash  a read of a translation page for each look-up that finds the entry nowhere, and later a program of the page
//          if the entry was changed. With a buffer, the page crosses the link to the buffer, and back before the
//          program.
//
// A moved unit is looked up and changed like one that the host writes.
#pragma once

#include <cstdint>
#include <optional>

#include "host/command_traffic.h"
#include "platform/config/parameters.h"

namespace nandscape {

// What one request demands, on average.
struct MappingDemand {
  double bus_s = 0;   // of the data bus of the DRAM
  double bank_s = 0;  // of its banks, over their number
  double loads = 0;   // reads of translation pages
  double stores = 0;  // programs of translation pages
  host::CommandTraffic link;
};

class MappingWork {
 public:
  // The host accesses a range of `range_bytes` evenly. Without it, every entry is taken to be in the memory that is
  // nearest.
  MappingWork(const PlatformParameters& parameters, std::uint32_t unit_bytes, std::optional<std::uint64_t> range_bytes);

  // Returns the demand of a request for `units` units of which `changed` are written, while `moved` others are moved.
  MappingDemand of(double units, double changed, double moved, bool in_order) const;

 private:
  const PlatformParameters& p_;
  double line_units_;   // units whose entries share a line
  double page_units_;   // units whose entries share a translation page
  double in_sram_ = 1;  // share of the accesses whose entry is in SRAM, or otherwise in memory
  double in_memory_ = 1;
  bool has_buffer_ = false;
  host::CommandTraffic line_read_, line_write_, page_read_, page_write_;
};

}  // namespace nandscape
