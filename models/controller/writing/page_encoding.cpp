// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/page_encoding.h"

#include "controller/mapping/page_tag.h"
#include "controller/writing/write_frontier.h"

namespace nandscape::controller {

PageEncoding::PageEncoding(WritingState& writing, const WriteFrontier& frontier)
    : writing_(writing), frontier_(frontier), codes_(writing.io, writing.settings.codes, writing.settings.write_mode) {
  if (!codes_.by_wordline() || !frontier.has_wordlines_for_pairs() || writing.io.path().pages_per_wordline != 2) return;
  WordlinePairs::Client& client = *this;
  pairs_.emplace(writing.io, codes_, writing.settings.streams.count, writing.settings.wordline_wait, writing.calendar,
                 client);
}

void PageEncoding::encode(PageProgram& page) {
  write_tag(page);
  page.command.tag = std::span(page.tag).first(2 * writing_.layout().units_per_page());
  const bool gathers = pairs_ && !page.is_padding() && !writing_.power.saving;
  if (!gathers || !pairs_->take(page, expected_place(page))) encode_alone(page);
}

void PageEncoding::write_tag(PageProgram& page) const {
  page.tag.fill(~std::uint64_t{0});
  std::size_t word = 0;
  for (const UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page) {
    page.tag[word++] = tag_word(unit->lpn, unit->lost);
    page.tag[word++] = unit->version;
  }
  page.mark_group();
}

// The estimate is right if no page overtakes another on the way to its place.
std::uint64_t PageEncoding::expected_place(const PageProgram& page) const {
  return frontier_.next(page.write_stream, page.plane) + writing_.points.of(page).all_on_their_way() - 1;
}

void PageEncoding::encode_alone(PageProgram& page) {
  if (codes_.any()) codes_.choose(page, expected_place(page));
  writing_.io.encode(page);
}

void PageEncoding::encode_again(PageProgram& page) {
  ++writing_.counters.changed_codes;
  codes_.encode_again(page);
}

void PageEncoding::coded(PageProgram& page, Tick now) {
  if (page.pair.other != nullptr) return pairs_->coded(page);
  enqueue_page(writing_.io, page, now);
}

}  // namespace nandscape::controller
