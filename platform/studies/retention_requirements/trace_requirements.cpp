// SPDX-License-Identifier: Apache-2.0
#include "platform/studies/retention_requirements/trace_requirements.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/interruption.h"
#include "platform/studies/retention_requirements/last_writes.h"

namespace nandscape {
namespace {

constexpr std::uint64_t most_sectors = std::uint64_t{1} << 55;  // limit of 64-bit byte addresses

class Analysis {
 public:
  Analysis(host::TraceRecords& records, std::uint64_t skip_ns, std::uint64_t capacity_sectors)
      : records_(records), skip_ns_(skip_ns), given_capacity_(capacity_sectors) {
    result_.capacity_sectors = capacity_sectors;
  }

  void add(const host::TraceRecord& record) {
    const std::uint64_t time_ns = time_of(record);
    if (record.kind == host::RequestKind::flush) return;
    const auto [first, count] = host::sectors_of(record);
    require_room(first, count);
    if (record.kind != host::RequestKind::write || time_ns < skip_ns_) return;
    write(first, count, time_ns);
  }

  TraceRequirements result() const {
    TraceRequirements result = result_;
    result.span_ns = latest_ns_ - std::min(latest_ns_, skip_ns_);
    result.extents = last_writes_.extents();
    return result;
  }

 private:
  // Returns the time of a record since the first record. If the record is earlier than a record before it, returns the
  // time of the latest record before it.
  std::uint64_t time_of(const host::TraceRecord& record) {
    if (!first_ns_) first_ns_ = record.time_ns;
    const std::uint64_t time_ns = record.time_ns - std::min(record.time_ns, *first_ns_);
    if (time_ns < latest_ns_ || record.time_ns < *first_ns_) ++result_.reordered;
    latest_ns_ = std::max(latest_ns_, time_ns);
    return latest_ns_;
  }

  void require_room(std::uint64_t first, std::uint64_t count) {
    const std::uint64_t room = given_capacity_ != 0 ? given_capacity_ : most_sectors;
    if (count > room || first > room - count) {
      throw records_.error("the request for " + std::to_string(count) + " sectors at sector " + std::to_string(first) +
                           " goes past the capacity of " + std::to_string(room) + " sectors (" +
                           std::to_string(room / 1'000'000 * host::trace_sector_bytes) + " MB)");
    }
    if (given_capacity_ == 0) result_.capacity_sectors = std::max(result_.capacity_sectors, first + count);
  }

  void write(std::uint64_t first, std::uint64_t count, std::uint64_t time_ns) {
    if (count > std::numeric_limits<std::uint64_t>::max() - result_.written_sectors) {
      throw records_.error("more sectors are written than 64 bits count");
    }
    ++result_.writes;
    result_.written_sectors += count;
    const std::uint64_t known =
        last_writes_.write(first, first + count, time_ns, [&](std::uint64_t sectors, std::uint64_t written_ns) {
          result_.requirements.add(sectors, time_ns - written_ns);
        });
    result_.distinct_sectors += count - known;
  }

  host::TraceRecords& records_;
  const std::uint64_t skip_ns_;
  const std::uint64_t given_capacity_;
  LastWrites last_writes_;
  TraceRequirements result_;
  std::optional<std::uint64_t> first_ns_;
  std::uint64_t latest_ns_ = 0;
};

}  // namespace

TraceRequirements study_requirements(const host::TraceFile& trace, std::uint64_t skip_ns,
                                     std::uint64_t capacity_sectors) {
  host::TraceRecords records(trace);
  host::TraceRecord record;
  if (!records.next(record)) records.throw_no_record();
  if (!records.has_times()) {
    throw InputError({trace.path}, "the trace has no times, so the retention of its data is unknown");
  }
  Analysis analysis(records, skip_ns, capacity_sectors);
  do {
    interruption_point();
    analysis.add(record);
  } while (records.next(record));
  TraceRequirements result = analysis.result();
  if (result.writes == 0) {
    throw InputError({trace.path},
                     skip_ns == 0 ? "the trace writes nothing" : "the trace writes nothing after the skipped time");
  }
  return result;
}

}  // namespace nandscape
