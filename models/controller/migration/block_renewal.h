// SPDX-License-Identifier: Apache-2.0
// Renews blocks in place instead of emptying them: some pages of a block that is to be refreshed may stay where they
// are. The collector goes through the block as through any victim. Pages that stay are copied to memory meanwhile;
// after all other pages have moved, the renewal takes care of the pages that stay.
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

  // Whether pages of the block stay. If so, the collector renews the block instead of emptying it.
  virtual bool renews(Superblock block, Reason reason, Tick now) = 0;
  // Copies the page that begins at `first_unit` if the page stays. Returns the number of steps begun, each of which
  // ends with GarbageCollector::step_ended(); 0 if the page does not stay and its data must be moved.
  virtual std::uint32_t copy(Ppa first_unit, Tick now) = 0;
  // Called when all pages are copied or moved and no command to the block is pending. Returns the number of steps
  // begun; 0 if the renewal is complete.
  virtual std::uint32_t go_on(Superblock block, Tick now) = 0;
  virtual void ended(Superblock block, Tick now) = 0;
  // Leaves the block as it is. Steps that were begun still end.
  virtual void give_up(Superblock block) = 0;

  virtual PageCopies& copies() = 0;
  virtual RenewalCounters counters() const = 0;
  virtual void persist(Archive& archive) = 0;
  virtual void persist_counters(Archive& archive) = 0;
};

}  // namespace nandscape::controller
