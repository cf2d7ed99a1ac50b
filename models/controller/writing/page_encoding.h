// SPDX-License-Identifier: Apache-2.0
// Encodes pages: writes their tags, chooses their codes, gathers the pages of a wordline if its content decides how it
// is written, and hands encoded pages to the scheduler.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <vector>

#include "controller/ecc_selection/ecc_selection.h"
#include "controller/flash_ops/flash_io.h"
#include "controller/writing/page_program.h"
#include "controller/writing/write_mode.h"
#include "controller/writing/writing_state.h"
#include "core/calendar.h"

namespace nandscape::controller {

// Chooses the code of each page that is written, and checks that the code suits the place that the page gets
// (ecc_selection/ecc_selection.h). Also chooses the state map of the pages of a wordline (content/state_mapping.h).
class CodeChoice {
 public:
  // `chooser` is null if all pages use the ordinary code; `mode` is null if all pages are written alike.
  CodeChoice(FlashIo& io, CodeChooser* chooser, const WriteModePolicy* mode)
      : io_(io), chooser_(chooser), mode_(mode) {}

  // Whether the drive has a choice of codes, and whether the choice depends on the page's place.
  bool any() const { return chooser_ != nullptr; }
  bool by_place() const { return any() && chooser_->goes_by_place(); }
  // Whether codes or state maps depend on both pages of a wordline.
  bool by_wordline() const {
    return (any() && chooser_->goes_by_wordline()) || (mode_ != nullptr && mode_->goes_by_wordline());
  }

  // Chooses the code of a page that is about to be encoded. `expected_type` is the number, within its wordline, of the
  // flash page that it will probably get.
  void choose(PageProgram& page, std::uint32_t expected_type) const;
  // Chooses the codes of the two pages of a wordline, which are about to be encoded, and applies their state map to the
  // data.
  void choose_pair(PageProgram& first, PageProgram& last) const;
  // Undoes the state map of two encoded pages, so that they hold the data as written.
  void undo_pair(PageProgram& first, PageProgram& last) const;
  // Whether the page's code is allowed for page number `type` of a wordline. If not, the page has to be encoded again.
  [[nodiscard]] bool may_stand(const PageProgram& page, std::uint32_t type) const;
  // Encodes the page with a code that is allowed everywhere, so that the page is never encoded a third time.
  void encode_again(PageProgram& page) const;

 private:
  PageToEncode to_encode(const PageProgram& page, bool encoded, std::optional<std::uint32_t> type) const;
  std::span<std::byte> data_of(const PageProgram& page) const;
  static void set(PageProgram& page, PageCoding coding);

  FlashIo& io_;
  CodeChooser* const chooser_;
  const WriteModePolicy* const mode_;
};

// Gathers the two pages of a wordline before the first is encoded. This is needed if the cell states that result from
// both pages decide how they are written. A page passes these stages:
//
//   held     it waits for the other page; if that does not come in time, the page is written alone
//   coding   both pages have come
//   coded    both are encoded: the first is queued, the last waits until the first has its place
//   queued   the last is queued, too, at the front of its queue
//   placed   the last gets the place behind the first, which is kept free for it
//
// A pair that cannot stay together is separated. The changes that pairing made to each page are undone; each page is
// encoded again and written alone. If a page of the pair is being programmed, separation waits for it, since its data
// may still be read after a loss of power.
class WordlinePairs {
 public:
  class Client {
   public:
    // Encodes a page that is written alone, and a page whose pair was separated.
    virtual void encode_alone(PageProgram& page) = 0;
    virtual void encode_again(PageProgram& page) = 0;
    // The place after the first page is taken, or will never be: other pages of the write point may proceed.
    virtual void place_settled(FlashPlane plane) = 0;

   protected:
    ~Client() = default;
  };

  // There is a write point for each of `streams` streams on each plane. A page waits at most `wait` for the other page
  // of its wordline.
  WordlinePairs(FlashIo& io, const CodeChoice& codes, std::uint32_t streams, Tick wait, Calendar& calendar,
                Client& client);

  // Whether `page` begins a wordline of two pages in a block of that shape. The last wordline of a block may have only
  // one.
  static bool begins_wordline(std::uint64_t page, const BlockShape& shape) {
    const std::uint64_t row = page % shape.rows;
    return shape.pages_per_wordline == 2 && shape.type_of(row) == 0 && row + 1 < shape.rows;
  }

