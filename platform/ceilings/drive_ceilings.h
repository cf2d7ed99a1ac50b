// SPDX-License-Identifier: Apache-2.0
// The rates that no run of a drive is above, by arithmetic: for each resource and each kind of access how long a
// request occupies it. A resource that k requests a second occupy for t seconds each is in use for k t of the time, so
// that 1/t is its ceiling.
//
//   link       wire bytes of a command (host/nvme/command_traffic.h) over the rate of the direction
//   firmware   cycles of its accesses, moves and erases over those of all cores
//   DRAM       passes of its bytes over the bus (controller/cache/parameters.h) at the peak rate
//   channels   cycles of its flash commands (channel/bus_timing.h), over the channels
//   dies       from the first cycle of a command until its last byte has moved out, over the dies:
//                read      request + tR + data, tR the mean over the page types
//                program   (n (request + data) + tPROG + n status) / n, n planes at once
//                erase     tBERS / n, for each block that is filled
//              with cache_read and cache_program the longer one of array and bus
//   decoders   decoding its pages (ecc::decode_seconds), over the decoders; encoders likewise
//
// For each page that the host fills, A pages are programmed, and A - 1 that are moved are read. In random order A is
// that of greedy collection in balance (controller/mapping/greedy_equilibrium.h), in sequential order it is 1. A write
// of less than a mapping unit fills the whole unit, and reads the rest of it, unless the writes are in order. With
// parity, s/(s - 1) times as many pages are programmed. The write amplification is what all that comes to: bytes
// programmed over bytes written. Where it is given, it counts for writes in both orders.
//
// Nothing waits here, no read is retried or met by the cache, and pages lie as well as they can: all units of a request
// in one page, all planes of a die at the same page in sequential order. Reads in random order are taken one by one;
// those of two planes that have the same page number by chance go together, which deep queues on short blocks gain
// from.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/config/parameters.h"

namespace nandscape {

inline constexpr std::size_t access_kinds = 4;
inline constexpr std::array<const char*, access_kinds> access_kind_names = {"random_read", "random_write",
                                                                            "sequential_read", "sequential_write"};

// Seconds for which a request of each kind occupies a resource, all units of which are taken together; 0: it does not.
struct ResourceDemand {
  std::string resource;
  std::array<double, access_kinds> seconds;
};

struct DriveCeilings {
  double write_amplification = 1;  // of random writes
  std::vector<ResourceDemand> demands;
};

// For requests of so many bytes. Throws ConfigError where parameters contradict each other.
DriveCeilings drive_ceilings(const PlatformParameters& parameters, std::uint32_t block_bytes,
                             std::optional<double> write_amplification = std::nullopt);

struct DriveCapacity {
  std::uint64_t raw_bytes = 0;       // of all pages
  std::uint64_t exported_bytes = 0;  // to the host
  double effective_spare = 0;        // CapacityPlan::effective_over_provisioning()
};
DriveCapacity drive_capacity(const PlatformParameters& parameters);

}  // namespace nandscape
