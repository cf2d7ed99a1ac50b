// SPDX-License-Identifier: Apache-2.0
// Single-operation reads of several subpages (SOML) that have their die to themselves until all of their subpages are
// decoded. Those that fail are read again together when the others are decoded, and nothing joins them; what is
// decoded early is answered for, while the die waits (Nie et al., section II-C, Figure 3).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "controller/flash_ops/scheduler/flash_scheduler.h"
#include "controller/reading/grouped_reads.h"
#include "core/pool.h"

namespace nandscape::controller {

// One of them.
class LockedOperation final : public ReadGroup {
 private:
  friend class LockedSubpages;

  std::vector<FlashOp*> unfinished_;  // that failed in this round
  std::uint32_t undecided_ = 0;       // read in this round, and not decoded yet
};

class LockedSubpages final : public GroupedReads {
 public:
  explicit LockedSubpages(FlashScheduler& scheduler) : scheduler_(scheduler) {}

  // The die is theirs from now on.
  void gathered(std::span<FlashOp* const> group) override;
  void again(GroupedRead& read, Tick now) override;
  void leave(GroupedRead& read, Tick now) override;

 private:
  void decided(LockedOperation& operation, const FlashOp& last, Tick now);

  FlashScheduler& scheduler_;
  Pool<LockedOperation> operations_;
};

}  // namespace nandscape::controller
