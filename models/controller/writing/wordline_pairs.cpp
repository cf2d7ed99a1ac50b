// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/wordline_pairs.h"

#include <array>
#include <ostream>
#include <utility>

namespace nandscape::controller {

namespace {

using Stage = WordlinePair::Stage;

}  // namespace

WordlinePairs::WordlinePairs(FlashIo& io, const CodeChoice& codes, std::uint32_t streams, Tick wait, Calendar& calendar,
                             Client& client)
    : io_(io),
      codes_(codes),
      planes_(io.layout().flash().planes()),
      pages_per_block_(io.layout().flash().pages_per_block),
      wait_(wait),
      calendar_(calendar),
      client_(client),
      points_(std::size_t{streams} * planes_) {}

bool WordlinePairs::take(PageProgram& page, std::uint64_t expected_page) {
  Point& point = at(page);
  // Pages of a pair share a queue, so that no other page comes between them.
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
  // The page completes a wordline whose first page was written alone, or is the only one of its wordline.
  if (!begins_wordline(expected_page)) return false;
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

// The scheduler is searching its queues now, and can take the last page only when it has finished.
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
    // A queued page is taken out when its turn comes.
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

}  // namespace nandscape::controller
