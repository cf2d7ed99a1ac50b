// SPDX-License-Identifier: Apache-2.0
// How the controller finds its mapping again after a loss of power, and what it writes for that while there is power.
#include <algorithm>
#include <iterator>
#include <utility>

#include "controller/controller.h"

namespace nandscape {

void describe(const RecoveryCounters& c, StatisticsVisitor& v) {
  v.count("journal_pages", c.journal_pages, "pages programmed with records of trims");
  v.count("scanned_pages", c.scanned_pages, "pages whose tags were read at the latest power-up");
  v.real("recovery_us", us_from_ticks(c.time), "us", "time from the latest power-up to a mapping that is complete");
}

// --- finding out what the flash holds
// --------------------------------------------------------------------------------------

void Controller::recover(Tick now) {
  RecoveryScan::Client& client = *this;
  recovery_ = std::make_unique<Recovery>(layout_, stored_pages(), client, now);
  for (std::uint32_t plane = 0; plane < layout_.flash().planes(); ++plane) read_next_tag(PlaneId(plane), now);
}

void Controller::wait_for_recovery(PageAccess& access) {
  access.next = nullptr;
  (recovery_->first_waiting == nullptr ? recovery_->first_waiting : recovery_->last_waiting->next) = &access;
  recovery_->last_waiting = &access;
}

void Controller::read_tag(Ppn flash_page, std::span<std::uint64_t> tag, Tick now) {
  FlashTransaction& read = io_.acquire(Purpose::recovery_read);
  read.ppn = flash_page;
  FlashIo::set_address(read, layout_.flash_place(flash_page));
  read.command.tag = tag.empty() ? std::span(read.tag).first(2 * layout_.units_per_page()) : tag;
  read.command.bytes = path_.layout.codeword_bytes;  // the least that moves over the bus
  io_.read(read, now);
}

void Controller::read_next_tag(PlaneId flash_plane, Tick now) {
  if (const std::optional<Ppn> page = recovery_->scan.next(flash_plane)) read_tag(*page, {}, now);
}

void Controller::tag_read(FlashTransaction& read, Tick now) {
  Recovery& recovery = *recovery_;
  if (recovery.scan.complete()) {
    const Place place = layout_.flash_place(read.ppn);
    const BlockId block = layout_.holding(place.plane, place.block_of_plane);
    recovery.journal[block].take_in(journal_page(recovery.words));
    io_.release(read);
    read_journal(now);
    return;
  }
  const PlaneId plane = read.plane;
  recovery.scan.scanned(
      plane, {.erased = read.command.erased_page, .factory_bad = read.command.bad_block_mark, .tag = read.command.tag});
  io_.release(read);
  if (recovery.scan.complete()) {
    read_journal(now);
  } else {
    read_next_tag(plane, now);
  }
}

void Controller::found(Lpn lpn, Ppn place, bool lost) {
  if (const Ppn older = mapping_.find(lpn); older.valid()) blocks_.invalidate(older);
  blocks_.hold(place, lpn);
  mapping_.map(lpn, place);
  if (lost) {
    lost_.insert(lpn.value);
  } else {
    lost_.erase(lpn.value);
  }
}

void Controller::found_copy(Lpn lpn, Ppn place) {
  recovery_->copies.push_back({lpn, place, recovery_->scan.version(lpn)});
}

void Controller::block_scanned(BlockId flash_block, std::uint32_t programmed_pages) {
  const Geometry& flash = layout_.flash();
  const BlockId block = layout_.holding(flash.plane_of(flash_block), flash_block.value % flash.blocks_per_plane);
  std::uint32_t& most = recovery_->most_programmed[block.value];
  most = std::max(most, programmed_pages);
  if (--recovery_->members_left[block.value] != 0) return;
  if (most == 0) {
    blocks_.found_erased(block);
  } else {
    blocks_.found_programmed(block, layout_.mapping().pages_per_block);
  }
}

void Controller::journal_page_found(Ppn flash_page) { recovery_->journal_pages.push_back(flash_page); }

void Controller::fullpages_found(BlockId block) { blocks_.set_holds_fullpages(block); }

void Controller::read_journal(Tick now) {
  Recovery& recovery = *recovery_;
  if (recovery.journal_pages_read == recovery.journal_pages.size()) {
    finish_recovery(now);
    return;
  }
  read_tag(recovery.journal_pages[recovery.journal_pages_read++], recovery.words, now);
}

void Controller::finish_recovery(Tick now) {
  const std::unique_ptr<Recovery> recovery = std::move(recovery_);
  // What was there may be newer than all that was found elsewhere.
  mapping_lost_ = recovery->scan.finds_dead_plane();
  if (mapping_lost_) stop_writing(now);
  version_ = recovery->scan.newest_version();
  std::vector<TrimRecord> trims = adopt_journal(*recovery, now);
  std::ranges::stable_sort(trims, {}, &TrimRecord::version);
  for (const TrimRecord& trim : trims) {
    version_ = std::max(version_, trim.version);
    trimmed_.add(trim);
    for (std::uint64_t k = 0; k < trim.count; ++k) {
      const Lpn lpn(trim.first.value + k);
      const Ppn place = mapping_.find(lpn);
      if (!place.valid() || recovery->scan.version(lpn) > trim.version) continue;
      blocks_.invalidate(place);
      mapping_.unmap(lpn);
      lost_.erase(lpn.value);
    }
  }
  // All that was found is durable.
  trimmed_.prune([this](Lpn lpn) { return mapping_.find(lpn).valid(); });
  undo_moves(*recovery, now);
  if (layout_.members() == 1) resume_blocks(recovery->most_programmed);
  if (!survives_power_cut()) journal_.keep_ready();
  counters_.recovery.scanned_pages = recovery->scan.pages_read();
  counters_.recovery.time = now - recovery->begin;
  journal_.write(now);
  for (std::uint32_t plane = 0; plane < layout_.mapping().planes(); ++plane) collector_.check(PlaneId(plane), now);
  PageAccess* waiting = recovery->first_waiting;
  while (waiting != nullptr) submit(*std::exchange(waiting, waiting->next), now);
}

// Collection may have taken a plane's last block when the power failed. As long as none of the blocks whose data it holds
// was erased it can do without that block, and has it again to write to.
void Controller::undo_moves(const Recovery& recovery, Tick now) {
  std::map<BlockId, std::vector<Recovery::Copy>> copied;  // by the block that the mapping has them in
  for (const Recovery::Copy& copy : recovery.copies) {
    const Ppn place = mapping_.find(copy.lpn);
    if (!place.valid() || recovery.scan.version(copy.lpn) != copy.version) continue;
    const BlockId block = layout_.block_of(place);
    if (block != layout_.block_of(copy.place)) copied[block].push_back(copy);
  }
  for (auto& [block, copies] : copied) {
    if (blocks_.free_blocks(layout_.mapping().plane_of(block)) != 0) continue;
    std::ranges::sort(copies, {}, &Recovery::Copy::lpn);
    const auto again = std::ranges::unique(copies, {}, &Recovery::Copy::lpn);
    copies.erase(again.begin(), again.end());
    const bool all = std::ranges::all_of(copies, [&](const Recovery::Copy& copy) {
      return blocks_.state(layout_.block_of(copy.place)) == BlockTable::State::full;
    });
    if (!all || copies.size() != blocks_.valid_pages(block)) continue;
    for (const Recovery::Copy& copy : copies) {
      blocks_.invalidate(mapping_.find(copy.lpn));
      blocks_.hold(copy.place, copy.lpn);
      mapping_.map(copy.lpn, copy.place);
    }
    collector_.discard(block, now);
  }
}

// The records of the latest snapshot that is complete, and those after it. Blocks before it count no more; blocks of
// one that was begun later do not count yet, and what they say is still in the others.
std::vector<TrimRecord> Controller::adopt_journal(const Recovery& recovery, Tick now) {
  std::uint64_t complete = 0, begun = 0;
  for (const auto& [block, journal] : recovery.journal) {
    begun = std::max(begun, journal.snapshot);
    if (journal.complete) complete = std::max(complete, journal.snapshot);
  }
  std::vector<TrimRecord> records;
  std::vector<BlockId> blocks;
  BlockId open;
  std::uint32_t programmed_pages = 0;
  for (const auto& [block, journal] : recovery.journal) {
    const bool counts = complete != 0 && journal.snapshot == complete;
    if (counts) {
      std::ranges::copy_if(journal.records, std::back_inserter(records), [this](const TrimRecord& trim) {
        return trim.first.value < logical_pages_ && trim.count <= logical_pages_ - trim.first.value &&
               trim.count != 0 && trim.version <= most_version;
      });
    }
    // With a capacitor, a journal is written when the power fails, to blocks that are free until then.
    if (!counts || survives_power_cut()) {
      release_journal_block(block, now);
      continue;
    }
    blocks.push_back(block);
    if (recovery.most_programmed[block.value] == layout_.flash().pages_per_block) continue;
    open = block;
    programmed_pages = recovery.most_programmed[block.value];
  }
  journal_.resume(begun, std::move(blocks), open, programmed_pages);
  return records;
}

// Blocks that were being written go on to be: power that fails again and again must not use up the free ones. The one
// with the most room is for collection, which needs it most.
void Controller::resume_blocks(const std::vector<std::uint32_t>& programmed) {
  const Geometry& g = layout_.mapping();
  const std::uint32_t pages = layout_.flash().pages_per_block;
  std::vector<BlockId> begun;
  for (std::uint32_t p = 0; p < g.planes(); ++p) {
    const PlaneId plane(p);
    begun.clear();
    for (std::uint32_t index = 0; index < g.blocks_per_plane; ++index) {
      const BlockId block = g.block(plane, index);
      const bool full = blocks_.state(block) == BlockTable::State::full;
      if (full && programmed[block.value] != 0 && programmed[block.value] < pages) begun.push_back(block);
    }
    std::ranges::sort(begun, {}, [&](BlockId block) { return programmed[block.value]; });
    std::uint8_t stream = writer_.reserve_stream();
    for (std::size_t k = 0; k < begun.size() && k <= lasting_stream_; ++k) {
      const std::uint32_t count = programmed[begun[k].value];
      blocks_.reopen(begun[k], count * layout_.units_per_page(), stream);
      writer_.resume_block(stream, plane, begun[k], count);
      stream = static_cast<std::uint8_t>((stream + 1) % (lasting_stream_ + 1));
    }
  }
}

// --- what is written for it
// -------------------------------------------------------------------------------------------------

void Controller::save(Tick now) {
  saving_ = true;
  collector_.wait_for_durable_moves();
  collector_.halt();
  writer_.save();
  if (fullpages_) fullpages_->release(now);
  if (!trimmed_.empty()) journal_.demand_snapshot();
  journal_.write(now);
}

// What a plane moves while the power fails may take one block more than it has given back.
std::uint64_t Controller::save_room() const {
  const std::uint64_t free = blocks_.free_blocks();
  const std::uint64_t planes = layout_.mapping().planes();
  return free <= planes ? 0 : (free - planes) * blocks_.geometry().pages_per_block;
}

// Of what is being written, or could still be lost, an older version may come to count again, which was written after
// the trim or before it.
void Controller::collect_trims(std::vector<TrimRecord>& records) {
  std::vector<Lpn> on_their_way;
  const auto note = [&](const UnitWrite& unit) { on_their_way.push_back(unit.lpn); };
  writes_.for_each(note);
  writer_.for_each_undurable(note);
  std::ranges::sort(on_their_way);
  trimmed_.renew(version_, on_their_way);
  records = trimmed_.records();
}

BlockId Controller::take_journal_block(bool replaces, Tick now) {
  PlaneId best(0);
  for (std::uint32_t plane = 1; plane < layout_.mapping().planes(); ++plane) {
    if (blocks_.free_blocks(PlaneId(plane)) > blocks_.free_blocks(best)) best = PlaneId(plane);
  }
  // The reserve is for collection, which would not make room without it, as long as there is any.
  const bool no_collection = saving_ || collector_.stopped();
  const bool may_take = replaces || no_collection || collector_.host_may_take_block(best);
  const BlockId block = may_take ? blocks_.take_free(best) : BlockId();
  if (!block.valid()) return block;
  blocks_.set_state(block, BlockTable::State::journal);
  collector_.check(best, now);
  return block;
}

void Controller::release_journal_block(BlockId block, Tick now) { collector_.discard(block, now); }

// What is waiting for the journal is what it waits for. If no block will ever come free, trims are not made durable.
void Controller::journal_waits(Tick now) {
  if (collector_.stopped()) {
    for (Flush& flush : flushes_) {
      if (std::exchange(flush.trims, false)) flush.access->status = AccessStatus::write_protected;
    }
    page_durable(now);
  }
  for (const BlockId block : std::exchange(erases_waiting_, {})) send_erase(block, now);
}

void Controller::trims_durable(Tick now) {
  for (Flush& flush : flushes_) flush.trims = false;
  for (const BlockId block : std::exchange(erases_waiting_, {})) send_erase(block, now);
  page_durable(now);
}

}  // namespace nandscape
