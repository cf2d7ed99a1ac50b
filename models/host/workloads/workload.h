// SPDX-License-Identifier: Apache-2.0
// Requests, and the interface of workload sources, which give them to the driver one after another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/ids.h"
#include "core/ticks.h"

namespace nandscape::host {

enum class RequestKind : std::uint8_t { read, write, flush, trim, write_zeroes };
inline constexpr std::size_t request_kinds = 5;

struct HostRequest {
  RequestKind kind = RequestKind::read;
  Lba first;                  // in sectors of 512 bytes
  std::uint64_t sectors = 0;  // 0 for a flush
  // Open loop: the issue time, from the start of the workload. Closed loop: the think time between the completion that
  // frees the request's slot and the request's issue.
  Tick at = 0;
  bool force_unit_access = false;  // a write that completes only when it is on flash
};

// Gives requests in the order in which they are issued. Sources stream: their memory does not grow with their length.
class WorkloadSource {
 public:
  virtual ~WorkloadSource() = default;

  // Gives the next request, or returns false at the end. Throws InputError on a record that cannot be read.
  [[nodiscard]] virtual bool next(HostRequest& request) = 0;

  // Total number of requests, or 0 if it is not known beforehand; for progress displays.
  virtual std::uint64_t expected_requests() const { return 0; }
};

}  // namespace nandscape::host
