// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/page_encoding.h"

#include <array>
#include <ostream>
#include <utility>

#include "controller/content/state_mapping.h"
#include "controller/mapping/page_tag.h"
#include "controller/writing/write_frontier.h"

namespace nandscape::controller {

void CodeChoice::choose(PageProgram& page, std::uint32_t expected_type) const {
  std::optional<std::uint32_t> type;
  if (by_place() && !page.is_padding()) type = expected_type;
  set(page, chooser_->coding_for(to_encode(page, false, type)));
}

void CodeChoice::choose_pair(PageProgram& first, PageProgram& last) const {
  constexpr std::uint32_t first_type = 0, last_type = 1;
  std::array<PageCoding, 2> codings;
  if (any()) codings = chooser_->codings_for(to_encode(first, false, first_type), to_encode(last, false, last_type));
  if (mode_ != nullptr && mode_->maps_states()) {
    codings[0].state_map = codings[1].state_map = mode_->state_map(data_of(first), data_of(last));
  }
  set(first, codings[0]);
  set(last, codings[1]);
  if (codings[0].state_map != 0) StateMapping(codings[0].state_map).apply(data_of(first), data_of(last));
}

void CodeChoice::undo_pair(PageProgram& first, PageProgram& last) const {
  const std::uint8_t map = state_map_in(first.command.tag);
  if (map == 0) return;
  StateMapping(map).undo(data_of(first), data_of(last));
  for (PageProgram* const page : {&first, &last}) set_coding(page->command.tag, page->ecc.code, 0);
}

bool CodeChoice::may_stand(const PageProgram& page, std::uint32_t type) const {
  if (!by_place() || page.is_padding()) return true;
  return chooser_->may_stand({page.ecc.code, state_map_in(page.command.tag)}, to_encode(page, true, type));
}

void CodeChoice::encode_again(PageProgram& page) const {
  if (any()) set(page, chooser_->coding_for(to_encode(page, true, std::nullopt)));
  io_.encode_again(page);
}

PageToEncode CodeChoice::to_encode(const PageProgram& page, bool encoded, std::optional<std::uint32_t> type) const {
  return {.background = page.moves_data(),
          .padding = page.is_padding(),
          .tag = page.command.tag,
          .data = data_of(page),
          .encoded = encoded,
          .type = type};
}

std::span<std::byte> CodeChoice::data_of(const PageProgram& page) const {
  if (!io_.path().keeps_data()) return {};
  return {page.command.data, page.command.bytes};
}

void CodeChoice::set(PageProgram& page, PageCoding coding) {
  page.ecc.code = coding.code;
  set_coding(page.command.tag, coding.code, coding.state_map);
}

namespace {

using Stage = WordlinePair::Stage;

}  // namespace

WordlinePairs::WordlinePairs(FlashIo& io, const CodeChoice& codes, std::uint32_t streams, Tick wait, Calendar& calendar,
                             Client& client)
    : io_(io),
      codes_(codes),
      planes_(io.layout().flash().planes()),
      wait_(wait),
      calendar_(calendar),
      client_(client),
      points_(std::size_t{streams} * planes_) {}

bool WordlinePairs::take(PageProgram& page, bool begins) {
  Point& point = at(page);
  // Both pages of a pair must be in the same queue, so that no other page can come between them.
  if (point.held != nullptr && point.held->queue != page.queue) release(point);
  if (point.held != nullptr) {
    PageProgram& first = *std::exchange(point.held, nullptr);
    first.pair = {.other = &page, .stage = Stage::coding, .first = true};
    page.pair = {.other = &first, .stage = Stage::coding, .first = false};
    codes_.choose_pair(first, page);
    io_.encode(first);
    io_.encode(page);
    return true;
  }
  // The page cannot begin a pair. Either it completes a wordline whose first page was written alone, or it is the only
  // page of its wordline.
  if (!begins) return false;
  point.held = &page;
  point.until = calendar_.now() + wait_;
  calendar_.schedule<&WordlinePairs::waited>(point.until, *this, index(page.write_stream, page.plane));
  return true;
}

void WordlinePairs::waited(std::uint64_t index) {
  Point& point = points_[index];
  if (point.until <= calendar_.now()) release(point);
}

void WordlinePairs::release(Point& point) {
  if (PageProgram* const page = std::exchange(point.held, nullptr)) client_.encode_alone(*page);
}

void WordlinePairs::release(std::uint8_t stream, FlashPlane plane) { release(points_[index(stream, plane)]); }

void WordlinePairs::release_all() {
  for (Point& point : points_) release(point);
}

void WordlinePairs::coded(PageProgram& page) {
  page.pair.stage = Stage::coded;
  if (page.pair.other->pair.stage != Stage::coded) return;
  PageProgram& first = page.pair.first ? page : *page.pair.other;
  first.pair.stage = Stage::queued;
  io_.enqueue(first, calendar_.now());
}

// The last page cannot be queued at once, because the scheduler is searching its queues at the moment. An event queues
// it afterwards.
void WordlinePairs::first_placed(PageProgram& first) {
  first.pair.stage = Stage::placed;
  at(first).reserved = first.pair.other;
  calendar_.schedule<&WordlinePairs::send_last>(calendar_.now(), *this, *first.pair.other);
}

void WordlinePairs::send_last(PageProgram& last) {
  if (last.pair.other == nullptr || last.pair.stage != Stage::coded) return;
  last.pair.stage = Stage::queued;
  io_.enqueue(last, calendar_.now(), QueuePosition::first);
}

void WordlinePairs::last_placed(PageProgram& last) {
  last.pair.stage = Stage::placed;
  free_reserved(last);
}

void WordlinePairs::free_reserved(PageProgram& last) {
  Point& point = at(last);
  if (point.reserved != &last) return;
  point.reserved = nullptr;
  calendar_.schedule<&WordlinePairs::settle>(calendar_.now(), *this, std::uint64_t{last.plane.value});
}

void WordlinePairs::returned(PageProgram& page) {
  page.pair.stage = Stage::returned;
  if (page.pair.other->pair.stage != Stage::placed) separate(page);
}

void WordlinePairs::separate(PageProgram& page) {
  PageProgram& other = *page.pair.other;
  PageProgram& first = page.pair.first ? page : other;
  PageProgram& last = page.pair.first ? other : page;
  free_reserved(last);
  codes_.undo_pair(first, last);
  for (PageProgram* const alone : std::array{&first, &last}) {
    // A page that is in a queue cannot be removed from it. The page leaves the queue when its turn comes, and is then
    // encoded again.
    const bool queued = std::exchange(alone->pair, {}).stage == Stage::queued;
    alone->code_must_change = queued;
    if (!queued) client_.encode_again(*alone);
  }
}

void WordlinePairs::list_waiting(std::ostream& out) const {
  for (std::size_t k = 0; k < points_.size(); ++k) {
    if (points_[k].held != nullptr) {
      out << "stream " << k / planes_ << " on plane " << k % planes_
          << ": a page waits for the other of its wordline\n";
    }
  }
}

PageEncoding::PageEncoding(WritingState& writing, WriteFrontier& frontier)
    : writing_(writing), frontier_(frontier), codes_(writing.io, writing.settings.codes, writing.settings.write_mode) {
  const bool pairs = writing.blocks.shapes().ordinary().pages_per_wordline == 2;
  if (!codes_.by_wordline() || !frontier.has_wordlines_for_pairs() || !pairs) return;
  WordlinePairs::Client& client = *this;
  pairs_.emplace(writing.io, codes_, writing.settings.streams.count, writing.settings.wordline_wait, writing.calendar,
                 client);
}

void PageEncoding::encode(PageProgram& page) {
  write_tag(page);
  page.command.tag = std::span(page.tag).first(2 * writing_.layout().units_per_page());
  if (writing_.settings.two_passes && writing_.io.path().keeps_data()) {
    page.plain.assign(page.command.data, page.command.data + page.command.bytes);
  }
  const bool gathers = pairs_ && !page.is_padding() && !writing_.power.saving;
  if (!gathers || !pairs_->take(page, begins_pair(page, expected_place(page)))) encode_alone(page);
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

// Estimates to which page of its write point the page will be written. The estimate is right if no page overtakes
// another on its way to the flash.
std::uint64_t PageEncoding::expected_place(const PageProgram& page) const {
  return frontier_.next(page.write_stream, page.plane) + writing_.points.of(page).all_on_their_way() - 1;
}

const BlockShape& PageEncoding::shape_for(const PageProgram& page) const {
  return writing_.shape_for(page, frontier_.open_block(page.write_stream, page.plane));
}

void PageEncoding::encode_alone(PageProgram& page) {
  if (codes_.any()) codes_.choose(page, shape_for(page).type_of(expected_place(page)));
  writing_.io.encode(page);
}

void PageEncoding::encode_again(PageProgram& page) {
  ++writing_.counters.changed_codes;
  codes_.encode_again(page);
}

void PageEncoding::coded(PageProgram& page, Tick now) {
  if (page.pair.other != nullptr) return pairs_->coded(page);
  frontier_.send(page, now);
}

}  // namespace nandscape::controller