  // Takes an assembled page with data. `begins`: the page will probably begin a wordline of two pages. Returns whether
  // the page is kept. If not, the caller writes the page alone, behind the page that was held for its write point.
  bool take(PageProgram& page, bool begins);
  // Writes held pages alone.
  void release(std::uint8_t stream, FlashPlane plane);
  void release_all();

  // Events of pages of pairs.
  void coded(PageProgram& page);
  void first_placed(PageProgram& first);
  void last_placed(PageProgram& last);
  // The page has left its queue without a place, or has lost its place.
  void returned(PageProgram& page);

  // The page for which the next place of the write point is reserved; null if any page may have it.
  const PageProgram* reserved_for(std::uint8_t stream, FlashPlane plane) const { return at(stream, plane).reserved; }

  void list_waiting(std::ostream& out) const;

 private:
  struct Point {
    PageProgram* held = nullptr;
    Tick until = 0;  // time until which the held page waits
    PageProgram* reserved = nullptr;
  };

  std::size_t index(std::uint8_t stream, FlashPlane plane) const { return std::size_t{stream} * planes_ + plane.value; }
  Point& at(const PageProgram& page) { return points_[index(page.write_stream, page.plane)]; }
  const Point& at(std::uint8_t stream, FlashPlane plane) const { return points_[index(stream, plane)]; }
  void release(Point& point);
  void waited(std::uint64_t index);
  void send_last(PageProgram& last);
  void settle(std::uint64_t plane) { client_.place_settled(FlashPlane(static_cast<std::uint32_t>(plane))); }
  void free_reserved(PageProgram& last);
  void separate(PageProgram& page);

  FlashIo& io_;
  const CodeChoice& codes_;
  const std::uint32_t planes_;
  const Tick wait_;
  Calendar& calendar_;
  Client& client_;
  std::vector<Point> points_;  // by stream and plane
};

class WriteFrontier;

class PageEncoding final : public CodingStage, private WordlinePairs::Client {
 public:
  PageEncoding(WritingState& writing, const WriteFrontier& frontier);

  // Encodes a page that is assembled and assigned to a plane of the flash.
  void encode(PageProgram& page);
  void coded(PageProgram& page, Tick now) override;
  // Encodes the page again, with a code that is allowed at any place.
  void encode_again(PageProgram& page) override;
  // Whether the page's code is allowed at position `place` of its write point.
  bool allows(const PageProgram& page, std::uint64_t place) const {
    return !codes_.by_place() || codes_.may_stand(page, shape_for(page).type_of(place));
  }
  // Whether position `place` of its write point begins a wordline of two pages.
  bool begins_pair(const PageProgram& page, std::uint64_t place) const {
    return WordlinePairs::begins_wordline(place, shape_for(page));
  }

  // Pairs of pages of a wordline; null if pages are written alone.
  WordlinePairs* pairs() { return pairs_ ? &*pairs_ : nullptr; }
  // The last page of a pair, for which the next place of the write point is reserved; null if there is none.
  const PageProgram* reserved_for(std::uint8_t stream, FlashPlane plane) const {
    return pairs_ ? pairs_->reserved_for(stream, plane) : nullptr;
  }
  // Writes each page alone that waits for the other page of its wordline.
  void release_held() {
    if (pairs_) pairs_->release_all();
  }
  void list_waiting(std::ostream& out) const {
    if (pairs_) pairs_->list_waiting(out);
  }

 private:
  std::uint64_t expected_place(const PageProgram& page) const;
  // The shape of the block that the page gets, or will probably get.
  const BlockShape& shape_for(const PageProgram& page) const;
  void write_tag(PageProgram& page) const;
  // WordlinePairs::Client
  void encode_alone(PageProgram& page) override;
  void place_settled(FlashPlane plane) override { writing_.scheduler.places_changed(plane, writing_.calendar.now()); }

  WritingState& writing_;
  const WriteFrontier& frontier_;
  const CodeChoice codes_;
  std::optional<WordlinePairs> pairs_;  // set if choices depend on pairs and the frontier keeps pairs together
};

}  // namespace nandscape::controller
