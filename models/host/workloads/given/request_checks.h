// SPDX-License-Identifier: Apache-2.0
// Checks of the requests that a program supplies.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "host/workloads/workload.h"
#include "host/workloads/workload_kinds.h"

namespace nandscape::host {

struct GivenRequest {
  RequestKind operation = RequestKind::read;
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
  bool fua = false;
};

// An error in a value; false if there is none. A message consists of the name of the column, then `what`.
struct Complaint {
  std::string_view column;
  std::string what;

  explicit operator bool() const { return !column.empty(); }
};

// Checks a single request: whole sectors, a size above 0 except for flushes, FUA only on writes.
Complaint complaint_of(const GivenRequest& request);
// Checks that issue times do not decrease and are within the longest possible run.
Complaint complaint_of_time(Tick time, Tick before);
// Checks that the range is within the capacity.
Complaint complaint_of_range(std::uint64_t offset_bytes, std::uint64_t size_bytes, const WorkloadContext& context);

}  // namespace nandscape::host
