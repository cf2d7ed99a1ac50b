// SPDX-License-Identifier: Apache-2.0
#include "controller/power_loss/power_on_recovery.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace nandscape::controller {

void describe(const RecoveryCounters& c, StatisticsVisitor& v) {
  v.count("journal_pages", c.journal_pages, "pages programmed with records of trims");
  v.count("checkpoint_pages", c.checkpoint_pages, "pages written for checkpoints of the mapping");
  v.level("scanned_pages", c.scanned_pages, "pages whose tags were read at the latest power-up");
  v.level("recovery_us", us_from_ticks(c.time), "us", "time from the latest power-up to a complete mapping");
}

PowerOnRecovery::Recovery::Recovery(const FlashLayout& layout, std::uint64_t units, RecoveryScan::Client& client,
                                    Tick now, std::optional<std::uint64_t> known_version)
    : begin(now),
      scan(layout, units, client, known_version),
      most_programmed(layout.mapping().blocks()),
      least_programmed(layout.mapping().blocks(), std::numeric_limits<std::uint32_t>::max()),
      members_left(layout.mapping().blocks(), layout.members()),
      changed(layout.mapping().blocks()),
      adjusted(layout.mapping().blocks()),
      stamps(layout.mapping().blocks()),
      modes(layout.mapping().blocks()),
      reads_left(layout.flash().dies()),
      words(layout.flash().page_bytes / sizeof(std::uint64_t)) {}

PowerOnRecovery::PowerOnRecovery(FlashIo& io, FlashScheduler& scheduler, UnitMap& map, BlockTable& blocks,
                                 TrimmedRanges& trimmed, JournalWriter& journal, PageWriter& writer,
                                 MappingCheckpoints& checkpoints, const PowerState& power, Calendar& calendar,
                                 Listener& listener)
    : io_(io),
      layout_(io.layout()),
      scheduler_(scheduler),
      map_(map),
      blocks_(blocks),
      trimmed_(trimmed),
      journal_(journal),
      writer_(writer),
      checkpoints_(checkpoints),
      power_(power),
      calendar_(calendar),
      listener_(listener),
      tag_reads_(io, *this) {}

RecoveryCounters PowerOnRecovery::counters() const {
  return {.journal_pages = journal_.pages(),
          .checkpoint_pages = checkpoints_.pages_written(),
          .scanned_pages = scanned_pages_,
          .time = time_};
}

void PowerOnRecovery::persist_counters(Archive& archive) {
  checkpoints_.persist_counters(archive);
  archive(scanned_pages_, time_);
}

// Writes no checkpoint if the mapping is lost. Each power-on must then discover again that it is lost.
void PowerOnRecovery::write_checkpoint(Tick now) {
  if (!checkpoints_.kept() || mapping_lost_) return;
  calendar_.schedule<&PowerOnRecovery::checkpoint_written>(now + checkpoints_.write_time(), *this, true);
}

void PowerOnRecovery::checkpoint_written(std::uint64_t complete) {
  checkpoints_.write(complete != 0, writer_.frontier());
  if (under_way()) end(calendar_.now());
}

// --- scanning the flash

void PowerOnRecovery::start(Tick now) {
  Tick ready = now;
  std::optional<std::uint64_t> known_version;
  const bool complete = checkpoints_.take_complete();
  if (checkpoints_.kept()) {
    checkpoints_.load(complete);
    known_version = map_.version();
    ready += checkpoints_.read_time();
  }
  RecoveryScan::Client& client = *this;
  recovery_ = std::make_unique<Recovery>(layout_, map_.units(), client, now, known_version);
  calendar_.schedule<&PowerOnRecovery::checkpoint_read>(ready, *this, complete);
}

void PowerOnRecovery::checkpoint_read(std::uint64_t complete) {
  const Tick now = calendar_.now();
  if (complete != 0) {
    resume_known_blocks();
    if (power_.programmed_is_durable()) recovery_->outdated_journal = journal_.give_up();
    end(now);
    return;
  }
  recovery_->scan_begin = now;
  blocks_.forget_free();
  if (recovery_->scan.complete()) {
    read_journal(now);
    return;
  }
  for (const DieId die : Places<DieId>(layout_.flash().dies())) read_next_tags(die, now);
}

