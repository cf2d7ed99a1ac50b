// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/held_retries.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ticks.h"
#include "protocol/nand_features.h"

namespace nandscape {

namespace {

// What a step has given becomes the read's.
void take(FlashTransaction& read, FlashTransaction& step) {
  std::swap(read.buffer, step.buffer);
  std::swap(read.command.data, step.command.data);
  std::swap(read.command.codeword_errors, step.command.codeword_errors);
  read.tag = step.tag;
  read.command.retry_step = step.command.retry_step;
  read.command.raw_bit_errors = step.command.raw_bit_errors;
  read.command.worst_codeword_errors = step.command.worst_codeword_errors;
  read.command.bad_block_mark = step.command.bad_block_mark;
  read.command.erased_page = step.command.erased_page;
  read.ecc.uncorrectable = step.ecc.uncorrectable;
}

}  // namespace

void HeldRetries::start(FlashTransaction& read, Tick now) {
  RetryOperation& retry = retries_.acquire();
  retry.read_ = &read;
  retry.order_ = read.retry_order;
  read.retry = &retry;
  read.opens_session = true;
  read.command.cache = false;
  io_.enqueue(read, now);
}

void HeldRetries::session_opened(FlashTransaction& read, Tick now) {
  RetryOperation& retry = *read.retry;
  read.opens_session = false;
  for (std::size_t k = 0; k < (pipelined_ ? 2 : 1); ++k) {
    FlashTransaction& command = io_.acquire(read.purpose);
    io_.copy_read(command, read);
    command.retry = &retry;
    command.opens_session = k == 0;
    retry.steps_[k].command = &command;
  }
  if (timing_ != nullptr) {
    const BlockAge age = client_.age_of(read.block, now);
    // Data that were stored for a year and then read are a year old.
    const double whole_days = std::floor(age.age_hours / 24);
    const std::uint8_t reduction = timing_->precharge_reduction(age.pe_cycles, whole_days * 24 / hours_per_month);
    if (reduction != 0) {
      ++counters_.shortened;
      set_precharge(retry, reduction, now);
    }
  }
  send_steps(retry, now);
}

HeldRetries::Step& HeldRetries::step_of(RetryOperation& retry, const FlashTransaction& command) {
  return retry.steps_[&command == retry.steps_[0].command ? 0 : 1];
}

bool HeldRetries::any(const RetryOperation& retry, Where where) {
  return std::any_of(retry.steps_.begin(), retry.steps_.end(), [=](const Step& s) { return s.where == where; });
}

void HeldRetries::send_steps(RetryOperation& retry, Tick now) {
  for (Step& step : retry.steps_) {
    if (step.command != nullptr && !retry.order_.exhausted()) send(retry, step, now);
  }
}

void HeldRetries::send(RetryOperation& retry, Step& step, Tick now) {
  step.command->command.retry_step = retry.order_.next().step;
  // The scheduler makes it a plain read if no step before it is being sensed by then.
  step.command->command.cache = true;
  step.where = Where::on_die;
  scheduler_.enqueue_in_session(*step.command, now);
}

void HeldRetries::set_precharge(RetryOperation& retry, std::uint8_t reduction, Tick now) {
  const FlashTransaction& step = *retry.steps_[0].command;
  retry.control_ = &io_.acquire(step.purpose);
  retry.precharge_reduction_ = reduction;
  retry.control_->retry = &retry;
  retry.control_->channel = step.channel;
  NandCommand& command = retry.control_->command;
  command.operation = NandOperation::set_feature;
  command.die = step.command.die;
  command.feature = feature::sense_timing;
  command.feature_value = {reduction, 0, 0, 0};
  scheduler_.enqueue_in_session(*retry.control_, now);
}

void HeldRetries::done(FlashTransaction& command, Tick now) {
  RetryOperation& retry = *command.retry;
  if (&command == retry.control_) return control_done(retry, now);
  Step& step = step_of(retry, command);
  if (retry.read_ != nullptr) {
    step.where = Where::decoding;
    io_.decode(command);
    return;
  }
  step.where = Where::nowhere;
  if (!retry.resetting_ && !any(retry, Where::on_die)) leave_die(retry, now);
}

void HeldRetries::control_done(RetryOperation& retry, Tick now) {
  FlashTransaction& control = *std::exchange(retry.control_, nullptr);
  const bool reset = control.command.operation == NandOperation::reset;
  io_.release(control);
  if (reset) {
    retry.resetting_ = false;
    for (Step& step : retry.steps_) {
      if (step.where == Where::on_die) step.where = Where::nowhere;
    }
  }
  if (retry.read_ == nullptr) leave_die(retry, now);
}

void HeldRetries::decoded(FlashTransaction& command, Tick now) {
  RetryOperation& retry = *command.retry;
  Step& step = step_of(retry, command);
  step.where = Where::nowhere;
  if (retry.read_ == nullptr) return release_if_over(retry);
  if (!command.ecc.uncorrectable) {
    take(*retry.read_, command);
    return end(retry, now);
  }
  ++retry.read_->retries;
  if (!retry.order_.exhausted()) {
    send(retry, step, now);
  } else if (!any(retry, Where::on_die) && !any(retry, Where::decoding)) {
    exhausted(retry, now);
  }
}

void HeldRetries::exhausted(RetryOperation& retry, Tick now) {
  if (retry.precharge_reduction_ == 0) return end(retry, now);
  ++counters_.fallbacks;
  retry.order_ = retry.read_->retry_order;
  set_precharge(retry, 0, now);
  send_steps(retry, now);
}

// The page's data, or that there are none, do not wait for the die to be as before.
void HeldRetries::end(RetryOperation& retry, Tick now) {
  FlashTransaction& read = *std::exchange(retry.read_, nullptr);
  clear_die(retry, now);
  read.retry = nullptr;
  client_.retry_ended(read, now);
}

void HeldRetries::clear_die(RetryOperation& retry, Tick now) {
  const FlashTransaction& any_step = *retry.steps_[0].command;
  while (FlashTransaction* unsent = scheduler_.withdraw_from_session(any_step.channel, any_step.command.die)) {
    step_of(retry, *unsent).where = Where::nowhere;
  }
  if (!any(retry, Where::on_die)) return leave_die(retry, now);
  ++counters_.needless_steps;
  if (scheduler_.holds_suspended(any_step.channel, any_step.command.die)) {
    for (Step& step : retry.steps_) {
      if (step.where != Where::on_die) continue;
      step.command->command.bytes = 0;
      step.command->command.codeword_errors = {};
    }
    return;
  }
  retry.resetting_ = true;
  retry.control_ = &io_.acquire(any_step.purpose);
  retry.control_->retry = &retry;
  retry.control_->channel = any_step.channel;
  retry.control_->command.operation = NandOperation::reset;
  retry.control_->command.die = any_step.command.die;
  scheduler_.enqueue_in_session(*retry.control_, now);
}

void HeldRetries::leave_die(RetryOperation& retry, Tick now) {
  if (retry.precharge_reduction_ != 0) return set_precharge(retry, 0, now);
  retry.holds_die_ = false;
  const FlashTransaction& step = *retry.steps_[0].command;
  const ChannelId channel = step.channel;
  const std::uint32_t die = step.command.die;
  release_if_over(retry);
  scheduler_.end_session(channel, die, now);
}

void HeldRetries::release_if_over(RetryOperation& retry) {
  if (retry.holds_die_ || any(retry, Where::decoding)) return;
  for (const Step& step : retry.steps_) {
    if (step.command != nullptr) io_.release(*step.command);
  }
  retries_.release(retry);
}

}  // namespace nandscape
