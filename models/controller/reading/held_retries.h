// SPDX-License-Identifier: Apache-2.0
// Read-retries that have their die to themselves until the page is decoded (Park et al., ASPLOS 2021, section 6).
//
// Pipelined (PR2): while one step moves out and is decoded, the next one is sensed already, by a cache read of the same
// page (equation 4). At most two steps are under way or undecided. When one is decoded, the step that was begun for
// nothing is ended by a reset, which takes tRST; where a program or an erase is suspended, which a reset would abort,
// the step runs to its end, and is not fetched.
//
// With adapted timing (AR2): a feature shortens the precharge of all steps (equation 5), by what the table of read
// times has for the block's P/E cycles and retention, and sets it back at the end. When no step succeeds, all are tried
// once more at the default timing.
#pragma once

#include <array>
#include <cstdint>

#include "controller/flash_io.h"
#include "controller/reading/read_timing_table.h"
#include "controller/reading/retry_order.h"
#include "controller/refresh/block_age.h"
#include "core/pool.h"

namespace nandscape {

struct HeldRetryCounters {
  std::uint64_t needless_steps = 0;
  std::uint64_t shortened = 0;
  std::uint64_t fallbacks = 0;
};

// One of them.
class RetryOperation {
 public:
  void reset() { *this = RetryOperation{}; }

 private:
  friend class HeldRetries;

  enum class Where : std::uint8_t { nowhere, on_die, decoding };
  struct Step {
    FlashTransaction* command = nullptr;
    Where where = Where::nowhere;
  };

  FlashTransaction* read_ = nullptr;  // of the page; null once that is over
  std::array<Step, 2> steps_;         // in turns; the second one only when they are pipelined
  FlashTransaction* control_ = nullptr;
  RetryOrder order_;
  std::uint8_t precharge_reduction_ = 0;  // that the die has
  bool resetting_ = false;
  bool holds_die_ = true;
};

class HeldRetries {
 public:
  class Client {
   public:
    virtual BlockAge age_of(BlockId block, Tick now) const = 0;
    // The read holds what the last step gave.
    virtual void retry_ended(FlashTransaction& read, Tick now) = 0;

   protected:
    ~Client() = default;
  };

  // `timing` null: the default one.
  HeldRetries(FlashIo& io, FlashScheduler& scheduler, Client& client, HeldRetryCounters& counters, bool pipelined,
              const ReadTimingTable* timing)
      : io_(io), scheduler_(scheduler), client_(client), counters_(counters), pipelined_(pipelined), timing_(timing) {}

  // Of a page that could not be decoded; the steps are those that its order still has.
  void start(FlashTransaction& read, Tick now);
  void session_opened(FlashTransaction& read, Tick now);
  // Of a command of a retry.
  void done(FlashTransaction& command, Tick now);
  void decoded(FlashTransaction& step, Tick now);

 private:
  using Step = RetryOperation::Step;
  using Where = RetryOperation::Where;

  static Step& step_of(RetryOperation& retry, const FlashTransaction& command);
  static bool any(const RetryOperation& retry, Where where);
  void send_steps(RetryOperation& retry, Tick now);
  void send(RetryOperation& retry, Step& step, Tick now);
  void set_precharge(RetryOperation& retry, std::uint8_t reduction, Tick now);
  void control_done(RetryOperation& retry, Tick now);
  // All steps that are under way have failed, and there are no more.
  void exhausted(RetryOperation& retry, Tick now);
  void end(RetryOperation& retry, Tick now);
  void clear_die(RetryOperation& retry, Tick now);
  void leave_die(RetryOperation& retry, Tick now);
  void release_if_over(RetryOperation& retry);

  FlashIo& io_;
  FlashScheduler& scheduler_;
  Client& client_;
  HeldRetryCounters& counters_;
  const bool pipelined_;
  const ReadTimingTable* const timing_;
  Pool<RetryOperation> retries_;
};

}  // namespace nandscape
