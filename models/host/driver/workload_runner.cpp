// SPDX-License-Identifier: Apache-2.0
#include "host/driver/workload_runner.h"

#include <algorithm>

namespace nandscape::host {

void WorkloadRunner::start(RequestQueue& queue) {
  queue_ = &queue;
  started_ = calendar_.now();
  if (settings_.mode == IssueMode::open_loop) return await_next_arrival();
  for (std::uint32_t k = 0; k < settings_.queue_depth; ++k) issue_next();
  queue.flush_doorbell();
}

void WorkloadRunner::finished(std::uint32_t, const DriverRequest& request, Tick now) {
  --outstanding_;
  observer_.completed(number_, request.request, request.start, now, request.status, request.times);
  if (settings_.mode == IssueMode::closed_loop) {
    issue_next();
  } else if (!arrived_.empty()) {
    const HostRequest waited = arrived_.front();
    arrived_.pop();
    begin(waited, waited.at);
  }
  if (done()) observer_.ended(number_);
}

void WorkloadRunner::begin(const HostRequest& request, Tick start) {
  ++outstanding_;
  const std::uint32_t number = queue_->acquire();
  (*queue_)[number].request = request;
  (*queue_)[number].start = start;
  queue_->begin(number);
}

// Takes the next request from the source. Returns false at the end of the source or of the duration.
bool WorkloadRunner::take(HostRequest& request) {
  const Tick elapsed = calendar_.now() - started_;
  if (source_ended_ || elapsed >= settings_.duration || !source_.next(request)) {
    source_ended_ = true;
    return false;
  }
  const Tick at = settings_.mode == IssueMode::open_loop ? request.at : elapsed + request.at;
  source_ended_ = at >= settings_.duration;
  return !source_ended_;
}

void WorkloadRunner::issue_next() {
  HostRequest request;
  if (!take(request)) return;
  if (request.at == 0) return begin(request, calendar_.now());
  ++thinking_;
  const std::uint32_t number = queue_->acquire();
  (*queue_)[number].request = request;
  calendar_.schedule<&WorkloadRunner::thought>(calendar_.now() + request.at, *this, number);
}

void WorkloadRunner::thought(std::uint64_t number) {
  const auto n = static_cast<std::uint32_t>(number);
  --thinking_;
  ++outstanding_;
  (*queue_)[n].start = calendar_.now();
  queue_->begin(n);
  queue_->flush_doorbell();
}

void WorkloadRunner::await_next_arrival() {
  if (!take(next_)) return;
  ++thinking_;
  // Request times should not decrease. A request with a time in the past arrives at once.
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
