// SPDX-License-Identifier: Apache-2.0
// One command given to a simulation by itself: what was asked for, and how it ended.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
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
  write_fault,             // the device found no place to write to
  refused,                 // out of range, or no command that the device takes
  write_protected,         // the device has become read-only
  aborted,                 // the controller was reset before the command completed
  power_lost,              // the power went before the command completed
};

// The name as above, and what it means for whoever asked.
std::string_view name_of(RequestStatus status);
const char* text_of(RequestStatus status);

// Its data are its own, so whoever started it may drop it while it is under way.
class HostCommand {
 public:
  HostCommand(const host::HostRequest& request, std::vector<std::byte> data)
      : request_(request), data_(std::move(data)) {}

  const host::HostRequest& request() const { return request_; }
  // Any thread may ask; what follows stays as it is once it is done.
  bool done() const { return done_.load(std::memory_order_acquire); }
  // Once it is done.
  RequestStatus status() const { return status_; }
  // From the submission until the driver saw the end.
  Tick latency() const { return latency_; }
  // What was read.
  std::span<const std::byte> data() const { return data_; }

 private:
  friend class Simulation;

  host::HostRequest request_;
  std::vector<std::byte> data_;
  Tick start_ = 0;
  Tick latency_ = 0;
  RequestStatus status_ = RequestStatus::ok;
  std::uint64_t simulation_ = 0;
  std::atomic<bool> done_ = false;
};

using CommandHandle = std::shared_ptr<HostCommand>;

}  // namespace nandscape
