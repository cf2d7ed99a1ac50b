// SPDX-License-Identifier: Apache-2.0
// Replays a recorded trace as a workload. All devices of a trace share one address space unless `device` selects one of
// them.
#pragma once

#include <optional>
#include <string>

#include "core/registry.h"
#include "core/statistics.h"
#include "host/workloads/trace/trace_records.h"
#include "host/workloads/workload_kinds.h"

namespace nandscape::host {

enum class AddressPolicy { error, wrap };

struct TraceParameters {
  TraceFile file;
  double speed = 1;
  std::uint64_t limit = 0;
  std::uint64_t repeat = 1;
  AddressPolicy address_policy = AddressPolicy::error;
};

void describe(TraceParameters& parameters, ParameterVisitor& visitor);

// Counts of the records that have been read so far.
struct TraceCounters {
  std::uint64_t requests = 0;
  std::uint64_t empty = 0;
  std::uint64_t reordered = 0;
  std::uint64_t wrapped = 0;
};

void describe(const TraceCounters& counters, StatisticsVisitor& visitor);

class TraceSource final : public WorkloadSource {
 public:
  using Parameters = TraceParameters;

  // Reads the file up to the first request, so that the constructor already fails for a file that is not a trace.
  TraceSource(const Parameters& parameters, const WorkloadContext& context);

  bool next(HostRequest& request) override;

  const TraceCounters& counters() const { return counters_; }

 private:
  void begin_pass();
  bool read_request(HostRequest& request);
  void place(const TraceRecord& record, HostRequest& request);
  void wrap(HostRequest& request);
  Tick issue_time(const TraceRecord& record);

  const TraceParameters parameters_;
  const WorkloadContext context_;
  TraceCounters counters_;

  // The state of the current pass over the file.
  std::optional<TraceRecords> records_;
  std::uint64_t passes_begun_ = 0;
  std::uint64_t taken_ = 0;  // requests of this pass
  std::uint64_t first_time_ns_ = 0;
  std::uint64_t latest_time_ns_ = 0;
  Tick start_ = 0;
  Tick latest_ = 0;

  std::optional<HostRequest> first_;  // request that the constructor has read and next() has not yet returned
};

void register_trace(WorkloadRegistry& kinds);

}  // namespace nandscape::host
