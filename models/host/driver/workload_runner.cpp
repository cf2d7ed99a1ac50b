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
  if (settings_.mode == IssueMode::closed_loop) return issue_next();
  if (!arrived_.empty()) {
    const HostRequest waited = arrived_.front();
    arrived_.pop();
    begin(waited, waited.at);
  } else if (source_ended_) {
    end_if_done();
  }
}

void WorkloadRunner::end_if_done() {
  if (done()) observer_.ended(number_);
}

void WorkloadRunner::begin(const HostRequest& request, Tick start) {
  ++outstanding_;
  const std::uint32_t number = queue_->acquire();
  (*queue_)[number].request = request;
  (*queue_)[number].start = start;
  queue_->begin(number);
}

void WorkloadRunner::issue_next() {
  HostRequest request;
  if (source_ended_ || !source_.next(request)) {
    source_ended_ = true;
    return end_if_done();
  }
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
  if (source_ended_ || !source_.next(next_)) {
    source_ended_ = true;
    return;
  }
  ++thinking_;
  // Times of a source do not decrease; one that does arrives at once.
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
