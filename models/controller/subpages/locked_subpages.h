// SPDX-License-Identifier: Apache-2.0
// Single-operation reads of several subpages (SOML) that lock their die until all of their subpages are decoded. Reads
// that fail are sent again together once the others are decoded, and no other read joins them. Subpages that are
// decoded early are answered while the die waits (Nie et al., section II-C, Figure 3).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "controller/flash_ops/scheduler/flash_scheduler.h"
#include "controller/reading/page_read.h"
#include "core/pool.h"

namespace nandscape::controller {

// One such operation.
class LockedOperation final : public ReadGroup {
 private:
  friend class LockedSubpages;

  std::vector<FlashOp*> unfinished_;  // reads that failed in this round
  std::uint32_t undecided_ = 0;       // reads of this round not yet decoded
};

class LockedSubpages final : public GroupedReads {
 public:
  explicit LockedSubpages(FlashScheduler& scheduler) : scheduler_(scheduler) {}

  // The reads lock the die from now on.
  void gathered(std::span<FlashOp* const> group) override;
  void again(GroupedRead& read, Tick now) override;
  void leave(GroupedRead& read, Tick now) override;

 private:
  void decided(LockedOperation& operation, const FlashOp& last, Tick now);

  FlashScheduler& scheduler_;
  Pool<LockedOperation> operations_;
};

}  // namespace nandscape::controller
