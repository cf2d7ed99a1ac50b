// SPDX-License-Identifier: Apache-2.0
// Read-retries that lock their die until the page is decoded, which allows two optimisations (Park et al., ASPLOS 2021,
// section 6).
//
// Pipelined read-retry (PR2): while one step is transferred and decoded, the die already senses the next step by a
// cache read of the same page (equation 4). At most two steps are outstanding. When the page is decoded, the next step
// is no longer needed, and a reset ends it, which takes tRST. A reset would also abort a suspended program or erase. If
// there is one, the unneeded step runs to its end instead, and its data are not transferred.
//
// Adaptive read-retry (AR2): a SET FEATURE command shortens the precharge of all steps (equation 5), and another one
// restores the default at the end. The read-timing table gives the reduction for the P/E cycles and the retention age
// of the block. If no step succeeds, all steps are tried again with the default timing.
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

// The state of the retry of one page, while the retry locks the die.
class DieLockedRetry {
 private:
  friend class DieLockedRetries;

  // Reads the page with one step after another.
  struct StepRead final : FlashOp {
    explicit StepRead(DieLockedRetries& retries) : owner(retries) {}
    void array_done(Tick now) override;
    void coded(Tick now) override;

    DieLockedRetries& owner;
    DieLockedRetry* of = nullptr;
    std::size_t attempt = 0;  // index in the attempts of the page's read
    RecoveryStage stage = RecoveryStage::hard_retry;
  };
  // A SET FEATURE or RESET command.
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

  PageRead* read_ = nullptr;   // the page's read; null after the read has ended
  std::array<Step, 2> steps_;  // the second is used only by pipelined retries
  Control* control_ = nullptr;
  ReadStep first_;                        // the first step, which the policy has already chosen
  std::size_t earlier_ = 0;               // number of attempts before `first_`
  bool given_up_ = false;                 // the policy has no more steps
  std::uint8_t precharge_reduction_ = 0;  // reduction of the precharge that is now set in the die
  bool resetting_ = false;
  bool holds_die_ = true;
};

class DieLockedRetries {
 public:
  DieLockedRetries(FlashIo& io, FlashScheduler& scheduler, PageReader& reader, const RetryFacts& facts,
                   const BlockAges& ages, ReadRetryCounters& counters);

  // Starts the retry of a page that could not be decoded. The first step is `first`; the policy chooses the following
  // steps.
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
  // Acquires a read command for the step.
  void prepare(DieLockedRetry& retry, Step& step);
  // Sends the first step, and also the following steps that need not wait for its result.
  void send_steps(DieLockedRetry& retry, Tick now);
  // Sends more steps if no step is outstanding, or if the newest outstanding step is pipelined and a second one may
  // follow.
  void send_further(DieLockedRetry& retry, Tick now);
  void send(DieLockedRetry& retry, Step& step, const ReadStep& next, Tick now);
  void set_precharge(DieLockedRetry& retry, std::uint8_t reduction, Tick now);
  // Called when all steps have failed and the policy has no more. Tries all steps again if the timing was adapted;
  // otherwise ends the retry.
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
