// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/request_statistics.h"

#include <algorithm>
#include <limits>

#include "core/poisson_interval.h"

namespace nandscape {

void describe(const KindStatistics& s, StatisticsVisitor& v) {
  v.count("count", s.latency.count(), "requests completed");
  v.count("errors", s.errors, "requests completed with an error");
  v.count("unrecovered", s.unrecovered, "errors for stored data that no recovery could correct");
  v.count("bytes", s.bytes, "bytes moved by these requests");
  v.latency("latency_us", s.latency, "from submission (open loop: arrival) until the driver processes the completion");
  if (!s.breakdown.kept()) return;
  v.group("breakdown_us", PartsInMicroseconds{s.breakdown.mean()}, "parts of the mean latency");
  v.group("slowest_breakdown_us", PartsInMicroseconds{s.breakdown.mean_of_slowest()},
          "the same over the slowest 1 % of the requests; unknown for fewer than 1,000 requests");
}

void KindStatistics::merge(const KindStatistics& other) {
  errors += other.errors;
  unrecovered += other.unrecovered;
  bytes += other.bytes;
  latency.merge(other.latency);
  breakdown.merge(other.breakdown);
}

KindStatistics KindStatistics::since(const KindStatistics& earlier) const {
  return {errors - earlier.errors, unrecovered - earlier.unrecovered, bytes - earlier.bytes,
          latency.since(earlier.latency), breakdown.since(earlier.breakdown)};
}

void OpenLoop::record(Tick arrival, Tick end) {
  ++requests;
  first_arrival = std::min(first_arrival, arrival);
  last_arrival = std::max(last_arrival, arrival);
  last_end = std::max(last_end, end);
  outstanding += static_cast<double>(end - arrival);
}

void OpenLoop::merge(const OpenLoop& other) {
  requests += other.requests;
  first_arrival = std::min(first_arrival, other.first_arrival);
  last_arrival = std::max(last_arrival, other.last_arrival);
  last_end = std::max(last_end, other.last_end);
  outstanding += other.outstanding;
}

OpenLoop OpenLoop::since(const OpenLoop& earlier, Tick begin) const {
  if (earlier.requests == 0) return *this;
  return {requests - earlier.requests, begin, last_arrival, last_end, outstanding - earlier.outstanding};
}

double OpenLoop::offered_per_s() const {
  const bool spread = requests > 1 && last_arrival > first_arrival;
  return spread ? static_cast<double>(requests - 1) / s_from_ticks(last_arrival - first_arrival) : 0;
}

double OpenLoop::served_per_s() const {
  return last_end > first_arrival ? static_cast<double>(requests) / s_from_ticks(last_end - first_arrival) : 0;
}

// Returns whether the open loop is saturated. In a short run, the latency of the last requests is enough to lower the
// served rate. Many requests must therefore be outstanding, too.
bool OpenLoop::saturated() const {
  constexpr double clearly = 1.1, pile = 32;
  if (last_end <= first_arrival || offered_per_s() < clearly * served_per_s()) return false;
  return outstanding > pile * static_cast<double>(last_end - first_arrival);
}

void RequestStatistics::merge(const RequestStatistics& other) {
  read_.merge(other.read_);
  write_.merge(other.write_);
  other_.merge(other.other_);
  first_start_ = std::min(first_start_, other.first_start_);
  last_end_ = std::max(last_end_, other.last_end_);
  open_loop_.merge(other.open_loop_);
}

RequestStatistics RequestStatistics::since(const RequestStatistics& earlier, Tick begin) const {
  RequestStatistics added;
  added.read_ = read_.since(earlier.read_);
  added.write_ = write_.since(earlier.write_);
  added.other_ = other_.since(earlier.other_);
  added.first_start_ = begin;
  added.last_end_ = last_end_;
  added.open_loop_ = open_loop_.since(earlier.open_loop_, begin);
  return added;
}

void RequestStatistics::persist(Archive& archive) {
  for (KindStatistics* kind : {&read_, &write_, &other_}) {
    archive(kind->errors, kind->unrecovered, kind->bytes, kind->latency);
  }
  archive(first_start_, last_end_);
  archive(open_loop_.requests, open_loop_.first_arrival, open_loop_.last_arrival, open_loop_.last_end,
          open_loop_.outstanding);
  if (!archive.loading()) return;
  archive.require(completed() == 0 || first_start_ <= last_end_, "the requests ended before they were begun");
}

void RequestStatistics::keep_breakdown() {
  for (KindStatistics* kind : {&read_, &write_, &other_}) kind->breakdown.keep();
}

void RequestStatistics::persist_breakdown(Archive& archive) {
  for (KindStatistics* kind : {&read_, &write_, &other_}) archive(kind->breakdown);
}

void RequestStatistics::record_parts(host::RequestKind kind, const LatencyParts& parts, Tick latency) {
  of(kind).breakdown.record(parts, latency);
}

void describe(const RequestStatistics& s, StatisticsVisitor& v) {
  KindStatistics all;
  for (const KindStatistics* kind : {&s.read_, &s.write_, &s.other_}) {
    all.errors += kind->errors;
    all.unrecovered += kind->unrecovered;
    all.bytes += kind->bytes;
    all.latency.merge(kind->latency);
  }
  const double window_s = s.completed() == 0 ? 0 : s_from_ticks(s.last_end_ - s.first_start_);
  const auto per_second = [window_s](double amount) { return window_s == 0 ? 0 : amount / window_s; };
  v.group("read", s.read_, "reads");
  v.group("write", s.write_, "writes");
  v.group("other", s.other_, "flushes, trims and writes of zeroes");
  v.group("all", all, "all requests");
  v.level("window_s", window_s, "s",
          "length of the measured window: from the end of the warm-up to the last completion of the workloads");
  v.level("iops", per_second(static_cast<double>(s.completed())), "1/s", "requests completed per second of the window");
  v.level("bandwidth_mib_s", per_second(static_cast<double>(all.bytes) / (1 << 20)), "mib_s",
          "bytes read and written per second of the window");
  v.level("offered_iops", s.open_loop_.offered_per_s(), "1/s", "open loop: requests that arrived per second; else 0");
  v.level("saturated", std::uint64_t{s.open_loop_.saturated()},
          "1 when requests of an open loop arrived clearly faster than they were served, so latencies depend on the "
          "length of the run");
  const double bits_read = 8.0 * static_cast<double>(s.read_.bytes);
  const PoissonInterval errors = poisson_interval(s.read_.unrecovered);
  const auto per_bit = [bits_read](double data_errors) {
    return bits_read == 0 ? std::numeric_limits<double>::quiet_NaN() : data_errors / bits_read;
  };
  v.level("uber", per_bit(static_cast<double>(s.read_.unrecovered)), "",
          "uncorrectable bit error rate seen by the host, by JESD218: data errors over bits read, where a read that "
          "could not be corrected is one data error; unknown when nothing was read");
  v.level("uber_low", per_bit(errors.low), "",
          "lower end of its exact (Garwood) 95 % interval, for independent data errors; 0 for no error");
  v.level("uber_high", per_bit(errors.high), "",
          "upper end of that two-sided interval; 3.69 over bits read for no error");
}

}  // namespace nandscape
