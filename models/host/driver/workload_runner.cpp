// SPDX-License-Identifier: Apache-2.0
#include "host/driver/workload_runner.h"

#include <algorithm>

namespace nandscape::host {

void WorkloadRunner::start(RequestQueue& queue) {
  queue_ = &queue;
  started_ = calendar_.now();
  if (settings_.duration != never) end_ = started_ + settings_.duration;
  if (settings_.mode == IssueMode::open_loop) return await_next_arrival();
  for (std::uint32_t k = 0; k < settings_.queue_depth; ++k) issue_next();
  queue.flush_doorbell();
}

void WorkloadRunner::finished(const DriverRequest& request, Tick now) {
  --outstanding_;
  observer_.completed(number_, request, now);
  if (settings_.mode == IssueMode::closed_loop) {
    issue_next();
  } else if (!arrived_.empty()) {
    const HostRequest waited = arrived_.front();
    arrived_.pop();
    begin(waited, waited.at);
  }
  if (done()) observer_.ended(number_);
}

inline void WorkloadRunner::begin(DriverRequest& request, Tick start) {
  ++outstanding_;
  request.start = start;
  queue_->begin(request);
}

void WorkloadRunner::begin(const HostRequest& request, Tick start) {
  DriverRequest& issued = queue_->acquire();
  issued.request = request;
  begin(issued, start);
}

// Takes the next request from the source. The time `request.at` counts from `from`. Returns false if the source has
// ended, or if the request would come after the duration of the workload.
inline bool WorkloadRunner::take(HostRequest& request, Tick from) {
  const bool taken = !source_ended_ && calendar_.now() < end_ && source_.next(request);
  source_ended_ = !taken || from + request.at >= end_;
  return !source_ended_;
}

void WorkloadRunner::issue_next() {
  DriverRequest& next = queue_->acquire();
  const Tick now = calendar_.now();
  if (!take(next.request, now)) return queue_->give_back(next);
  if (next.request.at == 0) [[likely]]
    return begin(next, now);
  ++thinking_;
  calendar_.schedule<&WorkloadRunner::thought>(now + next.request.at, *this, next);
}

void WorkloadRunner::thought(DriverRequest& request) {
  --thinking_;
  begin(request, calendar_.now());
  queue_->flush_doorbell();
}

void WorkloadRunner::await_next_arrival() {
  if (!take(next_, started_)) return;
  ++thinking_;
  // The times of requests should not decrease. A request whose time is in the past arrives at the current time.
  next_.at = std::max(started_ + next_.at, calendar_.now());
  calendar_.schedule<&WorkloadRunner::arrive>(next_.at, *this);
}

void WorkloadRunner::arrive(std::uint64_t) {
  --thinking_;
  if (outstanding_ < settings_.queue_depth) {
    begin(next_, next_.at);
    queue_->flush_doorbell();
  } else {
    arrived_.push(next_);
  }
  await_next_arrival();
}

}  // namespace nandscape::host
