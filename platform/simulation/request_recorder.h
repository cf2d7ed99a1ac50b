// SPDX-License-Identifier: Apache-2.0
// Records completed requests: the statistics of each workload and of single commands, and the log.
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

struct RequestTotals {
  // By workload. The last element counts single commands, and requests of the workloads of an earlier configuration.
  std::vector<RequestStatistics> of_workload;

  // Returns the statistics of all requests.
  RequestStatistics all() const;
  std::uint64_t completed() const;
  std::uint64_t bytes() const;
  std::uint64_t bytes_written() const;
  // Returns the totals of the requests since `earlier`, which is an earlier copy of this object. `begin` is the time at
  // which the window began.
  RequestTotals since(const RequestTotals& earlier, Tick begin) const;
};

class RequestRecorder {
 public:
  RequestRecorder(const std::vector<host::WorkloadParameters>& workloads, bool keeps_log, bool keeps_breakdown);

  // Records a completed request. `workload` is the index of its workload, or single_commands() for a single command.
  // `times` divides the latency into its parts, and is null if the parts are unknown.
  void record(std::size_t workload, const host::HostRequest& request, Tick start, Tick now, RequestStatus status,
              const TimeSheet* times) {
    totals_.of_workload[workload].record(request, start, now, status, open_loop_[workload] != 0);
    if (keeps_more_) record_more(workload, request, start, now, status, times);
  }
  // Returns whether the requests of this workload count only in its totals. record_total() may then record a request
  // that has succeeded.
  bool keeps_totals_only(std::size_t workload) const { return !keeps_more_ && open_loop_[workload] == 0; }
  void record_total(std::size_t workload, const host::HostRequest& request, Tick start, Tick now) {
    totals_.of_workload[workload].record(request, start, now);
  }
  std::size_t single_commands() const { return names_.size(); }

  std::uint64_t completed() const { return totals_.completed(); }
  const RequestTotals& totals() const { return totals_; }
  const std::vector<std::string>& names() const { return names_; }
  const RequestLog& log() const { return log_; }
  void persist(Archive& archive);

 private:
  void add_to_log(std::size_t workload, const host::HostRequest& request, Tick start, Tick now, RequestStatus status);
  // Records the request in the breakdown and in the log, as far as they are kept.
  void record_more(std::size_t workload, const host::HostRequest& request, Tick start, Tick now, RequestStatus status,
                   const TimeSheet* times);
  void keep_breakdowns();
  void record_parts(std::size_t workload, host::RequestKind kind, const TimeSheet* times, Tick latency);

  std::vector<std::string> names_;       // by workload
  std::vector<std::uint8_t> open_loop_;  // by workload, the last for single commands: whether it is an open loop
  const bool keeps_log_;
  const bool keeps_breakdown_;
  const bool keeps_more_;  // more than the totals
  RequestTotals totals_;
  RequestLog log_;
};

// A group of statistics with all requests, and with each workload by name.
struct RequestGroup {
  const RequestTotals& totals;
  const std::vector<std::string>& names;
};
void describe(const RequestGroup& group, StatisticsVisitor& visitor);

}  // namespace nandscape
