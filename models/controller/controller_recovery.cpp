// SPDX-License-Identifier: Apache-2.0
// How the controller finds its mapping again after a loss of power, and what it writes for that while there is power.
#include <algorithm>
#include <bit>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "controller/controller.h"

namespace nandscape {

void describe(const RecoveryCounters& c, StatisticsVisitor& v) {
  v.count("journal_pages", c.journal_pages, "pages programmed with records of trims");
  v.count("checkpoint_pages", c.checkpoint_pages, "pages of the mapping's checkpoint that were written");
  v.count("scanned_pages", c.scanned_pages, "pages whose tags were read at the latest power-up");
  v.real("recovery_us", us_from_ticks(c.time), "us", "time from the latest power-up to a mapping that is complete");
}

// --- the checkpoint
// --------------------------------------------------------------------------------------------------------

bool Controller::keeps_checkpoints(const ControllerParameters& p) {
  return p.power_loss.mapping_checkpoints && !p.garbage_collection.copyback;
}

// Of the mapping an entry for each unit, or, where the mapping is on flash, for each translation page; a word for each
// block.
std::uint64_t Controller::checkpoint_pages() const {
  const std::uint64_t entries = mapping_cache_.enabled() ? mapping_cache_.translation_pages() : logical_pages_;
  const auto page_number_bytes = (static_cast<std::uint32_t>(std::bit_width(layout_.mapping().pages())) + 7) / 8;
  const std::uint32_t entry_bytes = std::max(parameters_.mapping.cache.entry_bytes, page_number_bytes);
  const std::uint64_t bytes = entries * entry_bytes + layout_.flash().blocks() * sizeof(std::uint32_t);
  const std::uint32_t page_bytes = layout_.flash().page_bytes;
  return (bytes + page_bytes - 1) / page_bytes;
}

// The drive does nothing else, so that arrays and buses are busy from the first page to the last: whichever of the two
// takes longer, and a page's way through the other.
Tick Controller::checkpoint_time(Tick array) const {
  const std::uint64_t pages = checkpoint_pages();
  const auto rounds = [pages](std::uint64_t side_by_side) { return (pages + side_by_side - 1) / side_by_side; };
  const Tick arrays = rounds(layout_.flash().planes()) * array;
  const Tick buses = rounds(layout_.flash().channels) * path_.page_times.bus;
  return std::max(arrays + path_.page_times.bus, buses + array);
}

void Controller::persist_mapping(Archive& archive) {
  archive.section("checkpoint of the mapping");
  mapping_.persist(archive);
  blocks_.persist(archive);
  archive.number(version_, most_version, "the newest version");
  trimmed_.persist(archive, logical_pages_, version_);
  persist_lost(archive);
}

// None of a mapping that is lost: each power-up finds that out once more.
void Controller::write_checkpoint(Tick now) {
  if (!keeps_checkpoints(parameters_) || mapping_lost_) return;
  if (!settled()) throw std::logic_error("a checkpoint of the mapping is written while the controller is at work");
  calendar_.schedule<&Controller::checkpoint_written>(now + checkpoint_time(path_.page_times.program), *this, true);
}

void Controller::checkpoint_written(std::uint64_t complete) {
  counters_.recovery.checkpoint_pages += checkpoint_pages();
  Archive archive;
  persist_mapping(archive);
  if (complete != 0) journal_.persist(archive);
  checkpoint_ = {archive.take(), complete != 0};
  if (recovering()) end_recovery(calendar_.now());
}

void Controller::load_checkpoint(bool complete) {
  if (checkpoint_.state.empty()) return;
  Archive archive(checkpoint_.state);
  persist_mapping(archive);
  check_mapping(archive);
  if (complete) journal_.persist(archive);
}

// --- finding out what the flash holds
// --------------------------------------------------------------------------------------

void Controller::recover(Tick now, std::function<void()> recovered) {
  Tick ready = now;
  std::optional<std::uint64_t> known_version;
  const bool complete = std::exchange(checkpoint_.complete, false);
  if (keeps_checkpoints(parameters_)) {
    load_checkpoint(complete);
    known_version = version_;
    ready += checkpoint_time(path_.page_times.read);
  }
  RecoveryScan::Client& client = *this;
  recovery_ = std::make_unique<Recovery>(layout_, stored_pages(), client, now, known_version);
  recovery_->ended = std::move(recovered);
  calendar_.schedule<&Controller::checkpoint_read>(ready, *this, complete);
}

void Controller::checkpoint_read(std::uint64_t complete) {
  const Tick now = calendar_.now();
  if (complete != 0) {
    resume_known_blocks();
    if (survives_power_cut()) recovery_->outdated_journal = journal_.give_up();
    end_recovery(now);
    return;
  }
  recovery_->scan_begin = now;
  blocks_.forget_free();
  if (recovery_->scan.complete()) {
    read_journal(now);
    return;
  }
  for (std::uint32_t die = 0; die < layout_.flash().dies(); ++die) read_next_tags(DieId(die), now);
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

// Pages of the same number on several planes go in one operation.
void Controller::read_next_tags(DieId die, Tick now) {
  const std::uint32_t planes = layout_.flash().planes_per_die;
  scheduler_.hold();
  for (std::uint32_t k = 0; k < planes; ++k) {
    const std::optional<Ppn> page = recovery_->scan.next(PlaneId(die.value * planes + k));
    if (!page) continue;
    ++recovery_->reads_left[die.value];
    read_tag(*page, {}, now);
  }
  scheduler_.send_held(now);
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
  const DieId die = layout_.flash().die_of(plane);
  if (--recovery.reads_left[die.value] != 0) return;
  if (recovery.scan.complete()) {
    read_journal(now);
  } else {
    read_next_tags(die, now);
  }
}

RecoveryScan::KnownBlock Controller::known_of(BlockId flash_block) const {
  if (!keeps_checkpoints(parameters_)) return {};
  const Geometry& flash = layout_.flash();
  const BlockId block = layout_.holding(flash.plane_of(flash_block), flash_block.value % flash.blocks_per_plane);
  RecoveryScan::KnownBlock known{.stamp = stamp_of(blocks_.erase_count(block))};
  switch (blocks_.state(block)) {
    case BlockTable::State::free:
    case BlockTable::State::journal:
    case BlockTable::State::unknown: break;
    case BlockTable::State::retired: known.retired = true; break;
    case BlockTable::State::open:
      // Over layers, none is written on after a power-up.
      known.pages = layout_.over_layers() ? flash.pages_per_block : blocks_.next_page(block) / layout_.units_per_row();
      break;
    case BlockTable::State::full:
    case BlockTable::State::victim:
    case BlockTable::State::erasing: known.pages = flash.pages_per_block; break;
  }
  return known;
}

void Controller::block_changed(BlockId flash_block) {
  const Geometry& flash = layout_.flash();
  const BlockId block = layout_.holding(flash.plane_of(flash_block), flash_block.value % flash.blocks_per_plane);
  if (!recovery_->changed[block.value]) blocks_.found_changed(block);
  recovery_->changed[block.value] = true;
  for (std::uint32_t page = 0; page < flash.pages_per_block; ++page) {
    const Ppn first_unit = layout_.of_flash_page(flash.page(flash_block, page));
    for (std::uint32_t k = 0; first_unit.valid() && k < layout_.units_per_page(); ++k) {
      const Ppn unit(first_unit.value + k);
      const Lpn lpn = blocks_.held_by(unit);
      if (!lpn.valid()) continue;
      blocks_.invalidate(unit);
      mapping_.unmap(lpn);
      lost_.erase(lpn.value);
    }
  }
}

void Controller::stamp_found(BlockId flash_block, std::uint32_t stamp) {
  if (!keeps_checkpoints(parameters_)) return;
  const Geometry& flash = layout_.flash();
  recovery_->stamps[layout_.holding(flash.plane_of(flash_block), flash_block.value % flash.blocks_per_plane).value] =
      stamp;
}

void Controller::found(Lpn lpn, Ppn place, bool lost) {
  // The checkpoint is of another drive than the flash if it says that the place holds something else.
  if (const Lpn known = blocks_.held_by(place); known.valid() && known != lpn) {
    blocks_.invalidate(place);
    mapping_.unmap(known);
  }
  if (blocks_.filled(layout_.block_of(place))) blocks_.found_changed(layout_.block_of(place));
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
  recovery_->copies.push_back({lpn, place, recovery_->scan.version(lpn), false});
}

void Controller::found_moved(Lpn lpn) {
  const Ppn place = mapping_.find(lpn);
  if (place.valid()) recovery_->copies.push_back({lpn, place, recovery_->scan.version(lpn), true});
}

void Controller::block_scanned(BlockId flash_block, std::uint32_t programmed_pages) {
  const Geometry& flash = layout_.flash();
  const BlockId block = layout_.holding(flash.plane_of(flash_block), flash_block.value % flash.blocks_per_plane);
  std::uint32_t& most = recovery_->most_programmed[block.value];
  most = std::max(most, programmed_pages);
  std::uint32_t& least = recovery_->least_programmed[block.value];
  least = std::min(least, programmed_pages);
  if (--recovery_->members_left[block.value] != 0) return;
  if (const auto stamp = recovery_->stamps[block.value]) blocks_.found_stamp(block, *stamp);
  // One that is failing is given up as soon as the drive goes on, erased or not.
  if (most == 0 && !blocks_.failing(block)) {
    blocks_.found_erased(block, recovery_->changed[block.value]);
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
  Recovery& recovery = *recovery_;
  // What was there may be newer than all that was found elsewhere.
  mapping_lost_ = recovery.scan.finds_dead_plane();
  if (mapping_lost_) stop_writing(now);
  const std::uint64_t known_version = version_;
  version_ = std::max(version_, recovery.scan.newest_version());
  std::vector<TrimRecord> trims = adopt_journal(recovery);
  std::ranges::stable_sort(trims, {}, &TrimRecord::version);
  for (const TrimRecord& trim : trims) {
    if (keeps_checkpoints(parameters_) && trim.version <= known_version) continue;
    version_ = std::max(version_, trim.version);
    trimmed_.add(trim);
    trim_again(trim);
  }
  // All that was found is durable.
  trimmed_.prune([this](Lpn from, Lpn end) { return mapping_.next_mapped(from, end); });
  undo_moves(recovery);
  // Of a superblock, only one whose members stand at the same row.
  std::vector<std::uint32_t>& programmed = recovery.most_programmed;
  for (std::size_t k = 0; k < programmed.size(); ++k) {
    if (recovery.least_programmed[k] != programmed[k]) programmed[k] = layout_.flash().pages_per_block;
  }
  resume_blocks(programmed);
  if (!survives_power_cut()) journal_.keep_ready();
  // The next power-up shall not take as long again.
  const Tick writing = checkpoint_time(path_.page_times.program);
  if (keeps_checkpoints(parameters_) && !mapping_lost_ && now - recovery.scan_begin > writing) {
    calendar_.schedule<&Controller::checkpoint_written>(now + writing, *this, false);
  } else {
    end_recovery(now);
  }
}

// The units hold nothing, unless what was found of them is newer.
void Controller::trim_again(const TrimRecord& trim) {
  struct Newer {
    Lpn lpn;
    Ppn place;
    bool lost;
  };
  std::vector<Newer> newer;
  const Lpn end(trim.first.value + trim.count);
  const bool whole = is_whole_mapping(trim.first, trim.count);
  const auto keep = [&](Lpn lpn, Ppn place) { newer.push_back({lpn, place, lost_.contains(lpn.value)}); };
  if (whole) {
    recovery_->scan.versions_found().for_each([&](Lpn lpn, std::uint64_t version) {
      const Ppn place = mapping_.find(lpn);
      if (version > trim.version && place.valid()) keep(lpn, place);
    });
    blocks_.invalidate_all();
    lost_.clear();
  } else {
    for (Lpn lpn = mapping_.next_mapped(trim.first, end); lpn < end;
         lpn = mapping_.next_mapped(Lpn(lpn.value + 1), end)) {
      const Ppn place = mapping_.find(lpn);
      if (recovery_->scan.version(lpn) > trim.version) {
        keep(lpn, place);
      } else {
        blocks_.invalidate(place);
        lost_.erase(lpn.value);
      }
    }
  }
  mapping_.unmap(trim.first, trim.count);
  for (const Newer& unit : newer) {
    if (whole) blocks_.hold(unit.place, unit.lpn);
    mapping_.map(unit.lpn, unit.place);
    if (unit.lost) lost_.insert(unit.lpn.value);
  }
}

void Controller::end_recovery(Tick now) {
  const std::unique_ptr<Recovery> recovery = std::move(recovery_);
  counters_.recovery.scanned_pages = recovery->scan.pages_read();
  counters_.recovery.time = now - recovery->begin;
  for (const BlockId block : recovery->outdated_journal) release_journal_block(block, now);
  for (const BlockId block : recovery->undone) collector_.discard(block, now);
  if (blocks_.good_blocks() != layout_.mapping().blocks()) check_room(now);
  for (std::uint32_t block = 0; block < layout_.mapping().blocks(); ++block) {
    if (blocks_.failing(BlockId(block))) collector_.empty(BlockId(block), Reason::failure, now);
  }
  journal_.write(now);
  for (std::uint32_t plane = 0; plane < layout_.mapping().planes(); ++plane) collector_.check(PlaneId(plane), now);
  PageAccess* waiting = recovery->first_waiting;
  while (waiting != nullptr) submit(*std::exchange(waiting, waiting->next), now);
  if (recovery->ended) recovery->ended();
}

// Collection may have taken a plane's last block when the power failed. As long as none of the blocks whose data it
// holds was erased it can do without that block, and has it again to write to.
void Controller::undo_moves(Recovery& recovery) {
  std::map<BlockId, std::vector<Recovery::Copy>> copied;  // by the block that the mapping has them in
  for (const Recovery::Copy& copy : recovery.copies) {
    const Ppn place = mapping_.find(copy.lpn);
    if (!place.valid() || recovery.scan.version(copy.lpn) != copy.version) continue;
    if (copy.of_checkpoint && recovery.changed[layout_.block_of(copy.place).value]) continue;
    const BlockId block = layout_.block_of(place);
    if (block != layout_.block_of(copy.place)) copied[block].push_back(copy);
  }
  for (auto& [block, copies] : copied) {
    if (blocks_.free_blocks(layout_.mapping().plane_of(block)) != 0) continue;
    std::ranges::sort(copies, {}, &Recovery::Copy::lpn);
    const auto same_unit = [](const Recovery::Copy& a, const Recovery::Copy& b) { return a.lpn == b.lpn; };
    copies.erase(std::unique(copies.begin(), copies.end(), same_unit), copies.end());
    const bool all = std::ranges::all_of(copies, [&](const Recovery::Copy& copy) {
      const BlockId of = layout_.block_of(copy.place);
      return blocks_.state(of) == BlockTable::State::full && std::ranges::count(recovery.undone, of) == 0;
    });
    if (!all || copies.size() != blocks_.valid_pages(block)) continue;
    for (const Recovery::Copy& copy : copies) {
      blocks_.invalidate(mapping_.find(copy.lpn));
      blocks_.hold_again(copy.place, copy.lpn);
      mapping_.map(copy.lpn, copy.place);
    }
    recovery.undone.push_back(block);
  }
}

// The records of the latest snapshot that is complete, and those after it. Blocks before it count no more; blocks of
// one that was begun later do not count yet, and what they say is still in the others.
std::vector<TrimRecord> Controller::adopt_journal(Recovery& recovery) {
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
      recovery.outdated_journal.push_back(block);
      recovery.most_programmed[block.value] = layout_.flash().pages_per_block;  // nothing more is written to it
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

// After a checkpoint that knows everything.
void Controller::resume_known_blocks() {
  std::vector<std::uint32_t> programmed(layout_.mapping().blocks());
  for (std::uint32_t k = 0; k < layout_.mapping().blocks(); ++k) {
    const BlockId block(k);
    if (blocks_.state(block) != BlockTable::State::open) continue;
    programmed[k] = blocks_.next_page(block) / layout_.units_per_row();
    blocks_.found_programmed(block, layout_.mapping().pages_per_block);
  }
  resume_blocks(programmed);
}

// Blocks that were being written go on to be: power that fails again and again must not use up the free ones. The one
// with the most room is for collection, which needs it most.
void Controller::resume_blocks(const std::vector<std::uint32_t>& programmed) {
  if (layout_.over_layers()) return;
  const Geometry& g = layout_.mapping();
  const std::uint32_t pages = layout_.flash().pages_per_block;
  std::vector<BlockId> begun;
  for (std::uint32_t p = 0; p < g.planes(); ++p) {
    const PlaneId plane(p);
    begun.clear();
    for (std::uint32_t index = 0; index < g.blocks_per_plane; ++index) {
      const BlockId block = g.block(plane, index);
      // What was undone of it goes to be erased.
      const bool undone = std::ranges::find(recovery_->undone, block) != recovery_->undone.end();
      const bool full = blocks_.state(block) == BlockTable::State::full && !undone && !blocks_.failing(block);
      if (full && programmed[block.value] != 0 && programmed[block.value] < pages) begun.push_back(block);
    }
    std::ranges::sort(begun, {}, [&](BlockId block) { return programmed[block.value]; });
    std::uint8_t stream = writer_.reserve_stream();
    for (std::size_t k = 0; k < begun.size() && k <= lasting_stream_; ++k) {
      const std::uint32_t count = programmed[begun[k].value];
      blocks_.reopen(begun[k], count * layout_.units_per_row(), stream);
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
  places_changed_anywhere(now);  // what is saved may go to blocks that were kept for collection
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
  if (!block.valid()) {
    if (saving_) {
      for (std::uint32_t plane = 0; plane < layout_.mapping().planes(); ++plane) {
        collector_.go_on_for_a_block(PlaneId(plane), now);
      }
    }
    return block;
  }
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
