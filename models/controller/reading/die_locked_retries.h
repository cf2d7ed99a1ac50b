// SPDX-License-Identifier: Apache-2.0
// Read-retries that lock their die until the page is decoded (Park et al., ASPLOS 2021, section 6).
//
// Pipelined (PR2): while one step is transferred and decoded, the next one is already sensed, by a cache read of the
// same page (equation 4). At most two steps are in flight or undecided. When one is decoded, a reset ends the needless
// next step, which takes tRST. A reset would abort a suspended program or erase: if there is one, the step runs to its
// end instead, and its data are not transferred.
//
// With adapted timing (AR2): a feature shortens the precharge of all steps (equation 5), and is reset at the end. The
// read timing table gives the reduction for the block's P/E cycles and retention. When no step succeeds, all are tried
// again at the default timing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "controller/flash_ops/flash_io.h"
#include "controller/flash_ops/op_pool.h"
#include "controller/mapping/block_ages.h"
#include "controller/reading/counters.h"
#include "controller/reading/page_read.h"
#include "controller/reading/read_timing_table.h"
#include "core/pool.h"

namespace nandscape::controller {

class DieLockedRetries;

// The retry of one page, with its die locked.
class DieLockedRetry {
 private:
  friend class DieLockedRetries;

  // Reads the steps of the page, one after the other.
  struct StepRead final : FlashOp {
    explicit StepRead(DieLockedRetries& retries) : owner(retries) {}
    void array_done(Tick now) override;
    void coded(Tick now) override;

    DieLockedRetries& owner;
    DieLockedRetry* of = nullptr;
    std::size_t attempt = 0;  // index of the page's attempt
    RecoveryStage stage = RecoveryStage::hard_retry;
  };
  // A feature or a reset.
  struct Control final : FlashOp {
    explicit Control(DieLockedRetries& retries) : owner(retries) {}
    void array_done(Tick now) override;

    DieLockedRetries& owner;
    DieLockedRetry* of = nullptr;
  };

  enum class Where : std::uint8_t { nowhere, on_die, decoding };
  struct Step {
    StepRead* command = nullptr;
    Where where = Where::nowhere;
  };

  PageRead* read_ = nullptr;   // the page's read; null once it has ended
  std::array<Step, 2> steps_;  // the second only if pipelined
  Control* control_ = nullptr;
  ReadStep first_;                        // first step, already chosen by the policy
  std::size_t earlier_ = 0;               // attempts before first_
  bool given_up_ = false;                 // the policy has no further step
  std::uint8_t precharge_reduction_ = 0;  // presently set in the die
  bool resetting_ = false;
  bool holds_die_ = true;
};

class DieLockedRetries {
 public:
  DieLockedRetries(FlashIo& io, FlashScheduler& scheduler, PageReader& reader, const RetryFacts& facts,
                   const BlockAges& ages, ReadRetryCounters& counters);

  // Starts with step `first` for a page that could not be decoded, and continues with the policy's steps.
  void start(PageRead& read, const ReadStep& first, Tick now);
  void die_locked(PageRead& read, Tick now);

 private:
  using StepRead = DieLockedRetry::StepRead;
  using Control = DieLockedRetry::Control;
  using Step = DieLockedRetry::Step;
  using Where = DieLockedRetry::Where;
  friend StepRead;
  friend Control;

  void sensed(StepRead& command, Tick now);
  void decoded(StepRead& command, Tick now);
  void control_done(Control& control, Tick now);
  static Step& step_of(DieLockedRetry& retry, const FlashOp& command);
  static bool any(const DieLockedRetry& retry, Where where);
  // Gives the step its command.
  void prepare(DieLockedRetry& retry, Step& step);
  // Sends the first step, and the steps that may follow at once.
  void send_steps(DieLockedRetry& retry, Tick now);
  // Sends further steps if no step is undecided, or if the newest is pipelined and there is room for another.
  void send_further(DieLockedRetry& retry, Tick now);
  void send(DieLockedRetry& retry, Step& step, const ReadStep& next, Tick now);
  void set_precharge(DieLockedRetry& retry, std::uint8_t reduction, Tick now);
  // All steps have failed and the policy has no more.
  void exhausted(DieLockedRetry& retry, Tick now);
  void end(DieLockedRetry& retry, Tick now);
  void clear_die(DieLockedRetry& retry, Tick now);
  void leave_die(DieLockedRetry& retry, Tick now);
  void release_if_over(DieLockedRetry& retry);

  FlashIo& io_;
  FlashScheduler& scheduler_;
  PageReader& reader_;
  const ReadTimingTable* const timing_;  // null unless the policy adapts the timing
  const BlockAges& ages_;
  ReadRetryCounters& counters_;
  Pool<DieLockedRetry> retries_;
  OpPool<StepRead, DieLockedRetries> step_reads_;
  OpPool<Control, DieLockedRetries> controls_;
};

}  // namespace nandscape::controller
