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

#include "controller/writing/page_program.h"
#include "controller/writing/write_frontier.h"
#include "controller/writing/writing_state.h"

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

  DisplacedPages(WritingState& writing, const WriteFrontier& frontier, Client& client)
      : writing_(writing), frontier_(frontier), client_(client) {}

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

  WritingState& writing_;
  const WriteFrontier& frontier_;
  Client& client_;
  PageQueue waiting_;
  bool starving_ = false;
};

}  // namespace nandscape::controller
