// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/trace/trace_source.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "host/workloads/workload_checks.h"

namespace nandscape::host {
namespace {

std::string sectors_text(std::uint64_t sectors) {
  return std::to_string(sectors) + " sectors (" + std::to_string(sectors * trace_sector_bytes / 1'000'000) + " MB)";
}

}  // namespace

void describe(TraceParameters& p, ParameterVisitor& v) {
  describe(p.file, v);
  v.real("speed", p.speed, {1e-6, 1e6}, "", "factor on the recorded pace; 2 halves the times between requests");
  v.integer("limit", p.limit, {}, "", "most requests to take from the trace in a pass; 0: all");
  v.integer("repeat", p.repeat, {1}, "",
            "passes over the trace; a further pass starts one mean interarrival time after the last request");
  v.choice("address_policy", p.address_policy,
           {{"error", "the run ends with an error that names the record"},
            {"wrap", "the address is taken modulo the capacity and keeps its alignment"}},
           "treatment of an address past the capacity");
}

void describe(const TraceCounters& c, StatisticsVisitor& v) {
  v.count("requests", c.requests, "requests made from records of the trace");
  v.count("empty", c.empty, "skipped records: reads, writes and trims of size 0");
  v.count("reordered", c.reordered, "records with a time before that of the record ahead, issued at that time");
  v.count("wrapped", c.wrapped, "requests whose address was wrapped into the capacity");
}

TraceSource::TraceSource(const Parameters& parameters, const WorkloadContext& context)
    : parameters_(parameters), context_(context) {
  if (parameters_.file.path.empty()) {
    throw ConfigError({}, context_.path + ".path", "a workload of kind 'trace' needs the path of the trace");
  }
  begin_pass();
  HostRequest request;
  if (!read_request(request)) records_->throw_no_record();
  first_ = request;
}

bool TraceSource::next(HostRequest& request) {
  if (first_) {
    request = *first_;
    first_.reset();
    return true;
  }
  while (!read_request(request)) {
    if (passes_begun_ == parameters_.repeat) return false;
    begin_pass();
  }
  return true;
}

void TraceSource::begin_pass() {
  if (taken_ > 1) start_ = latest_ + (latest_ - start_) / (taken_ - 1);
  try {
    records_.emplace(parameters_.file);
  } catch (const ConfigError& error) {
    refuse(context_, error.path(), error.complaint());  // the keys of a format are relative to the workload
  }
  taken_ = 0;
  ++passes_begun_;
}

// Stores the next request of this pass over the file in `request`. Returns false at the end of the pass.
bool TraceSource::read_request(HostRequest& request) {
  if (parameters_.limit != 0 && taken_ == parameters_.limit) return false;
  const std::uint64_t empty_before = records_->empty();
  TraceRecord record;
  const bool found = records_->next(record);
  counters_.empty += records_->empty() - empty_before;
  if (!found) return false;
  place(record, request);
  request.at = context_.open_loop ? issue_time(record) : context_.think_time;
  ++taken_;
  ++counters_.requests;
  return true;
}

// Converts the byte range of a record to the sectors that contain it. If the range ends past the capacity, wraps the
// address or throws InputError, as `address_policy` states.
void TraceSource::place(const TraceRecord& record, HostRequest& request) {
  request = {record.kind, Lba(0), 0, 0};
  if (record.kind == RequestKind::flush) return;
  const auto [first, sectors] = sectors_of(record);
  request.first = Lba(first);
  request.sectors = sectors;
  const std::uint64_t capacity = context_.capacity_sectors;
  if (request.sectors <= capacity && first <= capacity - request.sectors) return;
  if (parameters_.address_policy == AddressPolicy::wrap && request.sectors <= capacity) {
    wrap(request);
    return;
  }
  throw records_->error("the request for " + std::to_string(request.sectors) + " sectors at sector " +
                        std::to_string(first) + " ends past the capacity of " + sectors_text(capacity) +
                        (request.sectors > capacity ? "; the device must be larger"
                                                    : "; use a larger device or set address_policy: wrap"));
}

// Reduces the address modulo the capacity. The address keeps its alignment, up to 64 KiB, even if the capacity is not a
// multiple of this alignment.
void TraceSource::wrap(HostRequest& request) {
  constexpr std::uint64_t largest_alignment = 128;
  const std::uint64_t first = request.first.value;
  std::uint64_t alignment = std::min(first & (~first + 1), largest_alignment);
  const std::uint64_t room = context_.capacity_sectors - request.sectors;
  if (alignment == 0 || alignment > context_.capacity_sectors) alignment = 1;
  const std::uint64_t wrapped = first % (context_.capacity_sectors / alignment * alignment);
  request.first = Lba(std::min(wrapped, room / alignment * alignment));
  ++counters_.wrapped;
}

Tick TraceSource::issue_time(const TraceRecord& record) {
  if (!records_->has_times()) {
    throw ConfigError({}, context_.path + ".pacing",
                      parameters_.file.path + " has no times, but an open loop needs them; set pacing: closed");
  }
  if (taken_ == 0) first_time_ns_ = latest_time_ns_ = record.time_ns;
  if (record.time_ns < latest_time_ns_) ++counters_.reordered;
  latest_time_ns_ = std::max(latest_time_ns_, record.time_ns);
  const std::uint64_t elapsed_ns = latest_time_ns_ - first_time_ns_;
  // The longest possible run is half the range of ticks, which is 106 days.
  constexpr Tick longest = Tick{1} << 63;
  if (static_cast<double>(elapsed_ns) * 1e3 / parameters_.speed + static_cast<double>(start_) >=
      static_cast<double>(longest)) {
    throw records_->error("the request comes more than 106 days after the first; raise 'speed'");
  }
  // At the recorded speed, times are computed exactly with integers. A double would round times of more than two and a
  // half hours.
  const Tick elapsed = parameters_.speed == 1 ? elapsed_ns * nanosecond
                                              : ticks_from_ns(static_cast<double>(elapsed_ns) / parameters_.speed);
  latest_ = start_ + elapsed;
  return latest_;
}

void register_trace(WorkloadRegistry& kinds) {
  kinds.add<TraceSource>("trace", "a recorded trace, read from a file while it is replayed");
}

}  // namespace nandscape::host
