// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/workload_parameters.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/message_text.h"
#include "host/workloads/given/given_source.h"
#include "host/workloads/profile/profile_source.h"
#include "host/workloads/synthetic/synthetic_source.h"
#include "host/workloads/trace/trace_source.h"
#include "host/workloads/volume/volume_source.h"
#include "host/workloads/workload_kinds.h"

namespace nandscape::host {
namespace {

// The kinds of workloads whose requests have their own issue times.
constexpr std::array<std::string_view, 2> timed_kinds = {"trace", "volume"};

}  // namespace

WorkloadRegistry& workload_kinds() {
  static WorkloadRegistry kinds("workload kind", [](WorkloadRegistry& r) {
    for (const auto add : {register_synthetic, register_profile, register_volume, register_trace, register_given})
      add(r);
  });
  return kinds;
}

void describe(WorkloadParameters& p, ParameterVisitor& v) {
  v.text("name", p.name, "name in statistics; empty: workload0, workload1, ... in the order of the list");
  v.variant("kind", p.kind, workload_kinds(), "source of the requests");
  v.choice("pacing", p.pacing,
           {{"by_kind", "open for traces and volumes, closed for the other kinds"},
            {"closed", "queue_depth requests in flight; times of a trace are ignored"},
            {"open", "requests arrive at their own times: those of the trace, or of an arrival process"}},
           "rule for when a request is issued");
  v.integer("queue_depth", p.queue_depth, {1, 65535}, "",
            "requests in flight; in an open loop the most, and further requests wait in the host");
  v.real("think_time_us", p.think_time_us, {0, 1e9}, "us",
         "closed loop: time from a completion to the issue of the next request");
  v.real("duration_ms", p.duration_ms, {0, 1e9}, "ms",
         "time after its start at which it stops issuing requests; 0: when its requests end");
  v.choice("priority", p.priority,
           {{"urgent", "before all other classes"},
            {"high", "before medium and low, or more often"},
            {"medium", "the class of requests outside the workloads"},
            {"low", "after the others, or less often"}},
           "class of its submission queue (QPRIO), for weighted arbitration and for policies that use classes");
}

bool is_open_loop(const WorkloadParameters& parameters) {
  if (parameters.pacing == Pacing::by_kind) return std::ranges::count(timed_kinds, parameters.kind.name) > 0;
  return parameters.pacing == Pacing::open;
}

std::vector<std::string> workload_names(const std::vector<WorkloadParameters>& workloads, std::string_view path) {
  std::vector<std::string> names;
  for (const WorkloadParameters& workload : workloads) {
    std::string name = workload.name.empty() ? "workload" + std::to_string(names.size()) : workload.name;
    if (std::ranges::find(names, name) != names.end()) {
      throw ConfigError({}, std::string(path),
                        "two workloads are named " + quotation(name) + "; give each its own name");
    }
    names.push_back(std::move(name));
  }
  return names;
}

std::unique_ptr<WorkloadSource> make_workload(const WorkloadParameters& parameters, std::uint64_t capacity_sectors,
                                              double filled_fraction, std::uint64_t seed, std::string_view path,
                                              const RequestSupplies& supplies) {
  WorkloadContext context{capacity_sectors,  filled_fraction,          seed,
                          std::string(path), is_open_loop(parameters), ticks_from_us(parameters.think_time_us),
                          &supplies};
  if (context.open_loop && parameters.think_time_us > 0) {
    throw ConfigError({}, context.path + ".think_time_us",
                      "an open loop has no think time; leave it at 0 or set pacing: closed");
  }
  return workload_kinds().make(parameters.kind, context);
}

}  // namespace nandscape::host