void PowerOnRecovery::read_tag(FlashPage flash_page, std::span<std::uint64_t> tag, Tick now) {
  TagRead& read = tag_reads_.acquire();
  read.page = flash_page;
  FlashIo::set_address(read, layout_.flash_place(flash_page));
  read.command.tag = tag.empty() ? std::span(read.tag).first(2 * layout_.units_per_page()) : tag;
  read.command.bytes = io_.path().layout.codeword_bytes;  // the smallest amount that can be transferred
  io_.read(read, now);
}

// Reads the next tag on each plane of the die. Pages with the same number on several planes are read by one operation.
void PowerOnRecovery::read_next_tags(DieId die, Tick now) {
  const Geometry& flash = layout_.flash();
  scheduler_.hold();
  for (const PlaneInDie plane : Places<PlaneInDie>(flash.planes_per_die)) {
    const std::optional<FlashPage> page = recovery_->scan.next(flash.plane(die, plane));
    if (!page) continue;
    ++recovery_->reads_left[die];
    read_tag(*page, {}, now);
  }
  scheduler_.send_held(now);
}

void PowerOnRecovery::tag_read(TagRead& read, Tick now) {
  Recovery& recovery = *recovery_;
  if (recovery.scan.complete()) {
    const Place place = layout_.flash_place(read.page);
    const Superblock block = layout_.holding(place.plane, place.block_of_plane);
    recovery.journal[block].take_in(journal_page(recovery.words));
    tag_reads_.release(read);
    read_journal(now);
    return;
  }
  const FlashPlane plane = read.plane;
  if (read.command.adjusted_block) {
    const Place place = layout_.flash_place(read.page);
    recovery.adjusted[layout_.holding(place.plane, place.block_of_plane)] = true;
  }
  recovery.scan.scanned(plane, {.erased = read.command.erased_page,
                                .factory_bad = read.command.bad_block_mark,
                                .slc = read.command.slc_block,
                                .tag = read.command.tag});
  tag_reads_.release(read);
  const DieId die = layout_.flash().die_of(plane);
  if (--recovery.reads_left[die] != 0) return;
  if (recovery.scan.complete()) {
    read_journal(now);
  } else {
    read_next_tags(die, now);
  }
}

Superblock PowerOnRecovery::holding(FlashBlock flash_block) const {
  const Geometry& flash = layout_.flash();
  return layout_.holding(flash.plane_of(flash_block), flash.block_in_plane(flash_block));
}

std::uint32_t PowerOnRecovery::member_of(FlashBlock flash_block) const {
  return layout_.member_of(layout_.flash().plane_of(flash_block));
}

RecoveryScan::KnownBlock PowerOnRecovery::known_of(FlashBlock flash_block) const {
  if (!checkpoints_.kept()) return {};
  const Superblock block = holding(flash_block);
  const std::uint32_t pages = pages_of(flash_block);
  RecoveryScan::KnownBlock known{.stamp = stamp_of(blocks_.erase_count(block))};
  switch (blocks_.state(block)) {
    case BlockTable::State::free:
    case BlockTable::State::journal:
    case BlockTable::State::unknown: break;
    case BlockTable::State::retired: known.retired = true; break;
    case BlockTable::State::open:
      // No more pages are written after a power-on to blocks that are laid out over layers.
      known.pages = layout_.over_layers() ? pages : checkpoints_.rows_of_open(block, member_of(flash_block));
      break;
    case BlockTable::State::full:
    case BlockTable::State::victim:
    case BlockTable::State::erasing: known.pages = pages; break;
  }
  return known;
}

void PowerOnRecovery::block_changed(FlashBlock flash_block) {
  const Geometry& flash = layout_.flash();
  const Superblock block = holding(flash_block);
  if (!recovery_->changed[block]) blocks_.found_changed(block);
  recovery_->changed[block] = true;
  // Pages of another member may have told the mode already.
  if (const std::uint8_t mode = recovery_->modes[block]; mode != 0) blocks_.set_write_mode(block, mode);
  // The write mode of the block, and with it the number of its pages, may have changed. Therefore every page is visited
  // that the block could have in any mode.
  for (std::uint32_t page = 0; page < flash.pages_per_block; ++page) {
    const Ppa first_unit = layout_.of_flash_page(flash.page(flash_block, page));
    for (std::uint32_t k = 0; first_unit.valid() && k < layout_.units_per_page(); ++k) {
      const Ppa unit(first_unit.value + k);
      const Lpn lpn = blocks_.held_by(unit);
      if (!lpn.valid()) continue;
      blocks_.invalidate(unit);
      map_.unmap(lpn);
      map_.set_not_lost(lpn);
    }
  }
}

