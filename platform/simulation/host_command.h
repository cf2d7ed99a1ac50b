// SPDX-License-Identifier: Apache-2.0
// A single command to a simulation, with its request and its result.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ticks.h"
#include "host/workloads/workload.h"

namespace nandscape {

enum class RequestStatus : std::uint8_t {
  ok,
  unrecovered_read_error,  // the stored data could not be corrected
  write_fault,             // the device found no flash page to which it could write the data
  refused,                 // the address is out of range, or the device does not support the command
  write_protected,         // the device is read-only
  aborted,                 // the controller was reset before the command completed
  power_lost,              // power was lost before the command completed
};

// Returns the name of the enumerator, or an explanation for the user.
std::string_view name_of(RequestStatus status);
const char* text_of(RequestStatus status);

// A single command. It owns its data, so the caller may drop the handle before the command completes.
class HostCommand {
 public:
  HostCommand(const host::HostRequest& request, std::vector<std::byte> data)
      : request_(request), data_(std::move(data)) {}

  const host::HostRequest& request() const { return request_; }
  // Returns whether the command has completed. Any thread may call this function. Once it returns true, the functions
  // below are valid, and their results do not change.
  bool done() const { return done_.load(std::memory_order_acquire); }
  RequestStatus status() const { return status_; }
  // Returns the time from the submission of the command until the driver has processed its completion.
  Tick latency() const { return latency_; }
  // Returns the data of a read. The span is empty for other commands.
  std::span<const std::byte> data() const { return data_; }

 private:
  friend class HostTraffic;

  host::HostRequest request_;
  std::vector<std::byte> data_;
  Tick start_ = 0;
  Tick latency_ = 0;
  RequestStatus status_ = RequestStatus::ok;
  std::uint64_t simulation_ = 0;
  std::list<std::shared_ptr<HostCommand>>::iterator place_;  // among the commands in flight, until it has completed
  std::atomic<bool> done_ = false;
};

using CommandHandle = std::shared_ptr<HostCommand>;

}  // namespace nandscape
