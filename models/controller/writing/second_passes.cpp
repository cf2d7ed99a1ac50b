// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/second_passes.h"

#include <algorithm>
#include <utility>

#include "controller/writing/wordline_ledger.h"

namespace nandscape::controller {

void describe(const SecondPassCounters& c, StatisticsVisitor& v) {
  v.count("pages", c.pages, "pages sent to the flash again for the second pass of their wordline");
  v.level("most_held_pages", c.most_held_pages, "most pages that were held in memory for their second pass");
  v.count("reads", c.reads, "reads answered from these pages");
}

SecondPasses::SecondPasses(WritingState& writing, WriteFrontier& frontier, WordlineLedger& ledger)
    : writing_(writing),
      frontier_(frontier),
      ledger_(ledger),
      stages_{.placing = *this, .programming = *this},
      copies_(writing.io, writing.calendar) {}

// --- after the first pass

void SecondPasses::wordline_placed(const PageProgram& last) {
  WritePoint& point = writing_.points.of(last);
  // A wordline of one page is placed before the ledger is told that the previous wordline has had its first pass.
  const std::uint32_t first = writing_.blocks.shape(last.block).first_of_wordline(last.command.page);
  const bool follows =
      point.first_passed != nullptr || (point.wordline != nullptr && point.wordline->command.page < first);
  if (!follows && !ends_block(last)) return;
  point.programs_again = last.block;
  if (!follows) return;
  writing_.calendar.schedule<&SecondPasses::begin>(writing_.calendar.now(), *this, index(last));
}

void SecondPasses::programmed(const PageProgram& page) {
  if (page.is_padding()) return;
  copies_.keep(page.ppa, page.tag, page.plain.data());
  counters_.most_held_pages = std::max(counters_.most_held_pages, ++held_pages_);
}

void SecondPasses::wordline_programmed(WritePoint& point, Tick now) {
  PageProgram* const pages = std::exchange(point.wordline, nullptr);
  const std::uint64_t at = index(*pages);
  const bool last = ends_block(*pages);
  bool padding = true;
  std::uint32_t count = 0;
  for (const PageProgram* page = pages; page != nullptr; page = page->next_in_wordline) {
    padding &= page->is_padding();
    ++count;
  }
  if (padding) {
    const Superblock block = pages->block;
    ledger_.pages_durable(pages, now);
    unpin(block, count, now);
  } else {
    point.first_passed = pages;
  }
  // At the end of the block, no next wordline has to be waited for.
  if (last && point.again_to_send == 0) writing_.calendar.schedule<&SecondPasses::all_sent>(now, *this, at);
}

// --- the second pass

void SecondPasses::begin(std::uint64_t index) {
  WritePoint& point = this->point(index);
  PageProgram* const pages = std::exchange(point.first_passed, nullptr);
  if (pages == nullptr) return;
  const Tick now = writing_.calendar.now();
  // All pages must be in one queue, in their order. If host writes are queued by class, a write of another class that
  // waits for the second pass would hold it back.
  const bool classes_apart = writing_.scheduler.separates_classes();
  QueueKind queue = QueueKind::background_write;
  for (const PageProgram* page = pages; page != nullptr; page = page->next_in_wordline) {
    if (page->queue == QueueKind::host_write && !classes_apart) queue = QueueKind::host_write;
  }
  writing_.io.hold();
  for (PageProgram* next = pages; next != nullptr;) {
    PageProgram& page = *std::exchange(next, next->next_in_wordline);
    page.begin_second_pass(stages_);
    page.queue = queue;
    page.of_host = false;
    ++point.again_to_send;
    writing_.io.enqueue(page, now, QueuePosition::first);
  }
  writing_.io.send_held(now);
}

Placement SecondPasses::place(PageProgram& page, Tick now) {
  if (writing_.blocks.failing(page.block)) return Placement::withdraw;
  ++counters_.pages;
  if (--writing_.points.of(page).again_to_send == 0) {
    writing_.calendar.schedule<&SecondPasses::all_sent>(now, *this, index(page));
  }
  return Placement::placed;
}

void SecondPasses::all_sent(std::uint64_t index) {
  const WritePoint& point = this->point(index);
  if (point.first_passed != nullptr && ends_block(*point.first_passed)) return begin(index);
  go_on(index);
}

void SecondPasses::go_on(std::uint64_t index) {
  point(index).programs_again = Superblock();
  writing_.scheduler.places_changed(plane_of(index), writing_.calendar.now());
  ledger_.fill_up(stream_of(index), plane_of(index));
}

void SecondPasses::program_ended(PageProgram& page, Tick now) {
  if (!ledger_.passed(page, now)) return frontier_.failed(page, now);
  WritePoint& point = writing_.points.of(page);
  page.next_in_wordline = std::exchange(point.second_passed, &page);
  if (!writing_.ends_wordline(page)) return;
  PageProgram* const pages = std::exchange(point.second_passed, nullptr);
  const Superblock block = pages->block;
  std::uint32_t count = 0;
  for (PageProgram* done = pages; done != nullptr; done = done->next_in_wordline, ++count) forget(*done);
  ledger_.pages_durable(pages, now);
  unpin(block, count, now);
}

// --- lost

void SecondPasses::withdrawn(PageProgram& page, Tick now) {
  const Superblock block = page.block;
  ledger_.rewrite(page, now);
  unpin(block, 1, now);
}

void SecondPasses::forget(PageProgram& page) {
  if (!follow(page.block)) return;
  page.begin_first_pass();
  if (page.is_padding()) return;
  copies_.drop(page.ppa);
  --held_pages_;
}

void SecondPasses::lose_all(PageProgram*& pages, Superblock block, Tick now) {
  if (pages == nullptr || pages->block != block) return;
  std::uint32_t count = 0;
  for (PageProgram* next = std::exchange(pages, nullptr); next != nullptr; ++count) {
    ledger_.rewrite(*std::exchange(next, next->next_in_wordline), now);
  }
  unpin(block, count, now);
}

void SecondPasses::give_up(std::uint8_t stream, FlashPlane plane, Superblock block, Tick now) {
  WritePoint& point = writing_.points.at(stream, plane);
  lose_all(point.first_passed, block, now);
  lose_all(point.second_passed, block, now);
  if (point.programs_again != block) return;
  point.again_to_send = 0;
  point.programs_again = Superblock();
  writing_.calendar.schedule<&SecondPasses::go_on>(now, *this, index(stream, plane));
}

void SecondPasses::unpin(Superblock block, std::uint32_t pages, Tick now) {
  for (; pages > 0; --pages) writing_.pins.unpin_program(block, now);
}

}  // namespace nandscape::controller
