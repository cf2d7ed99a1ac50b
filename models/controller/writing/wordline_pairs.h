// SPDX-License-Identifier: Apache-2.0
// Gathers the two pages of a wordline before the first is encoded. This is needed if the way they are written depends
// on the states that both bits give the cells. A page passes these stages:
//
//   held     it waits for the other page; if that does not come in time, the page is written alone
//   coding   both pages have come
//   coded    both are encoded: the first is queued, the last waits until the first has its place
//   queued   the last is queued, too, at the front of its queue
//   placed   the last gets the place behind the first, which is kept free for it
//
// A pair that cannot stay together is separated. The changes that pairing made to each page are undone; each page is
// encoded again and written alone. If a page of the pair is being programmed, separation waits for it: its data may yet
// be read, after a loss of power.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "controller/flash_ops/flash_io.h"
#include "controller/writing/code_choice.h"
#include "controller/writing/page_program.h"
#include "core/calendar.h"

namespace nandscape::controller {

class WordlinePairs {
 public:
  class Client {
   public:
    // Encodes a page that is written alone, and a page whose pair was separated.
    virtual void encode_alone(PageProgram& page) = 0;
    virtual void encode_again(PageProgram& page) = 0;
    // The place behind the first page is taken, or will not be: other pages of the write point may go on.
    virtual void place_settled(FlashPlane plane) = 0;

   protected:
    ~Client() = default;
  };

  // There is a write point for each of `streams` streams on each plane. A page waits for the other one for `wait`.
  WordlinePairs(FlashIo& io, const CodeChoice& codes, std::uint32_t streams, Tick wait, Calendar& calendar,
                Client& client);

  // Whether that page begins a wordline of two pages. The last wordline of a block may have only one.
  static bool begins_wordline(std::uint64_t page, std::uint32_t pages_per_block) {
    const std::uint64_t of_block = page % pages_per_block;
    return of_block % 2 == 0 && of_block + 1 < pages_per_block;
  }
  bool begins_wordline(std::uint64_t page) const { return begins_wordline(page, pages_per_block_); }

  // Takes an assembled page with data. `expected_page` is the page of its block that it will probably get. Returns
  // whether the page is kept; else the caller writes it alone, behind the page that was held for its write point.
  bool take(PageProgram& page, std::uint64_t expected_page);
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
    Tick until = 0;  // end of the wait of the held page
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
  const std::uint32_t pages_per_block_;
  const Tick wait_;
  Calendar& calendar_;
  Client& client_;
  std::vector<Point> points_;  // by stream and plane
};

}  // namespace nandscape::controller
