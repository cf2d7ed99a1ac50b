// SPDX-License-Identifier: Apache-2.0
// Statistics of requests as the host sees them: latencies by kind of request, and rates over the measured window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/archive.h"
#include "core/latency_histogram.h"
#include "core/statistics.h"
#include "host/workloads/workload.h"
#include "platform/simulation/host_command.h"
#include "platform/simulation/latency_breakdown.h"
#include "protocol/storage.h"

namespace nandscape {

// Requests of one kind.
struct KindStatistics {
  std::uint64_t errors = 0;
  std::uint64_t unrecovered = 0;
  std::uint64_t bytes = 0;
  LatencyHistogram latency;
  LatencyBreakdown breakdown;  // recorded only if it is enabled

  void count_error(RequestStatus status) {
    ++errors;
    if (status == RequestStatus::unrecovered_read_error) ++unrecovered;
  }
  void merge(const KindStatistics& other);
  KindStatistics since(const KindStatistics& earlier) const;
};
void describe(const KindStatistics& statistics, StatisticsVisitor& visitor);

// Requests of an open loop. They arrive at given times whether or not the drive keeps up.
struct OpenLoop {
  std::uint64_t requests = 0;
  Tick first_arrival = never;
  Tick last_arrival = 0;
  Tick last_end = 0;
  double outstanding = 0;  // sum of the latencies of all requests

  void record(Tick arrival, Tick end);
  void merge(const OpenLoop& other);
  OpenLoop since(const OpenLoop& earlier, Tick begin) const;
  double offered_per_s() const;
  double served_per_s() const;
  // Returns whether requests arrived clearly faster than they were served, so that they accumulated.
  bool saturated() const;
};

// Statistics of the requests of one workload, or of several together.
class RequestStatistics {
 public:
  void record(const host::HostRequest& request, Tick start, Tick now, RequestStatus status, bool open_loop) {
    if (status != RequestStatus::ok) of(request.kind).count_error(status);
    if (open_loop) open_loop_.record(start, now);
    record(request, start, now);
  }
  // Records a request of a closed loop that has succeeded.
  void record(const host::HostRequest& request, Tick start, Tick now) {
    KindStatistics& kind = of(request.kind);
    if (&kind != &other_) kind.bytes += request.sectors * sector_bytes;
    if (start < first_start_) first_start_ = start;
    if (now > last_end_) last_end_ = now;
    kind.latency.record(now - start);
  }
  // Enables the breakdown. record_parts() must then be called with each request, and the statistics show the parts.
  void keep_breakdown();
  void record_parts(host::RequestKind kind, const LatencyParts& parts, Tick latency);

  std::uint64_t completed() const { return read_.latency.count() + write_.latency.count() + other_.latency.count(); }
  std::uint64_t bytes() const { return read_.bytes + write_.bytes; }
  std::uint64_t bytes_written() const { return write_.bytes; }
  // Adds the requests of `other`.
  void merge(const RequestStatistics& other);
  // Returns the statistics of the requests since `earlier`, which is an earlier copy of this object. `begin` is the
  // time at which the window began.
  RequestStatistics since(const RequestStatistics& earlier, Tick begin) const;
  void persist(Archive& archive);
  // Saves or restores the breakdowns.
  void persist_breakdown(Archive& archive);

 private:
  friend void describe(const RequestStatistics& statistics, StatisticsVisitor& visitor);

  KindStatistics& of(host::RequestKind kind) {
    return kind == host::RequestKind::read ? read_ : kind == host::RequestKind::write ? write_ : other_;
  }

  KindStatistics read_;
  KindStatistics write_;
  KindStatistics other_;  // flushes, trims, writes of zeroes
  Tick first_start_ = never;
  Tick last_end_ = 0;
  OpenLoop open_loop_;
};
void describe(const RequestStatistics& statistics, StatisticsVisitor& visitor);

}  // namespace nandscape
