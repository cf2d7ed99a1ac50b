// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/request_recorder.h"

#include <utility>

namespace nandscape {

RequestRecorder::RequestRecorder(const std::vector<host::WorkloadParameters>& workloads, bool keeps_log,
                                 bool keeps_breakdown)
    : names_(workload_names(workloads, "host.workload")),
      keeps_log_(keeps_log),
      keeps_breakdown_(keeps_breakdown),
      keeps_more_(keeps_log || keeps_breakdown) {
  totals_.of_workload.resize(workloads.size() + 1);
  for (const host::WorkloadParameters& workload : workloads) open_loop_.push_back(is_open_loop(workload));
  open_loop_.push_back(false);
  if (keeps_breakdown_) keep_breakdowns();
}

void RequestRecorder::keep_breakdowns() {
  for (RequestStatistics& of : totals_.of_workload) of.keep_breakdown();
}

void RequestRecorder::record_more(std::size_t workload, const host::HostRequest& request, Tick start, Tick now,
                                  RequestStatus status, const TimeSheet* times) {
  if (keeps_breakdown_) record_parts(workload, request.kind, times, now - start);
  if (keeps_log_) add_to_log(workload, request, start, now, status);
}

void RequestRecorder::add_to_log(std::size_t workload, const host::HostRequest& request, Tick start, Tick now,
                                 RequestStatus status) {
  log_.start.push_back(start);
  log_.latency.push_back(now - start);
  log_.first_lba.push_back(request.first.value);
  log_.sectors.push_back(static_cast<std::uint32_t>(request.sectors));
  log_.kind.push_back(static_cast<std::uint8_t>(request.kind));
  log_.status.push_back(static_cast<std::uint8_t>(status));
  log_.workload.push_back(static_cast<std::uint16_t>(workload));
}

// A request that ended without a completion, for example by a power loss, has no time sheet: all its latency counts as
// time in the host's queue.
void RequestRecorder::record_parts(std::size_t workload, host::RequestKind kind, const TimeSheet* times, Tick latency) {
  LatencyParts parts{};
  if (times != nullptr) {
    parts = times->parts();
  } else {
    parts[static_cast<std::size_t>(LatencyPart::queue)] = latency;
  }
  totals_.of_workload[workload].record_parts(kind, parts, latency);
  if (!keeps_log_) return;
  for (std::size_t k = 0; k < latency_parts; ++k) log_.parts[k].push_back(parts[k]);
}

// If the workloads of a checkpoint have other names, its requests count as those of an earlier configuration.
void RequestRecorder::persist(Archive& archive) {
  RequestStatistics all = totals_.all();
  bool same_workloads = false;
  archive(all);
  log_.persist(archive, names_.size());
  std::string names;
  for (const std::string& name : names_) names += name + "\n";
  archive.variant(names, [&](Archive& statistics) {
    same_workloads = true;
    statistics.table(totals_.of_workload, names_.size() + 1, "workloads",
                     [&](RequestStatistics& of) { statistics(of); });
  });
  archive.variant(keeps_breakdown_ ? "breakdown" : "", [&](Archive& state) {
    all.persist_breakdown(state);
    log_.persist_parts(state);
    state.variant(names, [this](Archive& of_workloads) {
      for (RequestStatistics& of : totals_.of_workload) of.persist_breakdown(of_workloads);
    });
  });
  if (archive.loading() && !same_workloads) {
    totals_.of_workload.assign(names_.size() + 1, {});
    totals_.of_workload.back() = std::move(all);
  }
  if (!keeps_breakdown_) return;
  keep_breakdowns();
  log_.complete_parts();
}

RequestStatistics RequestTotals::all() const {
  RequestStatistics all;
  for (const RequestStatistics& of : of_workload) all.merge(of);
  return all;
}

std::uint64_t RequestTotals::completed() const {
  std::uint64_t sum = 0;
  for (const RequestStatistics& of : of_workload) sum += of.completed();
  return sum;
}

std::uint64_t RequestTotals::bytes() const {
  std::uint64_t sum = 0;
  for (const RequestStatistics& of : of_workload) sum += of.bytes();
  return sum;
}

std::uint64_t RequestTotals::bytes_written() const {
  std::uint64_t sum = 0;
  for (const RequestStatistics& of : of_workload) sum += of.bytes_written();
  return sum;
}

RequestTotals RequestTotals::since(const RequestTotals& earlier, Tick begin) const {
  RequestTotals added;
  for (std::size_t k = 0; k < of_workload.size(); ++k) {
    added.of_workload.push_back(of_workload[k].since(earlier.of_workload[k], begin));
  }
  return added;
}

namespace {

struct WorkloadsGroup {
  const RequestGroup& requests;
};

void describe(const WorkloadsGroup& g, StatisticsVisitor& v) {
  for (std::size_t k = 0; k < g.requests.names.size(); ++k) {
    v.group(g.requests.names[k], g.requests.totals.of_workload[k], "requests of this workload");
  }
}

}  // namespace

void describe(const RequestGroup& g, StatisticsVisitor& v) {
  describe(g.totals.all(), v);
  v.group("workloads", WorkloadsGroup{g}, "each workload by name");
}

}  // namespace nandscape
