// SPDX-License-Identifier: Apache-2.0
// Runs one workload on its own queue.
//
// In a closed loop, `queue_depth` requests are outstanding. When a request completes, the next request is issued after
// its think time. In an open loop, each request arrives at the time that the workload gives. A request that arrives
// while `queue_depth` requests are outstanding waits in the driver, and its latency counts from its arrival.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/calendar.h"
#include "core/ring.h"
#include "host/driver/request_queue.h"
#include "host/workloads/workload.h"
#include "protocol/priority_class.h"

namespace nandscape::host {

enum class IssueMode : std::uint8_t { closed_loop, open_loop };

class RequestObserver {
 public:
  // Called when a request of a workload completes. Its start time is the time at which it was submitted, or, in an open
  // loop, the time at which it arrived.
  virtual void completed(std::size_t workload, const DriverRequest& request, Tick now) = 0;
  // Called when the workload has no request left and all its requests have completed.
  virtual void ended(std::size_t /*workload*/) {}

 protected:
  ~RequestObserver() = default;
};

struct WorkloadSettings {
  IssueMode mode = IssueMode::closed_loop;
  std::uint32_t queue_depth = 64;
  PriorityClass priority = PriorityClass::medium;  // class of the workload's submission queue
  Tick duration = never;                           // how long the workload issues requests, from its start
};

class WorkloadRunner final : public RequestSink {
 public:
  WorkloadRunner(Calendar& calendar, std::size_t number, WorkloadSource& source, const WorkloadSettings& settings,
                 RequestObserver& observer)
      : calendar_(calendar), number_(number), source_(source), settings_(settings), observer_(observer) {}

  const WorkloadSettings& settings() const { return settings_; }

  // Starts the workload now, on `queue`.
  void start(RequestQueue& queue);
  // Stops the workload: it issues no more requests, but outstanding requests still complete.
  void stop() { source_ended_ = true; }
  bool done() const { return source_ended_ && outstanding_ == 0 && thinking_ == 0 && arrived_.empty(); }

  void finished(const DriverRequest& request, Tick now) override;

 private:
  bool take(HostRequest& request, Tick from);
  void issue_next();
  void begin(DriverRequest& request, Tick start);
  void begin(const HostRequest& request, Tick start);
  void thought(DriverRequest& request);
  void await_next_arrival();
  void arrive(std::uint64_t);

  Calendar& calendar_;
  const std::size_t number_;
  WorkloadSource& source_;
  const WorkloadSettings settings_;
  RequestObserver& observer_;
  RequestQueue* queue_ = nullptr;
  Tick started_ = 0;
  Tick end_ = never;  // no request is issued from this time onward
  std::uint32_t outstanding_ = 0;
  std::uint32_t thinking_ = 0;
  bool source_ended_ = false;
  HostRequest next_;           // open loop: the request that arrives next
  Ring<HostRequest> arrived_;  // open loop: requests that wait because queue_depth is reached; `at` is calendar time
};

}  // namespace nandscape::host
