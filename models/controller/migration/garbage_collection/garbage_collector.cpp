// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/garbage_collection/garbage_collector.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include "controller/migration/block_renewal.h"
#include "controller/migration/garbage_collection/victim_policy.h"

namespace nandscape::controller {

void describe(const GarbageCollectionCounters& c, StatisticsVisitor& v) {
  const auto emptied = [&c](Reason reason) { return c.emptied[static_cast<std::size_t>(reason)]; };
  v.count("victims", c.victims, "blocks collected");
  v.count("moved_units", c.moved_units, "valid mapping units moved, for any reason");
  v.count("overtaken_pages", c.overtaken_pages, "moves in vain: the host overwrote the page meanwhile");
  v.count("skipped_pages", c.skipped_pages, "pages read in vain: the host overwrote them before they were written");
  v.count("refreshed_blocks", emptied(Reason::refresh), "blocks emptied because of the age of their data");
  v.count("disturbed_blocks", emptied(Reason::read_disturb), "blocks emptied because they were read often");
  v.count("levelled_blocks", emptied(Reason::wear), "blocks emptied to level wear");
  v.count("erroneous_blocks", emptied(Reason::errors), "blocks emptied because of errors in pages read from them");
  v.count("folded_blocks", emptied(Reason::fold), "blocks of the SLC cache whose data were moved to ordinary blocks");
  v.count("failed_blocks", emptied(Reason::failure), "blocks emptied because a program in them had failed");
  v.count("retired_blocks", c.retired_blocks, "blocks retired");
}

GarbageCollector::GarbageCollector(const GarbageCollectionParameters& parameters, BlockTable& blocks, PlaneRoom& room,
                                   std::uint64_t seed, std::uint32_t units_per_page, bool moves_are_durable,
                                   std::uint32_t planes)
    : parameters_(parameters),
      policy_(victim_registry().make(parameters.policy, seed)),
      blocks_(blocks),
      room_(room),
      units_per_page_(units_per_page),
      most_in_flight_(parameters.pages_in_flight * planes * units_per_page),
      moves_are_durable_(moves_are_durable),
      planes_(blocks.geometry().planes()),
      requested_(blocks.geometry().blocks()) {}

void GarbageCollector::check(FtlPlane plane, Tick now) {
  PlaneState& state = planes_[plane];
  if (state.awaits_durable_moves && !host_awaits_durable_moves(plane)) {
    state.awaits_durable_moves = false;
    helpers_->writing.await_durable_moves(plane, false);
  }
  if (!state.victim.valid() && !stopped_ && !halted(state) && (start_requested(plane) || start_for_space(plane, now))) {
    state.renewed = renewal_ != nullptr && renewal_->renews(state.victim, state.reason, now);
    state.unread = false;
    if (!state.renewed) ++counters_.emptied[static_cast<std::size_t>(state.reason)];
    helpers_->mover.victim_chosen(state.victim, state.reason);
    state.next_page = 0;
    state.new_units = room_.new_units(plane);
    state.gain = blocks_.shape(state.victim).units() - blocks_.valid_pages(state.victim);
    blocks_.set_state(state.victim, BlockTable::State::victim);
    look_at_work(state, now);
    update_urgency(plane);
    move_on(plane, now);
  } else {
    if (!state.awaits_durable_moves && host_awaits_durable_moves(plane)) await_durable_moves(plane);
    update_urgency(plane);
  }
}

void GarbageCollector::await_durable_moves(FtlPlane plane) {
  planes_[plane].awaits_durable_moves = true;
  helpers_->writing.await_durable_moves(plane, true);
  helpers_->writing.make_moves_durable(plane);
}

inline void GarbageCollector::update_urgency(FtlPlane plane) {
  PlaneState& state = planes_[plane];
  const bool goes_first = !parameters_.preemptible && state.victim.valid() && state.reason == Reason::space;
  const bool urgent = goes_first || !host_may_take_block(plane);
  if (state.urgent == urgent) return;
  state.urgent = urgent;
  helpers_->writing.set_urgent(plane, urgent);
}

// While a victim is being emptied, the host may write at most as many pages as the victim gains, in proportion to the
// progress of the moves. Thus the host is always slowed down a little, instead of being stopped for a long time when no
// block is left.
bool GarbageCollector::host_may_write(FtlPlane plane) const {
  const PlaneState& state = planes_[plane];
  if (parameters_.pace == CollectionPace::free || !state.victim.valid() || state.reason != Reason::space) return true;
  const std::uint64_t pages = blocks_.shape(state.victim).units();
  const std::uint64_t emptied = state.next_page - std::min(state.next_page, state.in_flight);
  // One flash page is added to the progress, so that the host may still write another page when the victim has been
  // emptied completely.
  return (room_.new_units(plane) - state.new_units) * pages < state.gain * (emptied + units_per_page_);
}

inline bool GarbageCollector::start_for_space(FtlPlane plane, Tick now) {
  if (planes_[plane].erasing != 0) return false;
  if (free_for_data(plane) < parameters_.start_free_blocks) return choose_victim(plane, now);
  room_.gained(plane);
  return false;
}

bool GarbageCollector::choose_victim(FtlPlane plane, Tick now) {
  PlaneState& state = planes_[plane];
  if (room_.gains_nothing(plane)) {
    if (blocks_.valid_in_plane(plane) >= state.valid_in_vain) {
      helpers_->room.nothing_gained(plane, now);
      return false;
    }
    room_.gained(plane);  // data have been invalidated since the latest victim was chosen
  }
  // No victim is needed if a block has already been emptied and only waits for its last reads, because this block will
  // soon be erased. If moved data are not durable at once, however, the emptied block may wait for data that become
  // durable only after additional moves.
  if (!state.held_back.empty() && moves_are_durable_) return false;
  // If no free block is left, the moved data must fit into the open blocks. Then the block with the fewest valid pages
  // is chosen.
  const bool out_of_blocks = blocks_.free_blocks(plane) == 0;
  Superblock victim = first_victims_ == nullptr ? Superblock() : first_victims_->victim(plane);
  const Reason reason = victim.valid() ? Reason::fold : Reason::space;
  if (!victim.valid()) victim = out_of_blocks ? blocks_.emptiest(plane) : policy_->choose(blocks_, plane, now);
  if (!victim.valid()) {
    // Blocks with invalid pages may be pinned until the newer versions of these pages are durable. The writer can make
    // them durable by filling incomplete wordlines. This uses up as many pages as an emptied block gains, so it is done
    // only if the host has no block to write to.
    if (!moves_are_durable_ && !host_may_take_block(plane)) await_durable_moves(plane);
    return false;
  }
  state.victim = victim;
  state.reason = reason;
  room_.victim_taken(plane);
  state.valid_in_vain = blocks_.valid_in_plane(plane);
  ++counters_.victims;
  return true;
}

void GarbageCollector::empty(Superblock block, Reason reason, Tick now) {
  if (blocks_.state(block) == BlockTable::State::full && requested_[block] == 0) add_request(block, reason);
  check(blocks_.geometry().plane_of(block), now);
}

void GarbageCollector::add_request(Superblock block, Reason reason) {
  requested_[block] = ++requests_;
  PlaneState& state = planes_[blocks_.geometry().plane_of(block)];
  state.requests.push_back({block, reason, requests_});
}

// Starts the oldest request whose block can be emptied now. While the host may not take another block, only requests
// for failing blocks are started, because gaining free space is more urgent than the other requests.
bool GarbageCollector::start_requested(FtlPlane plane) {
  PlaneState& state = planes_[plane];
  if (state.requests.empty()) return false;
  // A request becomes invalid if its block has been emptied meanwhile.
  const auto valid = [this](const Request& r) { return r.number == requested_[r.block]; };
  while (!state.requests.empty() && !valid(state.requests.front())) state.requests.pop_front();
  const bool any = host_may_take_block(plane);
  const auto request = std::ranges::find_if(state.requests, [&](const Request& r) {
    return (any || r.reason == Reason::failure) && valid(r) && may_start(r.block);
  });
  if (request == state.requests.end()) return false;
  state.victim = request->block;
  state.reason = request->reason;
  requested_[request->block] = 0;
  state.requests.erase(request);
  room_.gained(plane);  // emptying the block may use up the space that earlier victims have gained
  return true;
}

void GarbageCollector::move_on(FtlPlane plane, Tick now) {
  PlaneState& state = planes_[plane];
  const Superblock victim = state.victim;
  if (halted(state)) return;
  const std::uint32_t pages = blocks_.shape(victim).units();
  // The limit is greater than the number of moved units that may wait for others to fill a flash page, so the moves
  // cannot come to a halt.
  while (state.in_flight < most_in_flight_ && state.next_page < pages) {
    const Ppa first_unit = blocks_.geometry().unit(victim, state.next_page);
    state.next_page += units_per_page_;
    state.in_flight += take_page(state, first_unit, now);
  }
  if (state.in_flight != 0 || state.next_page != pages || renewal_goes_on(state, now)) return;
  state.victim = Superblock();
  leave(victim, now);
  check(plane, now);
  look_at_work(state, now);
}

void GarbageCollector::look_at_work(PlaneState& state, Tick now) {
  const bool works = state.victim.valid() || state.erasing != 0;
  if (std::exchange(state.works, works) == works) return;
  planes_at_work_ += works ? 1 : -1;
  if (planes_at_work_ == (works ? 1 : 0) && work_listener_ != nullptr) work_listener_->collection_works(works, now);
}

std::uint32_t GarbageCollector::take_page(const PlaneState& state, Ppa first_unit, Tick now) {
  const std::uint32_t steps = state.renewed ? renewal_->copy(first_unit, now) : 0;
  return steps != 0 ? steps : move_page(first_unit, state.reason, now);
}

std::uint32_t GarbageCollector::move_page(Ppa first_unit, Reason reason, Tick now) {
  const std::uint32_t units = helpers_->mover.move_page(first_unit, reason, now);
  counters_.emptied_pages[static_cast<std::size_t>(reason)] += units != 0;
  counters_.emptied_units[static_cast<std::size_t>(reason)] += units;
  return units;
}

// Called when all pages of the victim have been copied or moved. Continues the renewal, and returns whether it is still
// in progress.
bool GarbageCollector::renewal_goes_on(PlaneState& state, Tick now) {
  if (!state.renewed) return false;
  const Superblock victim = state.victim;
  if (!state.unread && blocks_.pinned(victim)) return true;
  state.unread = true;
  state.in_flight += renewal_->go_on(victim, now);
  if (state.in_flight != 0) return true;
  state.renewed = false;
  blocks_.set_state(victim, BlockTable::State::full);
  renewal_->ended(victim, now);
  return false;
}

void GarbageCollector::leave(Superblock victim, Tick now) {
  if (blocks_.valid_pages(victim) != 0) {
    blocks_.set_state(victim, BlockTable::State::full);  // there was no free page for its remaining valid data
  } else if (blocks_.pinned(victim)) {
    const FtlPlane plane = blocks_.geometry().plane_of(victim);
    planes_[plane].held_back.push_back(victim);
    requested_[victim] = 0;
    // A block that is emptied for reason `guarantee` can no longer preserve its data. If power were lost before the
    // moved data are durable, the old copies in this block would become valid again. Therefore the new copies are made
    // durable now. They are also made durable as long as the host waits for the block.
    if (planes_[plane].reason == Reason::guarantee) helpers_->writing.make_moves_durable(plane);
    if (host_awaits_durable_moves(plane)) await_durable_moves(plane);
    if (first_victims_ != nullptr) first_victims_->held_back(victim, now);
  } else {
    discard(victim, now);
  }
}

void GarbageCollector::discard(Superblock block, Tick now) {
  requested_[block] = 0;
  if (blocks_.failing(block)) {
    blocks_.retire(block);
    ++counters_.retired_blocks;
    helpers_->room.block_retired(block, now);
  } else {
    blocks_.set_state(block, BlockTable::State::erasing);
    PlaneState& state = planes_[blocks_.geometry().plane_of(block)];
    ++state.erasing;
    look_at_work(state, now);
    helpers_->eraser.erase(block, now);
  }
}

void GarbageCollector::block_failed(Superblock block, Tick now) {
  if (blocks_.failing(block)) return;
  blocks_.set_failing(block);
  empty(block, Reason::failure, now);
}

void GarbageCollector::halt() {
  halted_ = true;
  for (const FtlPlane plane : planes_.places()) {
    PlaneState& state = planes_[plane];
    state.goes_on = false;
    state.kept = 0;  // data that are saved may use these blocks
    if (!std::exchange(state.renewed, false)) continue;
    renewal_->give_up(state.victim);
    state.next_page = 0;  // when collection resumes, it must also move the pages that would have stayed in the block
  }
}

void GarbageCollector::go_on_for_a_block(FtlPlane plane, Tick now) {
  PlaneState& state = planes_[plane];
  if (!halted_ || std::exchange(state.goes_on, true)) return;
  if (state.victim.valid()) {
    move_on(plane, now);
  } else {
    check(plane, now);
  }
}

void GarbageCollector::finish_victims(Tick now) {
  for (const FtlPlane plane : planes_.places()) {
    if (planes_[plane].victim.valid()) go_on_for_a_block(plane, now);
  }
}

bool GarbageCollector::at_rest() const {
  return std::all_of(planes_.begin(), planes_.end(), [](const PlaneState& plane) {
    return !plane.victim.valid() && plane.in_flight == 0 && plane.erasing == 0 && plane.held_back.empty();
  });
}

void GarbageCollector::list_waiting(std::ostream& out) const {
  if (stopped_) out << "collection has ended\n";
  if (halted_) out << "collection is halted\n";
  for (const FtlPlane plane : planes_.places()) {
    const PlaneState& state = planes_[plane];
    out << "plane " << plane.value << ": free blocks " << blocks_.free_blocks(plane) << " of "
        << blocks_.good_blocks(plane) << ", valid units " << blocks_.valid_in_plane(plane);
    if (state.victim.valid()) {
      out << ", victim " << state.victim.value << " at " << state.next_page << " with "
          << blocks_.valid_pages(state.victim) << " valid, " << state.in_flight << " moving";
    }
    if (state.erasing != 0) out << ", erasing " << state.erasing;
    if (!state.held_back.empty()) out << ", emptied and pinned " << state.held_back.size();
    const std::size_t asked_for = state.requests.size();
    if (asked_for != 0) out << ", asked for " << asked_for;
    if (room_.gains_nothing(plane)) out << ", given up after " << room_.victims_in_vain(plane) << " victims in vain";
    out << "\n";
  }
}

void GarbageCollector::persist(Archive& archive) {
  archive.section("garbage collection");
  archive(stopped_);
  const FtlGeometry& geometry = blocks_.geometry();
  if (archive.loading()) std::ranges::fill(requested_, 0);
  for (const FtlPlane plane : planes_.places()) {
    std::vector<Request> requests;
    for (const Request& request : planes_[plane].requests) {
      if (request.number == requested_[request.block]) requests.push_back(request);
    }
    if (archive.loading()) planes_[plane].requests.clear();
    archive.list(requests, geometry.blocks_per_plane(), "requests to empty a block", [&](Request& request) {
      archive.index(request.block, geometry.blocks(), "the block to be emptied");
      archive.enumeration(request.reason, Reason::failure, "the reason to empty a block");
      archive.require(geometry.plane_of(request.block) == plane, "a block to be emptied is of another plane");
    });
    if (!archive.loading()) continue;
    for (const Request& asked : requests) add_request(asked.block, asked.reason);
  }
  archive.variant(parameters_.policy.name, [this](Archive& state) { policy_->persist(state); });
}

void GarbageCollector::page_moved(Superblock source, MoveEnd end, Tick now) {
  counters_.moved_units += end != MoveEnd::not_written;
  counters_.overtaken_pages += end == MoveEnd::overtaken;
  counters_.skipped_pages += end == MoveEnd::not_written;
  const FtlPlane plane = blocks_.geometry().plane_of(source);
  --planes_[plane].in_flight;
  move_on(plane, now);
  if (parameters_.pace == CollectionPace::balanced) helpers_->writing.host_may_go_on(plane, now);
}

void GarbageCollector::step_ended(Superblock block, Tick now) {
  const FtlPlane plane = blocks_.geometry().plane_of(block);
  --planes_[plane].in_flight;
  move_on(plane, now);
}

void GarbageCollector::unpinned(Superblock block, Tick now) {
  const FtlPlane plane = blocks_.geometry().plane_of(block);
  if (!wants_nothing(plane)) wanted_block_unpinned(plane, block, now);
}

void GarbageCollector::wanted_block_unpinned(FtlPlane plane, Superblock block, Tick now) {
  PlaneState& state = planes_[plane];
  if (!state.held_back.empty() && std::erase(state.held_back, block) != 0) {
    if (blocks_.valid_pages(block) != 0) {
      blocks_.set_state(block, BlockTable::State::full);  // there was no free page for some of the moved data
    } else {
      discard(block, now);
    }
  }
  if (state.renewed && state.victim == block && state.in_flight == 0) return move_on(plane, now);
  check(plane, now);  // garbage collection may have been waiting for this block
  // If no block of the plane can be emptied, the data that the host is waiting to write must be written to another
  // plane.
  if (!state.victim.valid() && state.erasing == 0 && !host_may_take_block(plane))
    helpers_->writing.host_may_go_on(plane, now);
}

void GarbageCollector::block_erased(Superblock block, bool erased, Tick now) {
  const FtlPlane plane = blocks_.geometry().plane_of(block);
  --planes_[plane].erasing;
  planes_[plane].goes_on = false;
  if (erased) {
    blocks_.erased(block);
  } else {
    blocks_.retire(block);
    ++counters_.retired_blocks;
    helpers_->room.block_retired(block, now);
  }
  check(plane, now);
  look_at_work(planes_[plane], now);
}

}  // namespace nandscape::controller
