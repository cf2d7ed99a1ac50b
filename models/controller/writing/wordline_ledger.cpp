// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/wordline_ledger.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <utility>

#include "controller/writing/page_placement.h"

namespace nandscape::controller {

namespace {

// Reports the times of the page's write to the accesses that wait for the page.
void end_times(WritingState& writing, PageProgram& page, Tick now) {
  if (page.times == nullptr) return;
  for (const UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page) {
    if (unit->access != nullptr) FlashIo::give_times(page, *unit->access, now);
  }
  writing.io.end_times(page);
}

}  // namespace

// --- programmed

void WordlineLedger::program_ended(PageProgram& page, Tick now) {
  const std::uint8_t stream = page.write_stream;
  const FlashPlane plane = page.plane;
  if (passed(page, now)) {
    programmed(page, now);
  } else {
    frontier_.failed(page, now);
  }
  if (writing_.units.take_forced()) frontier_.complete(stream, plane);
  // Garbage collection may be waiting for the page that has just been programmed.
  complete_awaited_moves();
}

bool WordlineLedger::passed(const PageProgram& page, Tick now) {
  writing_.programs.program_ended(page, now);
  const bool pass = page.command.status == NandStatus::pass;
  writing_.counters.failed_programs += !pass;
  return pass && !writing_.blocks.failing(page.block);
}

void WordlineLedger::programmed(PageProgram& page, Tick now) {
  for (const UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page) writing_.units.prefetch(*unit);
  WritePoint& point = writing_.points.of(page);
  page.next_in_wordline = std::exchange(point.wordline, &page);
  --writing_.points.backlog(page);
  undurable_.add(page);
  const bool complete = writing_.ends_wordline(page);
  const bool wanted = undurable_.wanted(page);
  const std::uint8_t stream = page.write_stream;
  const FlashPlane plane = page.plane;
  const Superblock block = page.block;
  const bool another_pass = second_passes_ && second_passes_->follow(block);
  if (another_pass) second_passes_->programmed(page);
  const Superblock lost_block = std::exchange(page.lost_block, Superblock());
  Ppa place = page.ppa;
  if (page.times != nullptr) [[unlikely]]
    end_times(writing_, page, now);
  for (UnitWrite* unit = page.units; unit != nullptr; place = Ppa(place.value + 1)) {
    UnitWrite& of_page = *std::exchange(unit, unit->next_in_page);
    of_page.place = place;
    writing_.units.programmed(of_page, now);
  }
  if (complete && another_pass) second_passes_->wordline_programmed(point, now);
  if (complete && !another_pass) {
    wordline_durable(point, now);
  } else if (wanted) {
    frontier_.complete(stream, plane);
  }
  // With another pass, the pin remains until the page is durable.
  if (!another_pass) writing_.pins.unpin_program(block, now);
  if (lost_block.valid()) writing_.pins.unpin(lost_block, now);
}

void WordlineLedger::pages_durable(PageProgram* pages, Tick now) {
  while (pages != nullptr) {
    PageProgram& durable = *std::exchange(pages, pages->next_in_wordline);
    undurable_.remove(durable);
    for (UnitWrite* unit = durable.units; unit != nullptr;) {
      writing_.units.durable(*std::exchange(unit, unit->next_in_page), now);
    }
    pages_.release(durable);
  }
  writing_.durability.page_durable(now);
}

// --- lost

// Writes all pages of the incomplete wordline again, because they are lost. The cells of a wordline are programmed with
// its last page, so a failure of that program loses all of its pages. A failure of an earlier program loses them as
// well, because no more pages are written to the block.
void WordlineLedger::rewrite_wordline(std::uint8_t stream, FlashPlane plane, Superblock block, Tick now) {
  if (second_passes_) second_passes_->give_up(stream, plane, block, now);
  WritePoint& point = writing_.points.at(stream, plane);
  if (point.wordline == nullptr || point.wordline->block != block) return;
  const bool pinned = second_passes_ && second_passes_->follow(block);
  for (PageProgram* lost = std::exchange(point.wordline, nullptr); lost != nullptr;) {
    rewrite(*std::exchange(lost, lost->next_in_wordline), now);
    if (pinned) writing_.pins.unpin_program(block, now);
  }
}

void WordlineLedger::rewrite(PageProgram& page, Tick now) {
  if (second_passes_) second_passes_->forget(page);
  if (page.is_padding()) {
    undurable_.remove(page);
    pages_.release(page);
    return;
  }
  // The units of the page stay mapped to the lost location until the page has been programmed again. The block of that
  // location must not be erased before.
  writing_.pins.pin(page.block);
  page.lost_block = page.block;
  page.set_origin(PageOrigin::migration);  // written for the controller, no longer for the host
  // While the drive saves its data, pages of the host are no longer written. The page must not wait behind them in a
  // queue, because rows and blocks would then wait for ever. Therefore it is moved to the reserve stream.
  if (writing_.power.gives_up_writes()) page.write_stream = writing_.settings.streams.reserve;
  ++writing_.points.backlog(page);
  for (UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page) {
    writing_.units.must_be_rewritten(*unit);
  }
  placement_.place_again(page, now);
}

void WordlineLedger::write_elsewhere(PageProgram& page, Tick now) {
  if (page.command.pass == ProgramPass::again) {
    rewrite(page, now);
  } else if (page.is_padding()) {
    drop_padding(page);
  } else {
    placement_.place_again(page, now);
  }
}

void WordlineLedger::give_up_block(Superblock block, std::uint32_t pins, Tick now) {
  writing_.supply.block_failed(block, now);
  for (; pins > 0; --pins) writing_.pins.unpin_program(block, now);
  writing_.durability.page_durable(now);
}

void WordlineLedger::give_up(PageProgram& page, Tick now) {
  if (page.programmed_order != 0) lost_new_data_ |= page.new_data;
  undurable_.remove(page);
  const Superblock lost_block = page.lost_block;
  end_times(writing_, page, now);
  for (UnitWrite* unit = page.units; unit != nullptr;) {
    writing_.units.refused(*std::exchange(unit, unit->next_in_page), now);
  }
  pages_.release(page);
  if (lost_block.valid()) writing_.pins.unpin(lost_block, now);
  writing_.durability.page_durable(now);
}

void WordlineLedger::drop_padding(PageProgram& padding) {
  --writing_.points.backlog(padding);
  undurable_.remove(padding);
  pages_.release(padding);
}

// --- completed by padding

void WordlineLedger::complete_wordlines() {
  encoding_.release_held();
  undurable_.want_all();
  undurable_.for_each([&](const PageProgram& page) {
    if (undurable_.is_new(page)) frontier_.complete(page.write_stream, page.plane);
  });
  if (!frontier_.keeps_pages_together()) return;
  for (std::uint8_t stream = 0; stream < writing_.points.streams(); ++stream) {
    if (writing_.settings.streams.collects(stream) && !writing_.power.saving) continue;
    for (const FtlPlane plane : writing_.points.backlogs.places()) {
      frontier_.complete(stream, writing_.layout().flash_plane(plane, 0));
    }
  }
}

void WordlineLedger::complete_wordlines_for(FtlPlane plane) {
  const auto on_plane = [&](Superblock block) {
    return block.valid() && writing_.layout().mapping().plane_of(block) == plane;
  };
  // A block that is being emptied stays in use until its last unit has been moved. Padding for each of its units would
  // use up the space that emptying it gains.
  const auto waits = [&](Superblock block) {
    const BlockTable& blocks = writing_.blocks;
    return on_plane(block) && (blocks.state(block) != BlockTable::State::victim || blocks.valid_pages(block) == 0);
  };
  undurable_.for_each([&](const PageProgram& page) {
    if (on_plane(page.lost_block)) return frontier_.complete(page.write_stream, page.plane);
    bool holds_back = false;
    for (const UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page) {
      holds_back |= waits(unit->held_back);
    }
    if (holds_back) frontier_.complete_page(page);
  });
}

void WordlineLedger::await_moves(FtlPlane plane, bool awaits) {
  awaited_planes_ += awaits;
  awaited_planes_ -= awaited_[plane];
  awaited_[plane] = awaits;
}

void WordlineLedger::complete_awaited_moves() {
  if (awaited_planes_ == 0) return;
  for (const FtlPlane plane : awaited_.places()) {
    if (awaited_[plane]) complete_wordlines_for(plane);
  }
}

// Adds as much padding to the write point as is needed. Pages that are already on their way count, unless they are
// blocked.
void WordlineLedger::fill_up(std::uint8_t stream, FlashPlane plane) {
  const WritePoint& point = writing_.points.at(stream, plane);
  if (frontier_.next(stream, plane) >= point.complete_to || !frontier_.has_block(stream, plane)) return;
  if (point.programs_again.valid()) return;  // called again when the next page can be placed
  if (encoding_.reserved_for(stream, plane) != nullptr) return;
  if (WordlinePairs* const pairs = encoding_.pairs()) pairs->release(stream, plane);
  const std::uint64_t missing = frontier_.missing(stream, plane, point.complete_to);
  std::uint64_t coming = point.padding;
  for (const bool moved : {false, true}) {
    coming += writing_.points.blocked[plane][moved] ? 0 : point.on_their_way[moved];
  }
  for (; coming < missing; ++coming) pad(stream, plane);
}

// Padding counts as moved data, and may use reserved blocks, if garbage collection writes to this stream or if the host
// cannot get a block. Otherwise the padding itself would have to wait for garbage collection.
void WordlineLedger::pad(std::uint8_t stream, FlashPlane plane) {
  const WriteStreams& streams = writing_.settings.streams;
  const FtlPlane of_mapping = writing_.layout().mapping_plane(plane);
  const bool host_may_wait = frontier_.keeps_pages_together() ? !streams.collects(stream) && stream != streams.lasting
                                                              : writing_.supply.host_may_take_block(of_mapping);
  const bool reserved = stream == streams.reserve || !host_may_wait;
  PageProgram& page = maker_.make_page(reserved ? PageOrigin::migration : PageOrigin::host, stream, of_mapping);
  writing_.io.set_plane(page, plane);
  if (writing_.io.path().keeps_data()) std::fill_n(page.command.data, page.command.bytes, std::byte{0});
  ++writing_.counters.padding_pages;
  maker_.assembled(page);
}

PagesToSave WordlineLedger::pages_to_save() const {
  std::map<FlashPlane, std::set<Superblock>> open;
  undurable_.for_each([&](const PageProgram& page) { open[page.plane].insert(page.block); });
  PagesToSave pages;
  for (const auto& [plane, blocks] : open) {
    std::uint64_t of_plane = 0;
    for (const Superblock block : blocks) of_plane += writing_.blocks.shape(block).most_pages_to_durable();
    pages.of_busiest_plane = std::max(pages.of_busiest_plane, of_plane);
    pages.of_all += of_plane;
  }
  return pages;
}

// --- checkpoints and reports

void WordlineLedger::persist(Archive& archive) {
  undurable_.persist(archive);
  archive(lost_new_data_);
}

void WordlineLedger::list_waiting(std::ostream& out) const {
  if (undurable_.count() != 0) out << undurable_.count() << " pages are programmed and not durable\n";
}

}  // namespace nandscape::controller
