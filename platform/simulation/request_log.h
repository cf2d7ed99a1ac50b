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
  std::vector<std::uint64_t> start;      // tick at which the request entered the submission queue (open loop: arrived)
  std::vector<std::uint64_t> latency;    // ticks until the driver processed its completion
  std::vector<std::uint64_t> first_lba;  // sectors of 512 bytes
  std::vector<std::uint32_t> sectors;
  std::vector<std::uint8_t> kind;       // RequestKind
  std::vector<std::uint8_t> status;     // RequestStatus
  std::vector<std::uint16_t> workload;  // index of its workload
  // Ticks by LatencyPart; a request's parts add up to its latency. Empty without simulation.breakdown.
  std::array<std::vector<std::uint64_t>, latency_parts> parts;

  std::size_t size() const { return start.size(); }
  // `workloads` is the number of workloads.
  void persist(Archive& archive, std::size_t workloads);
  void persist_parts(Archive& archive);
  // For requests without recorded parts, counts the whole latency as LatencyPart::queue.
  void complete_parts();
};

}  // namespace nandscape
