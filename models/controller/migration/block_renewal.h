// SPDX-License-Identifier: Apache-2.0
// Renews blocks in place instead of emptying them. When a block must be refreshed, some of its pages may stay in the
// block. The collector processes the block like any victim, except that pages that stay are copied to memory instead of
// being moved. After all other pages have been moved, the renewal makes the pages that stay reliable again, for example
// by adjusting the voltages of their wordlines.
#pragma once

#include <cstdint>

#include "controller/migration/garbage_collection/garbage_collector.h"
#include "controller/reading/page_copies.h"
#include "core/archive.h"
#include "core/statistics.h"

namespace nandscape::controller {

struct RenewalCounters {
  std::uint64_t blocks = 0;
  std::uint64_t valid_pages = 0;
  std::uint64_t moved_pages = 0;
  std::uint64_t adjusted_wordlines = 0;
  std::uint64_t read_back_pages = 0;
  std::uint64_t written_back_pages = 0;
  std::uint64_t failed_wordlines = 0;
  std::uint64_t reads_of_copies = 0;
};
void describe(const RenewalCounters& counters, StatisticsVisitor& visitor);

class BlockRenewal {
 public:
  virtual ~BlockRenewal() = default;

  // Returns whether some pages of the block stay. If so, the collector renews the block instead of emptying it.
  virtual bool renews(Superblock block, Reason reason, Tick now) = 0;
  // If the page that begins at `first_unit` stays in the block, starts to copy it. Returns the number of steps begun;
  // GarbageCollector::step_ended() is called at the end of each step. Returns 0 if the page does not stay, so that its
  // data must be moved.
  virtual std::uint32_t copy(Ppa first_unit, Tick now) = 0;
  // Called when all pages have been copied or moved and no command to the block is pending, and again after the steps
  // that it has begun. Returns the number of steps begun, or 0 if the renewal is complete.
  virtual std::uint32_t go_on(Superblock block, Tick now) = 0;
  virtual void ended(Superblock block, Tick now) = 0;
  // Abandons the renewal and leaves the block as it is. Steps that have already begun still end with a call of
  // step_ended().
  virtual void give_up(Superblock block) = 0;

  virtual PageCopies& copies() = 0;
  virtual RenewalCounters counters() const = 0;
  virtual void persist(Archive& archive) = 0;
  virtual void persist_counters(Archive& archive) = 0;
};

}  // namespace nandscape::controller
