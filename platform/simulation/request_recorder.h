// SPDX-License-Identifier: Apache-2.0
// What is kept of completed requests: statistics of all and of each workload, and the log.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/archive.h"
#include "core/statistics.h"
#include "host/parameters.h"
#include "host/workloads/workload.h"
#include "platform/simulation/host_command.h"
#include "platform/simulation/request_log.h"
#include "platform/simulation/request_statistics.h"

namespace nandscape {

class RequestRecorder {
 public:
  RequestRecorder(const std::vector<host::WorkloadParameters>& workloads, bool keeps_log, bool keeps_breakdown);

  // Of one of the workloads, numbered from 0, or, one past the last, of single commands. `times` says where its time
  // went; null: nobody knows.
  void record(std::size_t workload, const host::HostRequest& request, Tick start, Tick now, RequestStatus status,
              const TimeSheet* times);
  std::size_t single_commands() const { return names_.size(); }

  std::uint64_t completed() const { return all_.completed(); }
  const RequestLog& log() const { return log_; }
  void persist(Archive& archive);

  friend void describe(const RequestRecorder& recorder, StatisticsVisitor& visitor);

 private:
  void keep_breakdowns();
  void record_parts(std::size_t workload, host::RequestKind kind, const LatencyParts& parts, Tick latency);

  // By workload.
  std::vector<std::string> names_;
  std::vector<bool> open_loop_;
  std::vector<RequestStatistics> of_workload_;
  const bool keeps_log_;
  const bool keeps_breakdown_;
  RequestStatistics all_;
  RequestLog log_;
};
void describe(const RequestRecorder& recorder, StatisticsVisitor& visitor);

}  // namespace nandscape
