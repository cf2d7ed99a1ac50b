// SPDX-License-Identifier: Apache-2.0
// Empties blocks: picks a victim when a plane runs low on free blocks, moves its valid pages to another block of the
// plane, erases it. Each plane collects on its own.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "controller/garbage_collection/victim_policy.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/mapping_table.h"
#include "controller/parameters.h"
#include "core/statistics.h"

namespace nandscape {

struct GarbageCollectionCounters {
  std::uint64_t victims = 0;
  std::uint64_t moved_pages = 0;
  std::uint64_t overtaken_pages = 0;
};
void describe(const GarbageCollectionCounters& counters, StatisticsVisitor& visitor);

class GarbageCollector {
 public:
  // Who carries the work out.
  class Mover {
   public:
    // Reads the page and programs it elsewhere on its plane; then calls page_moved().
    virtual void move_page(Ppn source, Lpn lpn, Tick now) = 0;
    // Erases the block; then calls block_erased().
    virtual void erase_block(BlockId block, Tick now) = 0;
    // The host can, or cannot, write to the plane without a block made free.
    virtual void set_urgent(PlaneId plane, bool urgent) = 0;

   protected:
    ~Mover() = default;
  };

  GarbageCollector(const GarbageCollectionParameters& parameters, BlockTable& blocks, Mover& mover);

  // Starts collecting the plane if it is low on free blocks.
  void check(PlaneId plane, Tick now);

  // The move of a page of the plane's victim is over; `overtaken` when the host overwrote the page meanwhile.
  void page_moved(PlaneId plane, bool overtaken, Tick now);
  // No command is on its way to the block any more; collecting or erasing it may have waited for that.
  void unpinned(BlockId block, Tick now);
  void block_erased(BlockId block, Tick now);

  // Whether the host may take a free block of the plane.
  bool host_may_take_block(PlaneId plane) const { return blocks_.free_blocks(plane) > parameters_.reserved_blocks; }
  const GarbageCollectionCounters& counters() const { return counters_; }

 private:
  struct PlaneState {
    BlockId victim;
    std::uint32_t next_page = 0;  // of the victim, to be looked at
    std::uint32_t in_flight = 0;
  };

  void move_on(PlaneId plane, Tick now);

  const GarbageCollectionParameters parameters_;
  std::unique_ptr<VictimPolicy> policy_;
  BlockTable& blocks_;
  Mover& mover_;
  std::vector<PlaneState> planes_;
  GarbageCollectionCounters counters_;
};

}  // namespace nandscape
