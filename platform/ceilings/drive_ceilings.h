// SPDX-License-Identifier: Apache-2.0
// Computes upper bounds of a drive's throughput. For each resource and kind of access, it determines how long one
// request occupies the resource. A resource that each of k requests per second occupies for t seconds is in use for the
// fraction k t, so its ceiling is 1/t requests per second.
//
//   link       wire bytes of a command (host/command_traffic.h) over the rate of the direction
//   firmware   cycles of its command, accesses, moves and erases over the cycles of all cores
//   DRAM       passes of its bytes over the bus (controller/cache/cache_memory.h) at the peak rate, and look-ups of the
//              mapping
//   channels   cycles of its flash commands (channel/bus_timing.h), over the channels
//   dies       from the first cycle of a command until its last byte has moved out, over the dies:
//                read      request + tR + data, tR the mean over the page types
//                program   (n (request + data) + tPROG + n status) / n, n planes at once
//                erase     tBERS / n, for each block that is filled
//                          with nand.independent_plane_reads, each plane of a die reads on its own
//              with cache_read and cache_program, the longer of array time and bus time
//   decoders   decoding its pages (ecc::decode_seconds), over the decoders; the same for encoders
//
// Look-ups of the mapping (mapping_work.h) add to the DRAM or to the link, and, where a part of the mapping is on
// flash, to channels, dies, decoders and encoders.
//
// For each page that the host fills, A pages are programmed, and the A - 1 moved pages are read. For random writes, A
// is the write amplification of greedy garbage collection in equilibrium (controller/mapping/greedy_equilibrium.h),
// when the drive holds as much data as at the start; a drive that is empty at the start counts as full. For sequential
// writes, A is 1. A random write smaller than a mapping unit fills the whole unit and reads the rest of the unit. With
// parity over s dies, s/(s - 1) times as many pages are programmed. The write amplification is the resulting ratio of
// bytes programmed to bytes written. A given write amplification applies to both random and sequential writes.
//
// The model has no waiting, no read-retries and no cache hits, and the placement is ideal: all units of a request are
// in one page, and in sequential access all planes of a die are at the same page number. Random reads are executed one
// by one. A drive can still execute reads of two planes together when their page numbers match by chance; deep queues
// and short blocks make this more frequent, so the drive may exceed the ceiling. With multi_plane, a program always
// fills all planes of a die. Random writes achieve this only if pages for all planes of a die wait at the same time. If
// the queue feeds each die with one page at a time, the drive reaches the rate of one plane; where tPROG dominates,
// this is 1/planes_at_once of the ceiling.
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

// For each kind of access, the seconds for which one request occupies a resource, divided by the number of units of the
// resource. The time is 0 if the request does not use the resource.
struct ResourceDemand {
  std::string resource;
  std::array<double, access_kinds> seconds;
};

struct DriveCeilings {
  double write_amplification = 1;    // write amplification of random writes
  std::uint32_t planes_at_once = 1;  // planes of a die that one program fills
  std::vector<ResourceDemand> demands;
};

// Computes the ceilings for requests of `block_bytes` bytes. If `cached` is true, the SLC cache
// (controller/slc_cache/) takes all writes and holds all data that are read. Otherwise it is not used. `range_bytes` is
// the size of the range that is accessed evenly; without it, no look-up is taken to need a translation page on flash.
// Throws ConfigError if the parameters contradict each other.
DriveCeilings drive_ceilings(const PlatformParameters& parameters, std::uint32_t block_bytes,
                             std::optional<double> write_amplification = std::nullopt, bool cached = false,
                             std::optional<std::uint64_t> range_bytes = std::nullopt);

struct DriveCapacity {
  std::uint64_t raw_bytes = 0;       // payload of all pages
  std::uint64_t exported_bytes = 0;  // capacity for the host
  double effective_spare = 0;        // CapacityPlan::effective_over_provisioning()
};
DriveCapacity drive_capacity(const PlatformParameters& parameters);

}  // namespace nandscape
