// SPDX-License-Identifier: Apache-2.0
#include "controller/garbage_collection/garbage_collector.h"

namespace nandscape {

void describe(const GarbageCollectionCounters& c, StatisticsVisitor& v) {
  v.count("victims", c.victims, "blocks collected");
  v.count("moved_pages", c.moved_pages, "valid pages moved");
  v.count("overtaken_pages", c.overtaken_pages, "moves in vain: the host overwrote the page meanwhile");
}

GarbageCollector::GarbageCollector(const GarbageCollectionParameters& parameters, BlockTable& blocks, Mover& mover)
    : parameters_(parameters),
      policy_(victim_registry().make(parameters.policy)),
      blocks_(blocks),
      mover_(mover),
      planes_(blocks.geometry().planes()) {}

void GarbageCollector::check(PlaneId plane, Tick now) {
  mover_.set_urgent(plane, !host_may_take_block(plane));
  PlaneState& state = planes_[plane.value];
  if (state.victim.valid() || blocks_.free_blocks(plane) >= parameters_.start_free_blocks) return;
  state.victim = policy_->choose(blocks_, plane);
  if (!state.victim.valid()) return;
  ++counters_.victims;
  state.next_page = 0;
  blocks_.set_state(state.victim, BlockTable::State::victim);
  move_on(plane, now);
}

void GarbageCollector::move_on(PlaneId plane, Tick now) {
  PlaneState& state = planes_[plane.value];
  const std::uint32_t pages = blocks_.geometry().pages_per_block;
  while (state.in_flight < parameters_.pages_in_flight && state.next_page < pages) {
    const Ppn source = blocks_.geometry().page(state.victim, state.next_page++);
    const Lpn lpn = blocks_.held_by(source);
    if (!lpn.valid()) continue;
    ++state.in_flight;
    mover_.move_page(source, lpn, now);
  }
  if (state.in_flight == 0 && state.next_page == pages && !blocks_.pinned(state.victim) &&
      blocks_.state(state.victim) == BlockTable::State::victim) {
    blocks_.set_state(state.victim, BlockTable::State::erasing);
    mover_.erase_block(state.victim, now);
  }
}

void GarbageCollector::page_moved(PlaneId plane, bool overtaken, Tick now) {
  ++counters_.moved_pages;
  counters_.overtaken_pages += overtaken;
  --planes_[plane.value].in_flight;
  move_on(plane, now);
}

void GarbageCollector::unpinned(BlockId block, Tick now) {
  const PlaneId plane = blocks_.geometry().plane_of(block);
  if (blocks_.state(block) == BlockTable::State::victim) {
    move_on(plane, now);
  } else {
    check(plane, now);  // it may be the victim that could not be had before
  }
}

void GarbageCollector::block_erased(BlockId block, Tick now) {
  const PlaneId plane = blocks_.geometry().plane_of(block);
  planes_[plane.value].victim = BlockId();
  blocks_.erased(block);
  check(plane, now);
}

}  // namespace nandscape
