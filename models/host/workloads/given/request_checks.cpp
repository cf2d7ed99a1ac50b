// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/given/request_checks.h"

#include "core/message_text.h"
#include "host/workloads/workload_checks.h"

namespace nandscape::host {

namespace {

Complaint no_whole_sectors(std::string_view column, std::uint64_t bytes) {
  return {column, "is " + std::to_string(bytes) + ", which is not a multiple of the sector size, 512 bytes"};
}

}  // namespace

Complaint complaint_of(const GivenRequest& request) {
  const bool flush = request.operation == RequestKind::flush;
  if (request.offset_bytes % bytes_per_sector != 0) return no_whole_sectors("offset_bytes", request.offset_bytes);
  if (request.size_bytes % bytes_per_sector != 0) return no_whole_sectors("size_bytes", request.size_bytes);
  if (flush && request.size_bytes != 0) {
    return {"size_bytes", "is " + std::to_string(request.size_bytes) +
                              " on a flush; a flush has size 0, since it covers the whole device"};
  }
  if (!flush && request.size_bytes == 0) return {"size_bytes", "is 0, which only a flush may be"};
  if (request.fua && request.operation != RequestKind::write) {
    return {"fua", "is set, but the operation is not a write; only writes have force unit access"};
  }
  return {};
}

Complaint complaint_of_time(Tick time, Tick before) {
  // The longest possible run is half the range of ticks, which is 106 days.
  constexpr Tick longest = Tick{1} << 63;
  if (time >= longest) return {"time_us", "is more than 106 days after the start; a run can last no longer"};
  if (time < before) {
    return {"time_us", "is " + shown(us_from_ticks(time)) + ", earlier than the one before it, " +
                           shown(us_from_ticks(before)) + "; requests must be in the order of their times"};
  }
  return {};
}

Complaint complaint_of_range(std::uint64_t offset_bytes, std::uint64_t size_bytes, const WorkloadContext& context) {
  const std::uint64_t capacity = context.capacity_sectors * bytes_per_sector;
  if (size_bytes <= capacity && offset_bytes <= capacity - size_bytes) return {};
  return {"offset_bytes", "is " + std::to_string(offset_bytes) + "; with its size of " + std::to_string(size_bytes) +
                              " bytes the request ends past the capacity of " + std::to_string(capacity) + " bytes"};
}

}  // namespace nandscape::host
