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

// Moves the result of a step to the read.
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

DieLockedRetries::DieLockedRetries(FlashIo& io, FlashScheduler& scheduler, PageReader& reader,
                                   const ReadRecoveryPolicy& policy, const RetryFacts& facts, const BlockAges& ages,
                                   ReadRetryCounters& counters)
    : io_(io),
      scheduler_(scheduler),
      reader_(reader),
      pipelined_(policy.pipelines()),
      timing_(policy.adapts_timing() ? facts.timing.get() : nullptr),
      ages_(ages),
      counters_(counters),
      step_reads_(io, *this),
      controls_(io, *this) {}

void DieLockedRetries::start(PageRead& read, const ReadStep& first, Tick now) {
  DieLockedRetry& retry = retries_.acquire();
  retry.read_ = &read;
  retry.recovery_ = read.recovery;
  retry.order_ = read.steps;
  retry.first_ = first;
  retry.tried_ = read.tried;
  read.retry = &retry;
  read.locks_die = true;
  read.command.cache = false;
  io_.enqueue(read, now);
}

void DieLockedRetries::die_locked(PageRead& read, Tick now) {
  DieLockedRetry& retry = *read.retry;
  read.locks_die = false;
  for (std::size_t k = 0; k < (pipelined_ ? 2 : 1); ++k) {
    StepRead& command = step_reads_.acquire();
    io_.copy_read(command, read);
    command.of = &retry;
    command.locks_die = k == 0;
    retry.steps_[k].command = &command;
  }
  if (timing_ != nullptr) {
    const BlockAge age = ages_.of(read.block, now);
    // Whole days, so that data stored for a year and then read count as a year old.
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

void DieLockedRetries::send_steps(DieLockedRetry& retry, Tick now) {
  for (Step& step : retry.steps_) {
    if (step.command == nullptr) continue;
    const bool first = &step == &retry.steps_.front();
    if (const std::optional<ReadStep> next = first ? retry.first_ : next_step(retry)) send(retry, step, *next, now);
  }
}

std::optional<ReadStep> DieLockedRetries::next_step(DieLockedRetry& retry) {
  if (retry.given_up_) return std::nullopt;
  const std::optional<ReadStep> next = retry.recovery_->step(retry.order_, retry.tried_);
  retry.given_up_ = !next;
  return next;
}

void DieLockedRetries::send(DieLockedRetry& retry, Step& step, const ReadStep& next, Tick now) {
  ++retry.tried_;
  step.command->command.retry_step = next.retry_step;
  io_.set_sensing_levels(*step.command, next.sensing_levels);
  // The scheduler turns this into a plain read if no earlier step is being sensed by then.
  step.command->command.cache = true;
  step.where = Where::on_die;
  scheduler_.enqueue(*step.command, now, QueuePosition::under_lock);
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
  ++counters_.stages.of(retry_stage(command.command.sensing_levels)).reads;
  DieLockedRetry& retry = *command.of;
  Step& step = step_of(retry, command);
  step.where = Where::nowhere;
  if (retry.read_ == nullptr) return release_if_over(retry);
  if (!command.ecc.uncorrectable) {
    take(*retry.read_, command);
    retry.read_->recovery_stage = retry_stage(command.command.sensing_levels);
    return end(retry, now);
  }
  if (const std::optional<ReadStep> next = next_step(retry)) {
    send(retry, step, *next, now);
  } else if (!any(retry, Where::on_die) && !any(retry, Where::decoding)) {
    return exhausted(retry, now);
  }
  ++retry.read_->retries;
}

void DieLockedRetries::exhausted(DieLockedRetry& retry, Tick now) {
  if (retry.precharge_reduction_ == 0) return end(retry, now);
  ++retry.read_->retries;
  ++counters_.locked.fallbacks;
  retry.tried_ = retry.read_->tried;
  retry.given_up_ = false;
  set_precharge(retry, 0, now);
  send_steps(retry, now);
}

// The result of the read does not wait until the die is restored.
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
  const std::uint32_t die = step.command.die;
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
