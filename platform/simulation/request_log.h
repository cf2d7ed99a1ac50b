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

// The completed requests in the order of completion. Each member is a column with one entry per request.
struct RequestLog {
  // The tick at which the request entered its submission queue or, in an open loop, arrived.
  std::vector<std::uint64_t> start;
  std::vector<std::uint64_t> latency;    // ticks from `start` until the driver processed the completion
  std::vector<std::uint64_t> first_lba;  // sectors of 512 bytes
  std::vector<std::uint32_t> sectors;
  std::vector<std::uint8_t> kind;       // RequestKind
  std::vector<std::uint8_t> status;     // RequestStatus
  std::vector<std::uint16_t> workload;  // index of its workload
  // The ticks of each LatencyPart. The parts of a request add up to its latency. Empty without simulation.breakdown.
  std::array<std::vector<std::uint64_t>, latency_parts> parts;

  std::size_t size() const { return start.size(); }
  // Saves or restores the log. `workloads` is the number of workloads.
  void persist(Archive& archive, std::size_t workloads);
  void persist_parts(Archive& archive);
  // Adds the missing entries for requests whose parts were not recorded. The whole latency of such a request counts as
  // LatencyPart::queue.
  void complete_parts();
};

}  // namespace nandscape
