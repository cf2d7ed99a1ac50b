// SPDX-License-Identifier: Apache-2.0
// What a device takes of the requests that a program gives.
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

// What is wrong with a value, to be put behind its name; none if all is well.
struct Complaint {
  std::string_view column;
  std::string what;

  explicit operator bool() const { return !column.empty(); }
};

// By itself: whole sectors, a size where there must be one, FUA on writes.
Complaint complaint_of(const GivenRequest& request);
// Issue times do not decrease and are what a run can last.
Complaint complaint_of_time(Tick time, Tick before);
// Within the capacity.
Complaint complaint_of_range(std::uint64_t offset_bytes, std::uint64_t size_bytes, const WorkloadContext& context);

}  // namespace nandscape::host
