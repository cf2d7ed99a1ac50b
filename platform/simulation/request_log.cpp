// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/request_log.h"

#include <algorithm>

#include "host/workloads/workload.h"
#include "platform/simulation/host_command.h"

namespace nandscape {

void RequestLog::persist(Archive& archive, std::size_t workloads) {
  archive.section("log of requests");
  archive(start, latency, first_lba, sectors, kind, status, workload);
  const auto none_above = [](const auto& values, std::size_t most) {
    return std::ranges::all_of(values, [most](auto value) { return value <= most; });
  };
  for (const std::size_t length :
       {latency.size(), first_lba.size(), sectors.size(), kind.size(), status.size(), workload.size()}) {
    archive.require(length == size(), "the columns differ in length");
  }
  archive.require(none_above(kind, static_cast<std::size_t>(host::RequestKind::write_zeroes)),
                  "a request has an unknown kind");
  archive.require(none_above(status, static_cast<std::size_t>(RequestStatus::power_lost)),
                  "a request has an unknown status");
  archive.require(none_above(workload, workloads), "a request has an unknown workload");
}

void RequestLog::complete_parts() {
  auto& queue = parts[static_cast<std::size_t>(LatencyPart::queue)];
  queue.insert(queue.end(), latency.begin() + static_cast<std::ptrdiff_t>(queue.size()), latency.end());
  for (std::vector<std::uint64_t>& part : parts) part.resize(size());
}

void RequestLog::persist_parts(Archive& archive) {
  archive.section("parts of latencies");
  for (std::vector<std::uint64_t>& part : parts) {
    archive(part);
    archive.require(part.size() == size(), "the parts of latencies have another number of requests than the log");
  }
  if (!archive.loading()) return;
  for (std::size_t request = 0; request < size(); ++request) {
    std::uint64_t sum = 0;
    for (const std::vector<std::uint64_t>& part : parts) sum += part[request];
    archive.require(sum == latency[request], "the parts of a latency do not add up to it");
  }
}

}  // namespace nandscape
