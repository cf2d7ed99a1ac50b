// SPDX-License-Identifier: Apache-2.0
// The log of completed requests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "protocol/time_sheet.h"

namespace nandscape {

// Completed requests, column by column, in the order of completion.
struct RequestLog {
  std::vector<std::uint64_t> start;      // ticks, when it was put into the submission queue (open loop: its arrival)
  std::vector<std::uint64_t> latency;    // ticks, until the driver saw its completion
  std::vector<std::uint64_t> first_lba;  // sectors of 512 bytes
  std::vector<std::uint32_t> sectors;
  std::vector<std::uint8_t> kind;       // RequestKind
  std::vector<std::uint8_t> status;     // RequestStatus
  std::vector<std::uint16_t> workload;  // which workload it belongs to
  // By LatencyPart: ticks of the latency, the sum of all parts. Empty without simulation.breakdown.
  std::array<std::vector<std::uint64_t>, latency_parts> parts;

  std::size_t size() const { return start.size(); }
  // Of so many workloads.
  void persist(Archive& archive, std::size_t workloads);
  void persist_parts(Archive& archive);
  // Of requests whose parts were not kept, all is LatencyPart::queue.
  void complete_parts();
};

}  // namespace nandscape
