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
    archive.require(length == size(), "the columns are not of one length");
  }
  archive.require(none_above(kind, static_cast<std::size_t>(host::RequestKind::write_zeroes)),
                  "a kind is none of requests");
  archive.require(none_above(status, static_cast<std::size_t>(RequestStatus::power_lost)),
                  "a status is none of requests");
  archive.require(none_above(workload, workloads), "a workload is one that there is not");
}

}  // namespace nandscape
