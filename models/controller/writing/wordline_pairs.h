// SPDX-License-Identifier: Apache-2.0
// Gathers the two pages of a wordline before the first of them is encoded, for those whose way of writing goes by what
// the cells will hold: the states that both bits give them. A page goes through these stages:
//
//   held     it waits for the other one; when that does not come in time, it goes alone
//   coding   both are there
//   coded    both are encoded: the first is queued, the last waits for the first to get its place
//   queued   the last, too, at the front of its queue
//   placed   the last gets the place behind the first, which nothing else gets
//
// A pair that cannot stay together is separated: what the other page has had to do with either is undone, and each is
// encoded once more and goes alone. A page of a pair that is on its way to the flash is waited for before that: what it
// brings there may yet be read, after a loss of power.
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
    // A page that goes alone; and one that was of a pair.
    virtual void encode_alone(PageProgram& page) = 0;
    virtual void encode_again(PageProgram& page) = 0;
    // The place behind the first page is taken, or will not be: others of the write point may go on.
    virtual void place_settled(FlashPlane plane) = 0;

   protected:
    ~Client() = default;
  };

  // Write points are those of so many streams on so many planes. Pages wait so long for each other.
  WordlinePairs(FlashIo& io, const CodeChoice& codes, std::uint32_t streams, Tick wait, Calendar& calendar,
                Client& client);

  // Whether that page begins a wordline of two pages, in blocks of so many: the last one of a block may have only one.
  static bool begins_wordline(std::uint64_t page, std::uint32_t pages_per_block) {
    const std::uint64_t of_block = page % pages_per_block;
    return of_block % 2 == 0 && of_block + 1 < pages_per_block;
  }
  bool begins_wordline(std::uint64_t page) const { return begins_wordline(page, pages_per_block_); }

  // A page that is assembled, with data, and that is expected to get that page of its block. Returns whether it is
  // kept; else it goes alone, behind what was held for its write point.
  bool take(PageProgram& page, std::uint64_t expected_page);
  // What is held goes alone.
  void release(std::uint8_t stream, FlashPlane plane);
  void release_all();

  // Of pages of pairs.
  void coded(PageProgram& page);
  void first_placed(PageProgram& first);
  void last_placed(PageProgram& last);
  // It has left its queue without a place, or has lost it.
  void returned(PageProgram& page);

  // The page that gets the next place of the write point; null: any.
  const PageProgram* owed(std::uint8_t stream, FlashPlane plane) const { return at(stream, plane).owed; }

  void list_waiting(std::ostream& out) const;

 private:
  struct Point {
    PageProgram* held = nullptr;
    Tick until = 0;  // it is held
    PageProgram* owed = nullptr;
  };

  std::size_t index(std::uint8_t stream, FlashPlane plane) const { return std::size_t{stream} * planes_ + plane.value; }
  Point& at(const PageProgram& page) { return points_[index(page.write_stream, page.plane)]; }
  const Point& at(std::uint8_t stream, FlashPlane plane) const { return points_[index(stream, plane)]; }
  void release(Point& point);
  void waited(std::uint64_t index);
  void send_last(PageProgram& last);
  void settle(std::uint64_t plane) { client_.place_settled(FlashPlane(static_cast<std::uint32_t>(plane))); }
  void no_longer_owed(PageProgram& last);
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
