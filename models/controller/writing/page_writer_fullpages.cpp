// SPDX-License-Identifier: Apache-2.0
// What PageWriter does differently where blocks lie over layers, and where they hold fullpages.
//
// Wordlines of the four members are written in turn, so that each is complete as soon as its pages are there. In a
// block of fullpages, four wordlines in turn hold a group of fullpages, one in each quarter of the layers, those that
// lend parity before those that borrow it. When a program fails, pages of the group that have no place yet, and those
// that have lost it, are written alone: what was programmed is complete without them.
#include "controller/writing/page_writer.h"

namespace nandscape {

PageWriter::RowAndMember PageWriter::page_at(std::uint32_t position, std::uint8_t stream) const {
  if (!io_.layout().over_layers()) return {position, 0};
  const std::uint32_t wordline = position / pages_per_wordline_;
  const std::uint32_t row = wordline / layer_quarters * pages_per_wordline_ + position % pages_per_wordline_;
  const std::uint32_t turn = wordline % layer_quarters;
  return {row, stream == settings_.fullpage_stream ? settings_.fullpages->member(row, turn) : turn};
}

PageProgram& PageWriter::page_of_fullpages(std::uint32_t place_in_group, PlaneId plane) {
  PageProgram& page = make_page(PageOrigin::host, settings_.fullpage_stream, plane);
  page.place_in_group = static_cast<std::uint16_t>(place_in_group);
  return page;
}

// Its group goes on elsewhere, or has been given up.
bool PageWriter::stands_alone(const PageProgram& page) const {
  if (page.place_in_group == 0) return false;
  const Lane& to = lane(page.write_stream, page.plane);
  const std::uint32_t next = to.block.valid() ? to.next_page % pages_of_fullpages() : 0;
  return page.place_in_group != next + 1;
}

void PageWriter::leave_group(PageProgram& page) {
  page.place_in_group = 0;
  page.tag[1] &= ~fullpages_bit;
  page.write_stream = settings_.ordinary_stream;
}

}  // namespace nandscape
