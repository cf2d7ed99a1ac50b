// SPDX-License-Identifier: Apache-2.0
// Encodes pages. PageEncoding writes the tag of a page and chooses its code. If the content of a wordline decides how
// it is written, it first gathers the pages of the wordline. Encoded pages are passed to the scheduler.
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

// Chooses the code of each page, and checks that the code is allowed at the location to which the page is finally
// written (see ecc_selection/ecc_selection.h). Also chooses the state map for the pages of a wordline (see
// content/state_mapping.h).
class CodeChoice {
 public:
  // `chooser` is null if all pages use the ordinary code. `mode` is null if all pages are programmed in the same way.
  CodeChoice(FlashIo& io, CodeChooser* chooser, const WriteModePolicy* mode)
      : io_(io), chooser_(chooser), mode_(mode) {}

  // any() returns whether the drive has several codes, and by_place() whether the choice depends on the location of the
  // page.
  bool any() const { return chooser_ != nullptr; }
  bool by_place() const { return any() && chooser_->goes_by_place(); }
  // Returns whether the codes or the state map depend on the content of both pages of a wordline.
  bool by_wordline() const {
    return (any() && chooser_->goes_by_wordline()) || (mode_ != nullptr && mode_->goes_by_wordline());
  }

  // Chooses the code of a page that is about to be encoded. `expected_type` is the number that the page will probably
  // have in its wordline.
  void choose(PageProgram& page, std::uint32_t expected_type) const;
  // Chooses the codes and the state map of the two pages of a wordline, which are about to be encoded, and applies the
  // state map to their data.
  void choose_pair(PageProgram& first, PageProgram& last) const;
  // Undoes the state map of two encoded pages, so that their buffers contain the original data again.
  void undo_pair(PageProgram& first, PageProgram& last) const;
  // Returns whether the code of the page is allowed if the page is written as page number `type` of a wordline. If it
  // is not, the page must be encoded again.
  [[nodiscard]] bool may_stand(const PageProgram& page, std::uint32_t type) const;
  // Encodes the page again, with a code that is allowed everywhere, so that the page is never encoded a third time.
  void encode_again(PageProgram& page) const;

 private:
  PageToEncode to_encode(const PageProgram& page, bool encoded, std::optional<std::uint32_t> type) const;
  std::span<std::byte> data_of(const PageProgram& page) const;
  static void set(PageProgram& page, PageCoding coding);

  FlashIo& io_;
  CodeChooser* const chooser_;
  const WriteModePolicy* const mode_;
};

// Gathers the two pages of a wordline before the first of them is encoded. This is necessary if the way in which they
// are written depends on the cell states, which both pages together determine. A pair passes through these stages:
//
//   held     The first page waits for the other page. If that page does not arrive in time, the first is written alone.
//   coding   Both pages have arrived and are being encoded.
//   coded    Both pages are encoded. The first is queued, and the last waits until the first is given its flash page.
//   queued   The last page is queued as well, at the front of its queue.
//   placed   The last page is given the next flash page, which has been reserved for it.
//
// A pair that cannot be written to one wordline is separated. The state map of the pair is undone, and each page is
// encoded again and written alone. If one page of the pair is already being programmed, the pair is not separated
// before that program has ended, because the page may be needed after a loss of power.
class WordlinePairs {
 public:
  class Client {
   public:
    // encode_alone() encodes a page that is written alone, and encode_again() encodes a page whose pair has been
    // separated.
    virtual void encode_alone(PageProgram& page) = 0;
    virtual void encode_again(PageProgram& page) = 0;
    // Called when the flash page that was reserved for a last page is taken or no longer reserved. Other pages of the
    // write point may proceed.
    virtual void place_settled(FlashPlane plane) = 0;

   protected:
    ~Client() = default;
  };

