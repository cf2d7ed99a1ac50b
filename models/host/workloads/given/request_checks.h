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

// An error in a request. Converts to false if there is no error. The message to the user is the name of the column,
// followed by `what`.
struct Complaint {
  std::string_view column;
  std::string what;

  explicit operator bool() const { return !column.empty(); }
};

// Checks a single request. Offset and size must be whole sectors, only a flush may have size 0, and only a write may
// have FUA (force unit access).
Complaint complaint_of(const GivenRequest& request);
// Checks that an issue time is not less than the issue time `before` of the previous request, and that it is within the
// longest possible run.
Complaint complaint_of_time(Tick time, Tick before);
// Checks that a request ends within the capacity of the device.
Complaint complaint_of_range(std::uint64_t offset_bytes, std::uint64_t size_bytes, const WorkloadContext& context);

}  // namespace nandscape::host
