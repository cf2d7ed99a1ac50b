// SPDX-License-Identifier: Apache-2.0
// Host requests, and the interface of the workload sources that pass them to the driver one after another.
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
  // In an open loop, the time at which the request is issued, counted from the start of the workload. In a closed loop,
  // the think time: the time between the completion of the previous request and the issue of this request.
  Tick at = 0;
  bool force_unit_access = false;  // the write completes only when its data are on flash
};

// Generates or reads requests in the order in which they are issued. A source produces them one at a time, so its
// memory does not grow with the number of requests.
class WorkloadSource {
 public:
  virtual ~WorkloadSource() = default;

  // Stores the next request in `request` and returns true, or returns false if there is no request left. Throws
  // InputError if a record of the workload cannot be read.
  [[nodiscard]] virtual bool next(HostRequest& request) = 0;

  // Returns the total number of requests, or 0 if it is not known beforehand. Progress displays use this number.
  virtual std::uint64_t expected_requests() const { return 0; }
};

}  // namespace nandscape::host
