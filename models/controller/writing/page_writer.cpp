// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/page_writer.h"

#include <ostream>

namespace nandscape::controller {

PageWriter::PageWriter(const WritingContext& context, const WriterSettings& settings)
    : writing_(context, settings),
      frontier_(settings.make_frontier(writing_)),
      stages_{&encoding_, placement_, ledger_},
      pages_(context.io, stages_),
      encoding_(writing_, *frontier_),
      placement_(writing_, *frontier_, encoding_, ledger_),
      ledger_(writing_, *frontier_, encoding_, placement_, *this, pages_) {
  frontier_->connect(placement_, ledger_);
}

PageProgram& PageWriter::make_page(PageOrigin origin, std::uint8_t stream, FtlPlane plane) {
  PageProgram& page = pages_.acquire();
  page.set_origin(origin);
  page.command.operation = NandOperation::program;
  page.command.bytes = writing_.layout().flash().page_bytes;
  page.write_stream = stream;
  // This is a plane of the stripe set if there is parity. The page is assigned to a member of the set when it has been
  // assembled.
  writing_.io.set_plane(page, writing_.layout().flash_plane(plane, 0));
  ++writing_.points.backlogs[plane];
  return page;
}

void PageWriter::assembled(PageProgram& page) {
  if (writing_.io.keeps_times()) [[unlikely]]
    begin_times(page);
  if (page.mover != nullptr) {
    writing_.points.add(page);
    writing_.io.enqueue(page, writing_.calendar.now());
    return;
  }
  frontier_->assign(page, page.is_padding());
  writing_.points.add(page);
  encoding_.encode(page);
}

// From now on, the accesses of the page's units wait only for this page, so they share its time sheet.
void PageWriter::begin_times(PageProgram& page) {
  const Tick now = writing_.calendar.now();
  for (const UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page) {
    if (unit->access != nullptr) writing_.io.begin_times(page, *unit->access, now);
  }
  if (page.times != nullptr) page.times->enter(LatencyPart::ecc, now);
}

void PageWriter::close_block(Superblock block) {
  frontier_->close(writing_.blocks.stream(block), writing_.blocks.geometry().plane_of(block));
}

void PageWriter::release_groups() {
  for (const FtlPlane plane : writing_.points.backlogs.places()) placement_.release_groups(plane);
}

void PageWriter::persist(Archive& archive) {
  archive.section("page writer");
  archive.expect("write points", writing_.points.count());
  ledger_.persist(archive);
  frontier_->persist(archive);
  if (!archive.loading()) return;
  const BlockTable& blocks = writing_.blocks;
  std::size_t open = 0;
  for (const Superblock block : blocks.geometry().every_block()) {
    const std::uint8_t stream = blocks.stream(block);
    archive.require(stream < writing_.points.streams(), "a block has a stream that does not exist");
    const std::uint8_t mode = blocks.write_mode(block);
    const bool cached = writing_.settings.cache != nullptr && mode == writing_.settings.cache->mode();
    archive.require(writing_.settings.write_mode != nullptr || cached || mode == 0,
                    "a block has a write mode that does not exist");
    if (blocks.state(block) != BlockTable::State::open) continue;
    ++open;
    archive.require(frontier_->writes_to(block), "a block is open, but no stream writes to it");
  }
  archive.require(frontier_->open_blocks() == open, "a block that is being written is not open");
}

void PageWriter::list_waiting(std::ostream& out) const {
  for (std::uint8_t stream = 0; stream < writing_.points.streams(); ++stream) {
    for (const FlashPlane plane : writing_.points.blocked.places()) list_write_point(stream, plane, out);
  }
  ledger_.list_waiting(out);
  placement_.list_waiting(out);
  encoding_.list_waiting(out);
  frontier_->list_waiting(out);
}

void PageWriter::list_write_point(std::uint8_t stream, FlashPlane plane, std::ostream& out) const {
  const WritePoint& point = writing_.points.at(stream, plane);
  std::size_t in_wordline = 0;
  for (const PageProgram* page = point.wordline; page != nullptr; page = page->next_in_wordline) ++in_wordline;
  if (in_wordline == 0 && point.on_their_way[false] + point.on_their_way[true] == 0) return;
  out << "stream " << unsigned{stream} << " on plane " << plane.value << ": ";
  if (const Superblock block = frontier_->open_block(stream, plane); block.valid()) {
    out << "block " << block.value << " page " << frontier_->next(stream, plane) << ", ";
  }
  out << in_wordline << " of a wordline, on their way " << point.on_their_way[false] << " new, "
      << point.on_their_way[true] << " moved\n";
}

}  // namespace nandscape::controller
