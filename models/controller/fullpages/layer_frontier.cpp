// SPDX-License-Identifier: Apache-2.0
#include "controller/fullpages/layer_frontier.h"

#include "controller/mapping/page_tag.h"

namespace nandscape::controller {

PlainFrontier::RowAndMember LayerFrontier::page_at(std::uint32_t position, std::uint8_t stream) const {
  const std::uint32_t wordline = position / pages_per_wordline();
  const std::uint32_t row = wordline / layer_quarters * pages_per_wordline() + position % pages_per_wordline();
  const std::uint32_t turn = wordline % layer_quarters;
  return {row, stream == fullpage_stream_ ? fullpages_.member(row, turn) : turn};
}

void LayerFrontier::open(const PageProgram& page, FtlPlane plane, Superblock block) {
  PlainFrontier::open(page, plane, block);
  if (page.place_in_group != 0) blocks().set_frontier_mark(block);
}

std::optional<std::uint32_t> LayerFrontier::next_page(const PageProgram& page, bool may_open) const {
  return PlainFrontier::next_page(stands_alone(page) ? ordinary_stream_ : page.write_stream, page.plane, may_open);
}

// True if the group continues at another place, or has been abandoned.
bool LayerFrontier::stands_alone(const PageProgram& page) const {
  if (page.place_in_group == 0) return false;
  const OpenBlock& to = at(page.write_stream, page.plane);
  const std::uint32_t group = layer_quarters * pages_per_wordline();
  const std::uint32_t next = to.block.valid() ? to.next_page % group : 0;
  return page.place_in_group != next + 1;
}

void LayerFrontier::leave_group(PageProgram& page) const {
  if (page.place_in_group == 0) return;
  page.place_in_group = 0;
  page.tag[1] &= ~frontier_mark_bit;
  page.write_stream = ordinary_stream_;
}

void LayerFrontier::mark(PageProgram& page) const {
  if (page.place_in_group != 0) page.tag[1] |= frontier_mark_bit;
}

std::uint32_t LayerFrontier::programmed_rows(Superblock block, std::uint32_t member) const {
  const std::uint32_t pages = blocks().next_page(block) / io().layout().units_per_page();
  std::uint32_t rows = 0;
  for (std::uint32_t k = 0; k < pages; ++k) rows += page_at(k, blocks().stream(block)).member == member;
  return rows;
}

}  // namespace nandscape::controller
