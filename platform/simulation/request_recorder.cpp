// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/request_recorder.h"

namespace nandscape {

namespace {

// Of a request that has ended without a completion, such as by a loss of power, nothing is known but that it had been
// at the host.
LatencyParts parts_of(const TimeSheet* times, Tick latency) {
  if (times != nullptr) return times->parts();
  LatencyParts parts{};
  parts[static_cast<std::size_t>(LatencyPart::queue)] = latency;
  return parts;
}

}  // namespace

RequestRecorder::RequestRecorder(const std::vector<host::WorkloadParameters>& workloads, bool keeps_log,
                                 bool keeps_breakdown)
    : names_(workload_names(workloads, "host.workload")),
      of_workload_(workloads.size()),
      keeps_log_(keeps_log),
      keeps_breakdown_(keeps_breakdown) {
  for (const host::WorkloadParameters& workload : workloads) open_loop_.push_back(is_open_loop(workload));
  if (keeps_breakdown_) keep_breakdowns();
}

void RequestRecorder::keep_breakdowns() {
  all_.keep_breakdown();
  for (RequestStatistics& of : of_workload_) of.keep_breakdown();
}

void RequestRecorder::record(std::size_t workload, const host::HostRequest& request, Tick start, Tick now,
                             RequestStatus status, const TimeSheet* times) {
  const bool open_loop = workload < names_.size() && open_loop_[workload];
  all_.record(request, start, now, status, open_loop);
  if (workload < names_.size() && names_.size() > 1) {
    of_workload_[workload].record(request, start, now, status, open_loop);
  }
  if (keeps_breakdown_) [[unlikely]]
    record_parts(workload, request.kind, parts_of(times, now - start), now - start);
  if (!keeps_log_) return;
  log_.start.push_back(start);
  log_.latency.push_back(now - start);
  log_.first_lba.push_back(request.first.value);
  log_.sectors.push_back(static_cast<std::uint32_t>(request.sectors));
  log_.kind.push_back(static_cast<std::uint8_t>(request.kind));
  log_.status.push_back(static_cast<std::uint8_t>(status));
  log_.workload.push_back(static_cast<std::uint16_t>(workload));
}

void RequestRecorder::record_parts(std::size_t workload, host::RequestKind kind, const LatencyParts& parts,
                                   Tick latency) {
  all_.record_parts(kind, parts, latency);
  if (workload < names_.size() && names_.size() > 1) of_workload_[workload].record_parts(kind, parts, latency);
  if (!keeps_log_) return;
  for (std::size_t k = 0; k < latency_parts; ++k) log_.parts[k].push_back(parts[k]);
}

void RequestRecorder::persist(Archive& archive) {
  archive(all_);
  log_.persist(archive, names_.size());
  std::string names;
  for (const std::string& name : names_) names += name + "\n";
  archive.variant(names, [this](Archive& statistics) {
    statistics.table(of_workload_, names_.size(), "workloads", [&](RequestStatistics& of) { statistics(of); });
  });
  archive.variant(keeps_breakdown_ ? "breakdown" : "", [&](Archive& state) {
    all_.persist_breakdown(state);
    log_.persist_parts(state);
    state.variant(names, [this](Archive& of_workloads) {
      for (RequestStatistics& of : of_workload_) of.persist_breakdown(of_workloads);
    });
  });
  if (!keeps_breakdown_) return;
  keep_breakdowns();
  log_.complete_parts();
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
