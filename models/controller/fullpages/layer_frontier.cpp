// SPDX-License-Identifier: Apache-2.0
#include "controller/fullpages/layer_frontier.h"

namespace nandscape::controller {

PlainFrontier::RowAndMember LayerFrontier::page_at(std::uint32_t position, std::uint8_t stream) const {
  const std::uint32_t wordline = position / pages_per_wordline();
  const std::uint32_t row = wordline / layer_quarters * pages_per_wordline() + position % pages_per_wordline();
  const std::uint32_t turn = wordline % layer_quarters;
  return {row, stream == fullpage_stream_ ? fullpages_.member(row, turn) : turn};
}

void LayerFrontier::open(std::uint8_t stream, FtlPlane plane, Superblock block, std::uint32_t pages) {
  PlainFrontier::open(stream, plane, block, pages);
  if (stream == fullpage_stream_) writing().blocks.set_frontier_mark(block);
}

std::optional<std::uint32_t> LayerFrontier::next_page(const PageProgram& page, bool may_open) const {
  const std::uint8_t stream = turn(page) == Turn::alone ? page.alone_stream : page.write_stream;
  return PlainFrontier::next_page(stream, page.plane, may_open);
}

Turn LayerFrontier::turn(const PageProgram& page) const {
  if (page.place_in_group == 0) return Turn::now;
  const OpenBlock& to = at(page.write_stream, page.plane);
  const std::uint32_t group = layer_quarters * pages_per_wordline();
  const std::uint32_t next = to.block.valid() ? to.next_page % group : 0;
  return page.place_in_group == next + 1 ? Turn::now : Turn::alone;
}

std::uint32_t LayerFrontier::programmed_rows(Superblock block, std::uint32_t member) const {
  const std::uint32_t pages = writing().blocks.next_page(block) / writing().layout().units_per_page();
  std::uint32_t rows = 0;
  for (std::uint32_t k = 0; k < pages; ++k) rows += page_at(k, writing().blocks.stream(block)).member == member;
  return rows;
}

}  // namespace nandscape::controller