  // Each of the `streams` streams has a write point on each plane. A page waits for the other page of its wordline for
  // at most `wait`.
  WordlinePairs(FlashIo& io, const CodeChoice& codes, std::uint32_t streams, Tick wait, Calendar& calendar,
                Client& client);

  // Returns whether page number `page` of a write point begins a wordline of two pages, in a block of the given shape.
  // The last wordline of a block may have only one page.
  static bool begins_wordline(std::uint64_t page, const BlockShape& shape) {
    const std::uint64_t row = page % shape.rows;
    return shape.pages_per_wordline == 2 && shape.type_of(row) == 0 && row + 1 < shape.rows;
  }

  // Takes an assembled page with data. `begins` is true if the page will probably begin a wordline of two pages.
  // Returns true if the page is held or has been paired. If it returns false, the caller must write the page alone,
  // after the page that was held for the write point until now.
  bool take(PageProgram& page, bool begins);
  // Write the held page of a write point, or all held pages, alone.
  void release(std::uint8_t stream, FlashPlane plane);
  void release_all();

  // Called when a page of a pair has been encoded (coded), and when the first or the last page is given its flash page.
  void coded(PageProgram& page);
  void first_placed(PageProgram& first);
  void last_placed(PageProgram& last);
  // Called when the page has left its queue without being placed, or when it has lost its flash page because a program
  // has failed.
  void returned(PageProgram& page);

  // Returns the page for which the next flash page of the write point is reserved, or null if any page may be written
  // there.
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
  std::vector<Point> points_;  // indexed by stream and plane
};

class WriteFrontier;

class PageEncoding final : public CodingStage, private WordlinePairs::Client {
 public:
  PageEncoding(WritingState& writing, WriteFrontier& frontier);

  // Encodes a page that has been assembled and assigned to a plane of the flash.
  void encode(PageProgram& page);
  void coded(PageProgram& page, Tick now) override;
  // Encodes the page again, with a code that is allowed at any location.
  void encode_again(PageProgram& page) override;
  // Returns whether some codes are allowed only at some pages of a block.
  bool chooses_by_place() const { return codes_.by_place(); }
  // Returns whether the code of the page is allowed at page number `place` of its write point.
  bool allows(const PageProgram& page, std::uint64_t place) const {
    return codes_.may_stand(page, shape_for(page).type_of(place));
  }
  // Returns whether page number `place` of the page's write point begins a wordline of two pages.
  bool begins_pair(const PageProgram& page, std::uint64_t place) const {
    return WordlinePairs::begins_wordline(place, shape_for(page));
  }

  // The pairs of pages that are gathered, or null if all pages are written alone.
  WordlinePairs* pairs() { return pairs_ ? &*pairs_ : nullptr; }
  // Returns the last page of a pair if the next flash page of the write point is reserved for it. Returns null if the
  // next flash page is not reserved.
  const PageProgram* reserved_for(std::uint8_t stream, FlashPlane plane) const {
    return pairs_ ? pairs_->reserved_for(stream, plane) : nullptr;
  }
  // Writes all pages alone that are waiting for the other page of their wordline.
  void release_held() {
    if (pairs_) pairs_->release_all();
  }
  void list_waiting(std::ostream& out) const {
    if (pairs_) pairs_->list_waiting(out);
  }

 private:
  std::uint64_t expected_place(const PageProgram& page) const;
  // Returns the shape of the block to which the page will be written, or will probably be written.
  const BlockShape& shape_for(const PageProgram& page) const;
  void write_tag(PageProgram& page) const;
  // Implements WordlinePairs::Client.
  void encode_alone(PageProgram& page) override;
  void place_settled(FlashPlane plane) override { writing_.scheduler.places_changed(plane, writing_.calendar.now()); }

  WritingState& writing_;
  WriteFrontier& frontier_;
  const CodeChoice codes_;
  // Has a value if choices depend on pairs and the frontier keeps the two pages of a pair together.
  std::optional<WordlinePairs> pairs_;
};

}  // namespace nandscape::controller
