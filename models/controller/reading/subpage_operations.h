// SPDX-License-Identifier: Apache-2.0
// Single-operation reads of several subpages (SOML) that have their die to themselves until all of their subpages are
// decoded. Those that fail are read again together when the others are decoded, and nothing joins them; what is
// decoded early is answered for, while the die waits (Nie et al., section II-C, Figure 3).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "controller/flash_ops/scheduler/flash_scheduler.h"
#include "controller/reading/page_read.h"
#include "core/pool.h"

namespace nandscape {

// One of them.
class SubpageOperation {
 private:
  friend class SubpageOperations;

  std::array<FlashOp*, subpages_per_page> unfinished_{};  // that failed in this round
  std::uint32_t unfinished_count_ = 0;
  std::uint32_t undecided_ = 0;  // read in this round, and not decoded yet
};

class SubpageOperations {
 public:
  explicit SubpageOperations(FlashScheduler& scheduler) : scheduler_(scheduler) {}

  // They go to their die, which is theirs from now on. All of them are SubpageReads.
  void start(std::span<FlashOp* const> group);
  // The read has failed, and is ready to be sent once more.
  void again(SubpageRead& read, Tick now);
  // There is nothing more to be done for the read, or not here.
  void leave(SubpageRead& read, Tick now);

 private:
  void decided(SubpageOperation& operation, const SubpageRead& last, Tick now);

  FlashScheduler& scheduler_;
  Pool<SubpageOperation> operations_;
};

}  // namespace nandscape
