// SPDX-License-Identifier: Apache-2.0
// Finds another plane for pages whose own plane has no free block for them, and holds the pages that no plane can take.
// A plane whose last blocks have failed cannot free a block by itself: other planes take the pages that its collection
// moves.
//
// Planes are those of the mapping.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>

#include "controller/flash_ops/flash_io.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/plane_room.h"
#include "controller/mapping/power_state.h"
#include "controller/writing/block_supply.h"
#include "controller/writing/page_program.h"
#include "controller/writing/write_frontier.h"
#include "controller/writing/write_streams.h"
#include "core/calendar.h"

namespace nandscape::controller {

class DisplacedPages {
 public:
  struct Place {
    FtlPlane plane;
    std::uint8_t stream;
  };

  class Client {
   public:
    // Number of pages placed so far.
    virtual std::uint64_t placed_pages() const = 0;
    // Other pages were placed: tries the waiting pages again.
    virtual void try_again(Tick now) = 0;
    // No page was placed for so long that none will be.
    virtual void no_place_left(Tick now) = 0;

   protected:
    ~Client() = default;
  };

  DisplacedPages(const WriteStreams& streams, const BlockTable& blocks, const PlaneRoom& room,
                 const WriteFrontier& frontier, const PowerState& power, Calendar& calendar, Client& client)
      : streams_(streams),
        blocks_(blocks),
        room_(room),
        frontier_(frontier),
        power_(power),
        calendar_(calendar),
        client_(client) {}

  void connect(const BlockSupply& supply) { supply_ = &supply; }

  // The plane and the stream that can take the page; none if there is no such plane.
  std::optional<Place> place_for(const PageProgram& page) const;

  // Holds the page here, where it blocks no other page.
  void wait(PageProgram& page);
  // A page waits for a free block of any plane, here or in its queue: watches for progress from now on.
  void starve();
  bool starving() const { return starving_; }
  // Removes and returns all pages that wait here.
  PageQueue take();

  // Prints how many pages wait here.
  void list_waiting(std::ostream& out) const;

 private:
  bool may_take_in(std::uint8_t stream, FtlPlane plane) const;
  bool is_open(std::uint8_t stream, FtlPlane plane) const;
  void look_for_progress(std::uint64_t placed_before);

  const WriteStreams& streams_;
  const BlockTable& blocks_;
  const PlaneRoom& room_;
  const WriteFrontier& frontier_;
  const PowerState& power_;
  Calendar& calendar_;
  Client& client_;
  const BlockSupply* supply_ = nullptr;
  PageQueue waiting_;
  bool starving_ = false;
};

}  // namespace nandscape::controller