void PowerOnRecovery::stamp_found(FlashBlock flash_block, std::uint32_t stamp) {
  if (!checkpoints_.kept()) return;
  recovery_->stamps[holding(flash_block)] = stamp;
}

void PowerOnRecovery::found(Lpn lpn, Ppa place, bool lost) {
  // The checkpoint and the flash contradict each other if the checkpoint says that the location holds another unit, for
  // example because they are from different drives. The tag on flash is right.
  if (const Lpn known = blocks_.held_by(place); known.valid() && known != lpn) {
    blocks_.invalidate(place);
    map_.unmap(known);
  }
  found_written(layout_.block_of(place));
  map_.map(lpn, map_.find(lpn), place);
  if (lost) {
    map_.set_lost(lpn);
  } else {
    map_.set_not_lost(lpn);
  }
}

// Records that the block has been written since the initial fill, so the fill no longer describes its content.
void PowerOnRecovery::found_written(Superblock block) {
  if (blocks_.filled(block)) blocks_.found_changed(block);
}

void PowerOnRecovery::found_copy(Lpn lpn, Ppa place) {
  found_written(layout_.block_of(place));
  recovery_->copies.push_back({lpn, place, recovery_->scan.version(lpn), false});
}

void PowerOnRecovery::found_moved(Lpn lpn) {
  const Ppa place = map_.find(lpn);
  if (place.valid()) recovery_->copies.push_back({lpn, place, recovery_->scan.version(lpn), true});
}

void PowerOnRecovery::block_scanned(FlashBlock flash_block, std::uint32_t programmed_pages) {
  const Superblock block = holding(flash_block);
  std::uint32_t& most = recovery_->most_programmed[block];
  most = std::max(most, programmed_pages);
  std::uint32_t& least = recovery_->least_programmed[block];
  least = std::min(least, programmed_pages);
  if (--recovery_->members_left[block] != 0) return;
  if (const auto stamp = recovery_->stamps[block]) blocks_.found_stamp(block, *stamp);
  // A failing block is retired as soon as the drive resumes its work, so it does not matter whether it is erased.
  if (most == 0 && !blocks_.failing(block)) {
    blocks_.found_erased(block, recovery_->changed[block]);
  } else {
    blocks_.found_programmed(block, blocks_.shape(block).units());
  }
}

void PowerOnRecovery::journal_page_found(FlashPage flash_page) { recovery_->journal_pages.push_back(flash_page); }

// The facts of the initial fill are discarded before those of the tag are recorded.
void PowerOnRecovery::frontier_mark_found(Superblock block) {
  found_written(block);
  blocks_.set_frontier_mark(block);
}

void PowerOnRecovery::write_mode_found(Superblock block, std::uint8_t mode) {
  recovery_->modes[block] = mode;
  found_written(block);
  blocks_.set_write_mode(block, mode);
}

void PowerOnRecovery::slc_block_found(FlashBlock flash_block) {
  write_mode_found(holding(flash_block), slc_cache_mode);
}

void PowerOnRecovery::read_journal(Tick now) {
  Recovery& recovery = *recovery_;
  if (recovery.journal_pages_read == recovery.journal_pages.size()) {
    finish(now);
    return;
  }
  read_tag(recovery.journal_pages[recovery.journal_pages_read++], recovery.words, now);
}

