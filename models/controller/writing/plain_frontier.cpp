// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/plain_frontier.h"

#include <algorithm>
#include <ostream>

#include "controller/mapping/page_tag.h"

namespace nandscape::controller {

PlainFrontier::PlainFrontier(FlashIo& io, BlockTable& blocks, const WriteStreams& streams)
    : io_(io),
      blocks_(blocks),
      planes_(io.layout().flash().planes()),
      pages_per_wordline_(io.path().pages_per_wordline),
      pages_per_block_(io.layout().flash().pages_per_block * io.layout().data_pages_per_row()),
      streams_(streams),
      open_(std::size_t{streams.count} * planes_) {}

void PlainFrontier::open(const PageProgram& page, FtlPlane plane, Superblock block) {
  at(page.write_stream, of_flash(plane)) = {block};
  count_open(page.write_stream, pages_per_block_);
  host().write_point(page.write_stream, of_flash(plane)).complete_to = 0;
}

void PlainFrontier::place(PageProgram& page, Tick now) {
  OpenBlock& to = at(page.write_stream, page.plane);
  const RowAndMember place = page_at(to.next_page++, page.write_stream);
  count_closed(page.write_stream, 1);
  page.block = to.block;
  page.ppa = io_.layout().first_unit(to.block, place.row, place.member);
  FlashIo::set_address(page, io_.layout().find(page.ppa));
  set_stamp(page.command.tag, stamp_of(blocks_.erase_count(to.block)));
  set_write_mode(page.command.tag, blocks_.write_mode(to.block));
  blocks_.append(to.block, now, io_.layout().units_per_page());
  leave_if_done(to, page.write_stream);
}

void PlainFrontier::leave_if_done(OpenBlock& to, std::uint8_t stream) {
  const bool full = to.next_page == pages_per_block_;
  if (!full && (!to.closing || to.next_page % pages_per_wordline_ != 0)) return;
  if (!full) blocks_.close(to.block);
  leave(to, stream);
}

void PlainFrontier::leave(OpenBlock& to, std::uint8_t stream) {
  count_closed(stream, pages_per_block_ - to.next_page);
  to.block = Superblock();
}

void PlainFrontier::close(std::uint8_t stream, FtlPlane plane) {
  OpenBlock& to = at(stream, of_flash(plane));
  if (!to.block.valid() || to.closing) return;
  to.closing = true;
  leave_if_done(to, stream);
  complete_wordline(stream, of_flash(plane));
}

std::optional<std::uint32_t> PlainFrontier::next_page(std::uint8_t stream, FlashPlane plane, bool may_open) const {
  const OpenBlock& to = at(stream, plane);
  if (to.block.valid()) return page_at(to.next_page, stream).row;
  return may_open ? std::optional<std::uint32_t>(0) : std::nullopt;
}

// Padding is not needed if pages that came meanwhile have completed the wordline, or if the block takes no more pages.
bool PlainFrontier::padding_needed(const PageProgram& padding) const {
  const OpenBlock& to = at(padding.write_stream, padding.plane);
  return to.block.valid() && to.next_page % pages_per_wordline_ != 0;
}

void PlainFrontier::complete(std::uint8_t stream, FlashPlane plane) {
  if (host().write_point(stream, plane).wordline != nullptr) complete_wordline(stream, plane);
}

void PlainFrontier::complete_wordline(std::uint8_t stream, FlashPlane plane) {
  const OpenBlock& to = at(stream, plane);
  if (!to.block.valid()) return;
  const std::uint32_t wordlines = (to.next_page + pages_per_wordline_ - 1) / pages_per_wordline_;
  host().write_point(stream, plane).complete_to = std::min(wordlines * pages_per_wordline_, pages_per_block_);
  host().fill_up(stream, plane);
}

void PlainFrontier::failed(PageProgram& page, Tick now) {
  const Superblock block = page.block;
  OpenBlock& to = at(page.write_stream, page.plane);
  if (to.block == block) leave(to, page.write_stream);
  host().rewrite_wordline(host().write_point(page.write_stream, page.plane), block, now);
  if (page.is_padding()) {
    host().drop_padding(page);
  } else {
    host().place_again(page, now);
  }
  host().give_up_block(block, 1, now);
}

void PlainFrontier::resume(std::uint8_t stream, FtlPlane plane, Superblock block, std::uint32_t pages) {
  at(stream, of_flash(plane)) = {block, pages};
  count_open(stream, pages_per_block_ - pages);
}

std::uint32_t PlainFrontier::programmed_rows(Superblock block, std::uint32_t) const {
  return blocks_.next_page(block) / io_.layout().units_per_page();
}

void PlainFrontier::persist(Archive& archive) {
  if (archive.loading()) open_to_all_ = 0;
  for (std::size_t k = 0; k < open_.size(); ++k) {
    OpenBlock& open = open_[k];
    archive.index_or_none(open.block, blocks_.geometry().blocks(), "a block that is written");
    if (!archive.loading() || !open.block.valid()) continue;
    open.next_page = blocks_.next_page(open.block) / io_.layout().units_per_page();
    count_open(static_cast<std::uint8_t>(k / planes_), pages_per_block_ - open.next_page);
  }
}

bool PlainFrontier::writes_to(std::uint8_t stream, Superblock block) const {
  return at(stream, of_flash(blocks_.geometry().plane_of(block))).block == block;
}

bool PlainFrontier::writes_to_all(std::size_t open_blocks) const {
  const auto count = std::ranges::count_if(open_, [](const OpenBlock& open) { return open.block.valid(); });
  return static_cast<std::size_t>(count) == open_blocks;
}

void PlainFrontier::list_write_point(std::uint8_t stream, FlashPlane plane, std::ostream& out) const {
  const OpenBlock& to = at(stream, plane);
  if (to.block.valid()) out << "block " << to.block.value << " page " << to.next_page << ", ";
}

}  // namespace nandscape::controller
