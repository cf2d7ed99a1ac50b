// SPDX-License-Identifier: Apache-2.0
// What a workload source gives to the driver model: requests, one after another.
#pragma once

#include <cstdint>

#include "core/ids.h"
#include "core/ticks.h"

namespace nandscape::host {

enum class RequestKind : std::uint8_t { read, write, flush, trim, write_zeroes };

struct HostRequest {
  RequestKind kind = RequestKind::read;
  Lba first;                  // in sectors of 512 bytes
  std::uint64_t sectors = 0;  // 0 for a flush
  // Open loop: when it is issued, counted from the start of the workload. Closed loop: how long the issuer thinks
  // between the completion that frees its slot and issuing it.
  Tick at = 0;
  bool force_unit_access = false;  // a write that completes only when it is on flash
};

// Requests in the order in which they are issued. Sources stream: memory does not grow with their length.
class WorkloadSource {
 public:
  virtual ~WorkloadSource() = default;

  // The next request, or false at the end. Throws InputError on a record that cannot be read.
  virtual bool next(HostRequest& request) = 0;

  // Requests in all, or 0 when that is not known beforehand; for progress displays.
  virtual std::uint64_t expected_requests() const { return 0; }
};

}  // namespace nandscape::host
