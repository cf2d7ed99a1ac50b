// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/die_locked_retries.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "controller/reading/page_reader.h"
#include "core/ticks.h"
#include "protocol/nand_features.h"

namespace nandscape::controller {

namespace {

// Transfers the result of a retry step to the page's read.
void take(PageRead& read, FlashOp& step) {
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
  read.ecc.code = step.ecc.code;
  read.ecc.worst_codeword_errors = step.ecc.worst_codeword_errors;
}

}  // namespace

void DieLockedRetry::StepRead::array_done(Tick now) { owner.sensed(*this, now); }
void DieLockedRetry::StepRead::coded(Tick now) { owner.decoded(*this, now); }
void DieLockedRetry::Control::array_done(Tick now) { owner.control_done(*this, now); }

DieLockedRetries::DieLockedRetries(FlashIo& io, FlashScheduler& scheduler, PageReader& reader, const RetryFacts& facts,
                                   const BlockAges& ages, ReadRetryCounters& counters)
    : io_(io),
      scheduler_(scheduler),
      reader_(reader),
      timing_(reader.needs().adapts_timing ? facts.timing.get() : nullptr),
      ages_(ages),
      counters_(counters),
      step_reads_(io, *this),
      controls_(io, *this) {}

void DieLockedRetries::start(PageRead& read, const ReadStep& first, Tick now) {
  DieLockedRetry& retry = retries_.acquire();
  retry.read_ = &read;
  retry.first_ = first;
  retry.earlier_ = read.attempts.size();
  read.retry = &retry;
  read.locks_die = true;
  read.command.cache = false;
  io_.enqueue(read, now);
}

void DieLockedRetries::die_locked(PageRead& read, Tick now) {
  DieLockedRetry& retry = *read.retry;
  read.locks_die = false;
  prepare(retry, retry.steps_[0]);
  retry.steps_[0].command->locks_die = true;
  if (timing_ != nullptr) {
    const BlockAge age = ages_.of(read.block, now);
    // The age is rounded down to whole days. Otherwise data that were stored for exactly a year would be a little older
    // than a year when they are read, and the reduction for a higher age would be used.
    const double whole_days = std::floor(age.age_hours / 24);
    const std::uint8_t reduction = timing_->precharge_reduction(age.pe_cycles, whole_days * 24 / hours_per_month);
    if (reduction != 0) {
      ++counters_.locked.shortened;
      set_precharge(retry, reduction, now);
    }
  }
  send_steps(retry, now);
}

DieLockedRetries::Step& DieLockedRetries::step_of(DieLockedRetry& retry, const FlashOp& command) {
  return retry.steps_[&command == retry.steps_[0].command ? 0 : 1];
}

bool DieLockedRetries::any(const DieLockedRetry& retry, Where where) {
  return std::any_of(retry.steps_.begin(), retry.steps_.end(), [=](const Step& s) { return s.where == where; });
}

void DieLockedRetries::prepare(DieLockedRetry& retry, Step& step) {
  step.command = &step_reads_.acquire();
  io_.copy_read(*step.command, *retry.read_);
  step.command->of = &retry;
}

void DieLockedRetries::send_steps(DieLockedRetry& retry, Tick now) {
  send(retry, retry.steps_[0], retry.first_, now);
  send_further(retry, now);
}

void DieLockedRetries::send_further(DieLockedRetry& retry, Tick now) {
  for (Step& step : retry.steps_) {
    if (step.where != Where::nowhere || retry.given_up_) continue;
    const bool waits = any(retry, Where::on_die) || any(retry, Where::decoding);
    if (waits && !retry.read_->attempts.back().step.pipelined) return;
    const std::optional<ReadStep> next = retry.read_->next_step(now);
    if (next) send(retry, step, *next, now);
    retry.given_up_ = !next;
  }
}

void DieLockedRetries::send(DieLockedRetry& retry, Step& step, const ReadStep& next, Tick now) {
  if (step.command == nullptr) prepare(retry, step);
  const std::span<const ReadAttempt> attempts = retry.read_->attempts;
  StepRead& command = *step.command;
  const int earlier = next.adds_senses ? attempts.back().step.sensing_levels : 0;
  command.attempt = attempts.size();
  command.stage = next.retry_stage();
  command.command.retry_step = static_cast<std::uint8_t>(next.retry_step);
  io_.set_sensing_levels(command, static_cast<std::uint32_t>(next.sensing_levels), static_cast<std::uint32_t>(earlier));
  retry.read_->add_attempt(next);
  // The scheduler sends a plain read instead of a cache read if no earlier step is being sensed at that time.
  command.command.cache = true;
  step.where = Where::on_die;
  scheduler_.enqueue(command, now, QueuePosition::under_lock);
}

void DieLockedRetries::set_precharge(DieLockedRetry& retry, std::uint8_t reduction, Tick now) {
  const FlashOp& step = *retry.steps_[0].command;
  retry.control_ = &controls_.acquire();
  retry.precharge_reduction_ = reduction;
  retry.control_->of = &retry;
  retry.control_->channel = step.channel;
  NandCommand& command = retry.control_->command;
  command.operation = NandOperation::set_feature;
  command.die = step.command.die;
  command.feature = feature::sense_timing;
  command.feature_value = {reduction, 0, 0, 0};
  scheduler_.enqueue(*retry.control_, now, QueuePosition::under_lock);
}

void DieLockedRetries::sensed(StepRead& command, Tick now) {
  DieLockedRetry& retry = *command.of;
  Step& step = step_of(retry, command);
  if (retry.read_ != nullptr) {
    step.where = Where::decoding;
    io_.decode(command);
    return;
  }
  step.where = Where::nowhere;
  if (!retry.resetting_ && !any(retry, Where::on_die)) leave_die(retry, now);
}

void DieLockedRetries::control_done(Control& control, Tick now) {
  DieLockedRetry& retry = *control.of;
  retry.control_ = nullptr;
  const bool reset = control.command.operation == NandOperation::reset;
  controls_.release(control);
  if (reset) {
    retry.resetting_ = false;
    for (Step& step : retry.steps_) {
      if (step.where == Where::on_die) step.where = Where::nowhere;
    }
  }
  if (retry.read_ == nullptr) leave_die(retry, now);
}

void DieLockedRetries::decoded(StepRead& command, Tick now) {
  ++counters_.sensing_levels.reads[command.command.sensing_levels - 1u];
  ++counters_.stages.of(command.stage).reads;
  DieLockedRetry& retry = *command.of;
  step_of(retry, command).where = Where::nowhere;
  if (retry.read_ == nullptr) return release_if_over(retry);
  retry.read_->settle_attempt(command.attempt, command);
  if (!command.ecc.uncorrectable) {
    take(*retry.read_, command);
    retry.read_->recovery_stage = command.stage;
    return end(retry, now);
  }
  send_further(retry, now);
  if (!any(retry, Where::on_die) && !any(retry, Where::decoding)) return exhausted(retry, now);
  ++retry.read_->retries;
}

void DieLockedRetries::exhausted(DieLockedRetry& retry, Tick now) {
  if (retry.precharge_reduction_ == 0) return end(retry, now);
  ++retry.read_->retries;
  ++counters_.locked.fallbacks;
  retry.read_->forget_attempts(retry.earlier_);
  retry.given_up_ = false;
  set_precharge(retry, 0, now);
  send_steps(retry, now);
}

// Ends the retry. The result of the read is passed on at once and does not wait until the die is restored and unlocked.
void DieLockedRetries::end(DieLockedRetry& retry, Tick now) {
  PageRead& read = *std::exchange(retry.read_, nullptr);
  clear_die(retry, now);
  read.retry = nullptr;
  reader_.recovery_ended(read, now);
}

void DieLockedRetries::clear_die(DieLockedRetry& retry, Tick now) {
  const FlashOp& any_step = *retry.steps_[0].command;
  while (FlashOp* unsent = scheduler_.withdraw_locked(any_step.channel, any_step.command.die)) {
    step_of(retry, *unsent).where = Where::nowhere;
  }
  if (!any(retry, Where::on_die)) return leave_die(retry, now);
  ++counters_.locked.needless_steps;
  if (scheduler_.holds_suspended(any_step.channel, any_step.command.die)) {
    for (Step& step : retry.steps_) {
      if (step.where != Where::on_die) continue;
      step.command->command.bytes = 0;
      step.command->command.codeword_errors = {};
    }
    return;
  }
  retry.resetting_ = true;
  retry.control_ = &controls_.acquire();
  retry.control_->of = &retry;
  retry.control_->channel = any_step.channel;
  retry.control_->command.operation = NandOperation::reset;
  retry.control_->command.die = any_step.command.die;
  scheduler_.enqueue(*retry.control_, now, QueuePosition::under_lock);
}

void DieLockedRetries::leave_die(DieLockedRetry& retry, Tick now) {
  if (retry.precharge_reduction_ != 0) return set_precharge(retry, 0, now);
  retry.holds_die_ = false;
  const FlashOp& step = *retry.steps_[0].command;
  const ChannelId channel = step.channel;
  const DieInChannel die = step.command.die;
  release_if_over(retry);
  scheduler_.unlock_die(channel, die, now);
}

void DieLockedRetries::release_if_over(DieLockedRetry& retry) {
  if (retry.holds_die_ || any(retry, Where::decoding)) return;
  for (const Step& step : retry.steps_) {
    if (step.command != nullptr) step_reads_.release(*step.command);
  }
  retries_.release(retry);
}

}  // namespace nandscape::controller
