// SPDX-License-Identifier: Apache-2.0
// The commands of a die that act on its other commands (suspend, resume and reset), and SET FEATURE.
#include <algorithm>
#include <utility>

#include "nand/die.h"

namespace nandscape::nand {

namespace {

constexpr bool suspendable(NandOperation operation) {
  return operation == NandOperation::program || operation == NandOperation::erase ||
         operation == NandOperation::copyback_program || operation == NandOperation::adjust_voltage;
}

}  // namespace

Tick Die::suspend(NandCommand& command, Tick now) {
  rules_.remember(command);
  if (state_ != State::busy || !suspendable(active_.kind) || active_.end <= now) {
    command.status = NandStatus::fail;
    command.response_time = 0;
    return never;
  }
  ++suspends_;
  command.status = NandStatus::pass;
  command.response_time = timing_.t_suspend;
  ready_ = now + timing_.t_suspend;
  // The array does not work during tRESUME. If the suspend arrives during tRESUME, all of the work is left.
  suspended_left_ = std::min(active_.end - now, active_.work);
  std::swap(suspended_, active_);
  state_ = State::idle;
  return never;
}

Tick Die::resume(const NandCommand& command, Tick now) {
  rules_.remember(command);
  std::swap(suspended_, active_);
  state_ = State::busy;
  active_.work = suspended_left_;
  active_.end = now + timing_.t_resume + suspended_left_;
  return active_.end;
}

Tick Die::reset(NandCommand& command, Tick now) {
  rules_.remember(command);
  forgo(now);
  Tick duration = timing_.t_rst_read;
  if (state_ == State::busy) {
    duration = reset_time(active_.kind);
    for (const NandCommand* c : active_.commands) array_.interrupt(*c);
  }
  if (cached_complete_) {
    for (const NandCommand* c : cached_program_.commands) array_.interrupt(*c);
  }
  if (!suspended_.commands.empty()) {
    duration = std::max(duration, reset_time(suspended_.kind));
    for (const NandCommand* c : suspended_.commands) array_.interrupt(*c);
  }
  for (NandCommand* read : plane_reads_.reads()) aborted_.push_back(read);
  plane_reads_.drop();
  abort(active_);
  abort(cached_program_);
  abort(suspended_);
  next_waits_ = cached_complete_ = false;
  if (cache_read_ != nullptr) aborted_.push_back(std::exchange(cache_read_, nullptr));
  for (NandCommand* aborted : aborted_) {
    aborted->status = NandStatus::aborted;
    aborted->response_time = 0;
  }
  ++resets_;
  state_ = State::idle;
  array_.registers().forget();
  ready_ = now + duration;
  command.status = NandStatus::pass;
  command.response_time = duration;
  return never;
}

Tick Die::reset_time(NandOperation interrupted) const {
  if (interrupted == NandOperation::erase) return timing_.t_rst_erase;
  return suspendable(interrupted) ? timing_.t_rst_program : timing_.t_rst_read;
}

ArrayTimes Die::array_times_ahead(Tick now) const {
  ArrayTimes ahead;
  if (state_ == State::busy && active_.end > now) {
    const Tick left = std::min(active_.end - now, active_.work);
    array_time(ahead, active_.kind) += left * active_.commands.size();
    ahead.busy += left;
  }
  if (!suspended_.commands.empty()) {
    array_time(ahead, suspended_.kind) += suspended_left_ * suspended_.commands.size();
    ahead.busy += suspended_left_;
  }
  for (const NandCommand* read : plane_reads_.reads()) {
    const Tick end = plane_reads_.end(read->plane);
    ahead.reading += end > now ? end - now : 0;
  }
  ahead.busy += plane_reads_.ahead(now);
  return ahead;
}

void Die::forgo(Tick now) { times_ -= array_times_ahead(now); }

void Die::abort(Operation& operation) {
  aborted_.insert(aborted_.end(), operation.commands.begin(), operation.commands.end());
  operation.commands.clear();
}

NandCommand* Die::take_aborted() {
  if (aborted_.empty()) return nullptr;
  NandCommand* const first = aborted_.front();
  aborted_.erase(aborted_.begin());
  return first;
}

Tick Die::set_feature(NandCommand& command, Tick now) {
  rules_.check_feature(command);
  rules_.remember(command);
  features_.set(command.feature, command.feature_value);
  ready_ = now + timing_.t_feat;
  command.status = NandStatus::pass;
  command.response_time = timing_.t_feat;
  return never;
}

}  // namespace nandscape::nand
