// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/request_recorder.h"

namespace nandscape {

RequestRecorder::RequestRecorder(const std::vector<host::WorkloadParameters>& workloads, bool keeps_log)
    : names_(workload_names(workloads, "host.workload")), of_workload_(workloads.size()), keeps_log_(keeps_log) {
  for (const host::WorkloadParameters& workload : workloads) open_loop_.push_back(is_open_loop(workload));
}

void RequestRecorder::record(std::size_t workload, const host::HostRequest& request, Tick start, Tick now,
                             RequestStatus status) {
  const bool open_loop = workload < names_.size() && open_loop_[workload];
  all_.record(request, start, now, status, open_loop);
  if (workload < names_.size() && names_.size() > 1) {
    of_workload_[workload].record(request, start, now, status, open_loop);
  }
  if (!keeps_log_) return;
  log_.start.push_back(start);
  log_.latency.push_back(now - start);
  log_.first_lba.push_back(request.first.value);
  log_.sectors.push_back(static_cast<std::uint32_t>(request.sectors));
  log_.kind.push_back(static_cast<std::uint8_t>(request.kind));
  log_.status.push_back(static_cast<std::uint8_t>(status));
  log_.workload.push_back(static_cast<std::uint16_t>(workload));
}

void RequestRecorder::persist(Archive& archive) {
  archive(all_);
  log_.persist(archive, names_.size());
  std::string names;
  for (const std::string& name : names_) names += name + "\n";
  archive.variant(names, [this](Archive& statistics) {
    statistics.table(of_workload_, names_.size(), "workloads", [&](RequestStatistics& of) { statistics(of); });
  });
}

namespace {

struct WorkloadGroup {
  const std::vector<std::string>& names;
  const std::vector<RequestStatistics>& statistics;
};

void describe(const WorkloadGroup& g, StatisticsVisitor& v) {
  for (std::size_t k = 0; k < g.names.size(); ++k) v.group(g.names[k], g.statistics[k], "requests of this workload");
}

}  // namespace

void describe(const RequestRecorder& r, StatisticsVisitor& v) {
  describe(r.all_, v);
  if (r.names_.size() > 1) v.group("workloads", WorkloadGroup{r.names_, r.of_workload_}, "each workload by its name");
}

}  // namespace nandscape