void PowerOnRecovery::finish(Tick now) {
  Recovery& recovery = *recovery_;
  // The dead plane may have held newer versions of the data than those found on the other planes.
  mapping_lost_ = recovery.scan.finds_dead_plane();
  if (mapping_lost_) listener_.mapping_lost(now);
  const std::uint64_t known_version = map_.version();
  map_.found_version(recovery.scan.newest_version());
  std::vector<TrimRecord> trims = adopt_journal();
  std::ranges::stable_sort(trims, {}, &TrimRecord::version);
  for (const TrimRecord& trim : trims) {
    if (checkpoints_.kept() && trim.version <= known_version) continue;
    map_.found_version(trim.version);
    trimmed_.add(trim);
    trim_again(trim);
  }
  // Every unit that has been found on flash is durable, so it no longer counts as trimmed.
  trimmed_.prune([this](Lpn from, Lpn end) { return map_.next_mapped(from, end); });
  for (const Superblock block : recovery.adjusted.places()) {
    if (recovery.adjusted[block]) blocks_.set_renewed(block);
  }
  undo_moves();
  // More pages can be written to a superblock only if all of its members are at the same row. Other superblocks are
  // treated as full.
  IdVector<Superblock, std::uint32_t>& programmed = recovery.most_programmed;
  for (const Superblock block : programmed.places()) {
    if (recovery.least_programmed[block] != programmed[block]) programmed[block] = blocks_.shape(block).rows;
  }
  resume_blocks(programmed);
  if (!power_.programmed_is_durable()) journal_.keep_ready();
  // If the scan has taken longer than writing a checkpoint, a checkpoint is written now. The next power-on then is
  // faster.
  const Tick writing = checkpoints_.write_time();
  if (checkpoints_.kept() && !mapping_lost_ && now - recovery.scan_begin > writing) {
    calendar_.schedule<&PowerOnRecovery::checkpoint_written>(now + writing, *this, false);
  } else {
    end(now);
  }
}

// Repeats the trim: unmaps its units, except units that were written again after the trim.
void PowerOnRecovery::trim_again(const TrimRecord& trim) {
  struct Newer {
    Lpn lpn;
    Ppa place;
    bool lost;
  };
  std::vector<Newer> newer;
  const Lpn end(trim.first.value + trim.count);
  const bool whole = map_.is_whole(trim.first, trim.count);
  const auto keep = [&](Lpn lpn, Ppa place) { newer.push_back({lpn, place, map_.lost(lpn)}); };
  if (whole) {
    recovery_->scan.versions_found().for_each([&](Lpn lpn, std::uint64_t version) {
      const Ppa place = map_.find(lpn);
      if (version > trim.version && place.valid()) keep(lpn, place);
    });
    blocks_.invalidate_all();
    map_.set_none_lost();
  } else {
    for (Lpn lpn = map_.next_mapped(trim.first, end); lpn < end; lpn = map_.next_mapped(Lpn(lpn.value + 1), end)) {
      const Ppa place = map_.find(lpn);
      if (recovery_->scan.version(lpn) > trim.version) {
        keep(lpn, place);
      } else {
        blocks_.invalidate(place);
        map_.set_not_lost(lpn);
      }
    }
  }
  map_.unmap(trim.first, trim.count);
  for (const Newer& unit : newer) {
    if (whole) {
      map_.map(unit.lpn, Ppa(), unit.place);
    } else {
      map_.map_again(unit.lpn, unit.place);
    }
    if (unit.lost) map_.set_lost(unit.lpn);
  }
}

void PowerOnRecovery::end(Tick now) {
  const std::unique_ptr<Recovery> recovery = std::move(recovery_);
  scanned_pages_ = recovery->scan.pages_read();
  time_ = now - recovery->begin;
  listener_.recovered(recovery->outdated_journal, recovery->undone, now);
}

// When the power failed, garbage collection may have been moving data into the last free block of a plane. If no block
// from which the data came has been erased since, the moves into that block are undone, so that collection can use the
// block again.
void PowerOnRecovery::undo_moves() {
  Recovery& recovery = *recovery_;
  std::map<Superblock, std::vector<Copy>> copied;  // for each block to which units are mapped now: their older copies
  for (const Copy& copy : recovery.copies) {
    const Ppa place = map_.find(copy.lpn);
    if (!place.valid() || recovery.scan.version(copy.lpn) != copy.version) continue;
    const Superblock source = layout_.block_of(copy.place);
    if (copy.of_checkpoint && (recovery.changed[source] || recovery.adjusted[source])) continue;
    const Superblock block = layout_.block_of(place);
    if (block != layout_.block_of(copy.place)) copied[block].push_back(copy);
  }
  for (auto& [block, copies] : copied) {
    if (blocks_.free_blocks(layout_.mapping().plane_of(block)) != 0) continue;
    std::ranges::sort(copies, {}, &Copy::lpn);
    const auto same_unit = [](const Copy& a, const Copy& b) { return a.lpn == b.lpn; };
    copies.erase(std::unique(copies.begin(), copies.end(), same_unit), copies.end());
    const bool all = std::ranges::all_of(copies, [&](const Copy& copy) {
      const Superblock of = layout_.block_of(copy.place);
      return blocks_.state(of) == BlockTable::State::full && std::ranges::count(recovery.undone, of) == 0;
    });
    if (!all || copies.size() != blocks_.valid_pages(block)) continue;
    for (const Copy& copy : copies) {
      map_.map_back(copy.lpn, map_.find(copy.lpn), copy.place);
    }
    recovery.undone.push_back(block);
  }
}

