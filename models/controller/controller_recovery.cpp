// SPDX-License-Identifier: Apache-2.0
// How the controller finds its mapping again after a loss of power, and what it writes for that while there is power.
#include <algorithm>
#include <unordered_map>
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
    const std::vector<TrimRecord> trims = trim_records(recovery.words);
    recovery.trims.insert(recovery.trims.end(), trims.begin(), trims.end());
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

void Controller::block_scanned(BlockId flash_block, std::uint32_t programmed_pages) {
  const Geometry& flash = layout_.flash();
  const PlaneId plane = layout_.mapping_plane(flash.plane_of(flash_block));
  const BlockId block = layout_.mapping().block(plane, flash_block.value % flash.blocks_per_plane);
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
  version_ = recovery->scan.newest_version();
  for (const TrimRecord& trim : recovery->trims) {
    version_ = std::max(version_, trim.version);
    trimmed_.add(trim.first, trim.count);
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
  trimmed_.prune([this](Lpn lpn) { return mapping_.find(lpn).valid(); }, [](Lpn, std::uint64_t) {});
  // The journal is written anew, and its old blocks count until that is done.
  for (const Ppn page : recovery->journal_pages) {
    const Place place = layout_.flash_place(page);
    const BlockId block = layout_.mapping().block(layout_.mapping_plane(place.plane), place.block_of_plane);
    if (blocks_.state(block) == BlockTable::State::journal) continue;
    blocks_.set_state(block, BlockTable::State::journal);
    journal_.adopt(block);
  }
  if (!recovery->journal_pages.empty()) journal_.demand_snapshot();
  if (!layout_.has_parity()) resume_blocks(recovery->most_programmed);
  counters_.recovery.scanned_pages = recovery->scan.pages_read();
  counters_.recovery.time = now - recovery->begin;
  journal_.write(now);
  for (std::uint32_t plane = 0; plane < layout_.mapping().planes(); ++plane) collector_.check(PlaneId(plane), now);
  PageAccess* waiting = recovery->first_waiting;
  while (waiting != nullptr) submit(*std::exchange(waiting, waiting->next), now);
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
  if (!trimmed_.empty()) journal_.demand_snapshot();
  journal_.write(now);
}

void Controller::remember_trim(Lpn first, std::uint64_t count) {
  trimmed_.add(first, count);
  if (survives_power_cut()) return;  // it will be time to write that when the power fails
  journal_.record({first, count, ++version_});
}

// What is being written, or could still be lost, is on flash in an older version, if at all: of that one the trim
// holds.
void Controller::collect_trims(std::vector<TrimRecord>& records) {
  std::unordered_map<std::uint64_t, std::uint64_t> on_their_way;  // the oldest version of each unit
  const auto note = [&](const UnitWrite& unit) {
    const auto [found, added] = on_their_way.try_emplace(unit.lpn.value, unit.version);
    if (!added) found->second = std::min(found->second, unit.version);
  };
  writes_.for_each(note);
  writer_.for_each_undurable([&](const UnitWrite& unit) {
    if (mapping_.find(unit.lpn) == unit.place) note(unit);  // else it was trimmed or written over since
  });
  const std::uint64_t now_version = version_;
  const auto holds_data = [&](Lpn lpn) { return mapping_.find(lpn).valid() && !on_their_way.contains(lpn.value); };
  trimmed_.prune(holds_data, [&](Lpn first, std::uint64_t count) {
    std::uint64_t begin = first.value;
    const std::uint64_t end = first.value + count;
    for (std::uint64_t lpn = begin; lpn < end && !on_their_way.empty(); ++lpn) {
      const auto found = on_their_way.find(lpn);
      if (found == on_their_way.end()) continue;
      if (lpn > begin) records.push_back({Lpn(begin), lpn - begin, now_version});
      if (found->second > 0) records.push_back({Lpn(lpn), 1, found->second - 1});
      begin = lpn + 1;
    }
    if (begin < end) records.push_back({Lpn(begin), end - begin, now_version});
  });
}

BlockId Controller::take_journal_block(Tick now) {
  PlaneId best(0);
  for (std::uint32_t plane = 1; plane < layout_.mapping().planes(); ++plane) {
    if (blocks_.free_blocks(PlaneId(plane)) > blocks_.free_blocks(best)) best = PlaneId(plane);
  }
  // The reserve is for collection, which would not make room without it.
  if (!collector_.host_may_take_block(best)) return BlockId();
  const BlockId block = blocks_.take_free(best);
  collector_.check(best, now);
  return block;
}

void Controller::release_journal_block(BlockId block, Tick now) {
  blocks_.found_programmed(block, layout_.mapping().pages_per_block);
  collector_.check(layout_.mapping().plane_of(block), now);
}

// What is waiting for the journal is what it waits for.
void Controller::journal_waits(Tick now) {
  for (const BlockId block : std::exchange(erases_waiting_, {})) send_erase(block, now);
}

void Controller::trims_durable(Tick now) {
  for (Flush& flush : flushes_) flush.trims = false;
  for (const BlockId block : std::exchange(erases_waiting_, {})) send_erase(block, now);
  page_durable(now);
}

}  // namespace nandscape
