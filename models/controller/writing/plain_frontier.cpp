// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/plain_frontier.h"

#include <algorithm>

#include "controller/writing/page_placement.h"
#include "controller/writing/wordline_ledger.h"

namespace nandscape::controller {

PlainFrontier::PlainFrontier(WritingState& writing, Traits traits)
    : WriteFrontier(traits),
      writing_(writing),
      planes_(writing.layout().flash().planes()),
      open_(writing.points.count()) {}

void PlainFrontier::open(std::uint8_t stream, FtlPlane plane, Superblock block, std::uint32_t pages) {
  at(stream, of_flash(plane)) = {block, pages};
  count_open(stream, shape(block).data_pages() - pages);
  writing_.points.at(stream, of_flash(plane)).complete_to = 0;
}

void PlainFrontier::append(PageProgram& page, Tick now) {
  OpenBlock& to = at(page.write_stream, page.plane);
  const RowAndMember place = page_at(shape(to.block), to.next_page++, page.write_stream);
  count_closed(page.write_stream, 1);
  writing_.take_place(page, to.block, place.row, place.member, now);
  if (to.closing || writing_.blocks.state(to.block) == BlockTable::State::full) leave_if_done(to, page.write_stream);
}

void PlainFrontier::leave_if_done(OpenBlock& to, std::uint8_t stream) {
  const BlockShape& shape = this->shape(to.block);
  const bool full = to.next_page == shape.data_pages();
  if (!full && (!to.closing || shape.type_of(to.next_page) != 0)) return;
  if (!full) writing_.blocks.close(to.block);
  leave(to, stream);
}

void PlainFrontier::leave(OpenBlock& to, std::uint8_t stream) {
  count_closed(stream, shape(to.block).data_pages() - to.next_page);
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
  if (to.block.valid()) return page_at(shape(to.block), to.next_page, stream).row;
  return may_open ? std::optional<std::uint32_t>(0) : std::nullopt;
}

// Padding is no longer needed if other pages have completed the wordline meanwhile, or if the block is no longer open.
bool PlainFrontier::padding_needed(const PageProgram& padding) const {
  const OpenBlock& to = at(padding.write_stream, padding.plane);
  if (!to.block.valid()) return false;
  const bool wanted = to.next_page < writing_.points.at(padding.write_stream, padding.plane).complete_to;
  return wanted || shape(to.block).type_of(to.next_page) != 0;
}

void PlainFrontier::complete(std::uint8_t stream, FlashPlane plane) {
  if (writing_.points.at(stream, plane).incomplete()) complete_wordline(stream, plane);
}

void PlainFrontier::complete_wordline(std::uint8_t stream, FlashPlane plane) {
  const OpenBlock& to = at(stream, plane);
  if (!to.block.valid()) return;
  writing_.points.at(stream, plane).complete_to =
      std::min(writing_.durable_from(stream, plane, to.block, to.next_page), shape(to.block).data_pages());
  ledger().fill_up(stream, plane);
}

void PlainFrontier::failed(PageProgram& page, Tick now) {
  const Superblock block = page.block;
  OpenBlock& to = at(page.write_stream, page.plane);
  if (to.block == block) leave(to, page.write_stream);
  ledger().rewrite_wordline(page.write_stream, page.plane, block, now);
  ledger().write_elsewhere(page, now);
  ledger().give_up_block(block, 1, now);
}

std::uint32_t PlainFrontier::programmed_rows(Superblock block, std::uint32_t) const {
  return writing_.blocks.next_page(block) / writing_.layout().units_per_page();
}

void PlainFrontier::persist(Archive& archive) {
  if (archive.loading()) open_to_all_ = 0;
  for (std::size_t k = 0; k < open_.size(); ++k) {
    OpenBlock& open = open_[k];
    archive.index_or_none(open.block, writing_.blocks.geometry().blocks(), "a block that is written");
    if (!archive.loading() || !open.block.valid()) continue;
    open.next_page = writing_.blocks.next_page(open.block) / writing_.layout().units_per_page();
    count_open(static_cast<std::uint8_t>(k / planes_), shape(open.block).data_pages() - open.next_page);
  }
}

}  // namespace nandscape::controller