// Selects the blocks of the journal that are still needed, and returns their records: those of the latest complete
// snapshot and those written after it. Older blocks are outdated. Blocks of a later, incomplete snapshot are outdated
// too, because their records are also in the other blocks.
std::vector<TrimRecord> PowerOnRecovery::adopt_journal() {
  Recovery& recovery = *recovery_;
  std::uint64_t complete = 0, begun = 0;
  for (const auto& [block, journal] : recovery.journal) {
    begun = std::max(begun, journal.snapshot);
    if (journal.complete) complete = std::max(complete, journal.snapshot);
  }
  std::vector<TrimRecord> records;
  std::vector<Superblock> blocks;
  Superblock open;
  std::uint32_t programmed_pages = 0;
  for (const auto& [block, journal] : recovery.journal) {
    const bool counts = complete != 0 && journal.snapshot == complete;
    if (counts) {
      std::ranges::copy_if(journal.records, std::back_inserter(records), [this](const TrimRecord& trim) {
        return trim.first.value < map_.host_units() && trim.count <= map_.host_units() - trim.first.value &&
               trim.count != 0 && trim.version <= most_version;
      });
    }
    // With a capacitor, the journal is written only while the supply is failing, to blocks that were free until then.
    // Its blocks can therefore be freed again.
    if (!counts || power_.programmed_is_durable()) {
      recovery.outdated_journal.push_back(block);
      recovery.most_programmed[block] = blocks_.shape(block).rows;  // nothing else is written to it
      continue;
    }
    blocks.push_back(block);
    if (recovery.most_programmed[block] == blocks_.shape(block).rows) continue;
    open = block;
    programmed_pages = recovery.most_programmed[block];
  }
  journal_.resume(begun, std::move(blocks), open, programmed_pages);
  return records;
}

// Continues the open blocks after a complete checkpoint has been loaded.
void PowerOnRecovery::resume_known_blocks() {
  IdVector<Superblock, std::uint32_t> programmed(layout_.mapping().blocks());
  for (const Superblock block : programmed.places()) {
    if (blocks_.state(block) != BlockTable::State::open) continue;
    programmed[block] = checkpoints_.even_rows_of_open(block).value_or(blocks_.shape(block).rows);
    blocks_.found_programmed(block, blocks_.shape(block).units());
  }
  resume_blocks(programmed);
}

// Continues writing in the blocks that were open when the power failed. If these blocks stayed unfinished, repeated
// power failures would use up the free blocks. The block with the most room is given to garbage collection, which needs
// room most urgently.
void PowerOnRecovery::resume_blocks(const IdVector<Superblock, std::uint32_t>& programmed) {
  if (layout_.over_layers()) return;
  const FtlGeometry& g = layout_.mapping();
  std::vector<Superblock> begun;
  for (const FtlPlane plane : g.every_plane()) {
    begun.clear();
    for (std::uint32_t index = 0; index < g.blocks_per_plane(); ++index) {
      const Superblock block = g.block(plane, index);
      // If its moves have been undone, the block will be erased.
      const bool undone = std::ranges::find(recovery_->undone, block) != recovery_->undone.end();
      const bool full = blocks_.state(block) == BlockTable::State::full && !undone && !blocks_.failing(block) &&
                        !blocks_.shape(block).cached;
      if (full && programmed[block] != 0 && programmed[block] < blocks_.shape(block).rows) begun.push_back(block);
    }
    std::ranges::sort(begun, {}, [&](Superblock block) { return programmed[block]; });
    std::uint8_t stream = writer_.streams().reserve;
    for (std::size_t k = 0; k < begun.size() && k <= writer_.streams().lasting; ++k) {
      const std::uint32_t count = programmed[begun[k]];
      blocks_.reopen(begun[k], count * layout_.units_per_row(), stream);
      writer_.resume_block(stream, plane, begun[k], count);
      stream = static_cast<std::uint8_t>((stream + 1) % (writer_.streams().lasting + 1));
    }
  }
}

}  // namespace nandscape::controller
