// SPDX-License-Identifier: Apache-2.0
// Plays one workload on a queue of its own.
//
// Closed loop: `queue_depth` requests are outstanding; the slot of a completed one is used again after the think time
// of the next. Open loop: each request arrives at its own time; when `queue_depth` are outstanding it waits in the
// driver, and its latency counts from the arrival.
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
  // A request of a workload was completed: `start` is when it was submitted (open loop: when it arrived). `times` says
  // where the time went, if that is known; else null.
  virtual void completed(std::size_t workload, const HostRequest& request, Tick start, Tick now, nvme::Status status,
                         const TimeSheet* times) = 0;
  // The workload has no request left, and none is under way.
  virtual void ended(std::size_t /*workload*/) {}

 protected:
  ~RequestObserver() = default;
};

struct WorkloadSettings {
  IssueMode mode = IssueMode::closed_loop;
  std::uint32_t queue_depth = 64;
  PriorityClass priority = PriorityClass::medium;  // of its submission queue
  Tick duration = never;                           // from its start on; nothing is issued at its end or later
};

class WorkloadRunner final : public RequestSink {
 public:
  WorkloadRunner(Calendar& calendar, std::size_t number, WorkloadSource& source, const WorkloadSettings& settings,
                 RequestObserver& observer)
      : calendar_(calendar), number_(number), source_(source), settings_(settings), observer_(observer) {}

  const WorkloadSettings& settings() const { return settings_; }

  // From now on, on that queue.
  void start(RequestQueue& queue);
  // Issues nothing more; requests under way still complete.
  void stop() { source_ended_ = true; }
  bool done() const { return source_ended_ && outstanding_ == 0 && thinking_ == 0 && arrived_.empty(); }

  void finished(std::uint32_t number, const DriverRequest& request, Tick now) override;

 private:
  bool take(HostRequest& request);
  void issue_next();
  void begin(const HostRequest& request, Tick start);
  void thought(std::uint64_t number);
  void await_next_arrival();
  void arrive(std::uint64_t);

  Calendar& calendar_;
  const std::size_t number_;
  WorkloadSource& source_;
  const WorkloadSettings settings_;
  RequestObserver& observer_;
  RequestQueue* queue_ = nullptr;
  Tick started_ = 0;
  std::uint32_t outstanding_ = 0;
  std::uint32_t thinking_ = 0;
  bool source_ended_ = false;
  HostRequest next_;           // open loop: the request that arrives next
  Ring<HostRequest> arrived_;  // open loop: waiting for a place, `at` in calendar time
};

}  // namespace nandscape::host
