// SPDX-License-Identifier: Apache-2.0
// Gives pages their places. A page is asked for its place when the scheduler is about to send it: it gets the next page
// of its stream's open block, waits for room, or leaves its queue to go to another plane.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>

#include "controller/writing/page_encoding.h"
#include "controller/writing/page_program.h"
#include "controller/writing/write_frontier.h"
#include "controller/writing/writing_state.h"

namespace nandscape::controller {

// Finds another plane for pages whose own plane has no free block for them, and holds the pages that no plane can take.
// A plane whose last blocks have failed cannot free a block by itself: other planes take the pages that its collection
// moves.
//
// Planes are those of the mapping.
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
    // No page has been placed for so long that none ever will be.
    virtual void no_place_left(Tick now) = 0;

   protected:
    ~Client() = default;
  };

  DisplacedPages(WritingState& writing, const WriteFrontier& frontier, Client& client)
      : writing_(writing), frontier_(frontier), client_(client) {}

  // The plane and the stream that can take the page; none if there is no such plane.
  [[nodiscard]] std::optional<Place> place_for(const PageProgram& page) const;

  // Holds the page here, where it blocks no other page.
  void wait(PageProgram& page);
  // Watches for progress from now on, since a page waits, here or in its queue, for a free block of any plane.
  void starve();
  bool starving() const { return starving_; }
  // Removes and returns all pages that wait here.
  PageQueue take();

  // Prints how many pages wait here.
  void list_waiting(std::ostream& out) const;

 private:
  [[nodiscard]] bool may_take_in(std::uint8_t stream, FtlPlane plane) const;
  bool is_open(std::uint8_t stream, FtlPlane plane) const;
  void look_for_progress(std::uint64_t placed_before);

  WritingState& writing_;
  const WriteFrontier& frontier_;
  Client& client_;
  PageQueue waiting_;
  bool starving_ = false;
};

class WordlineLedger;

class PagePlacement final : public PlacingStage,
                            public EraseListener,
                            public BlockSupply::Client,
                            private DisplacedPages::Client {
 public:
  PagePlacement(WritingState& writing, WriteFrontier& frontier, PageEncoding& encoding, WordlineLedger& ledger)
      : writing_(writing),
        frontier_(frontier),
        encoding_(encoding),
        ledger_(ledger),
        displaced_(writing, frontier, *this) {}

  // PlacingStage
  Placement place(PageProgram& page, Tick now) override;
  void withdrawn(PageProgram& page, Tick now) override;
  ProgramPlace next_page(const PageProgram& page) const override;

  // Sends the page to the scheduler again, since it needs another place.
  void place_again(PageProgram& page, Tick now);
  // Removes the page from its write point, where other pages have to take its place.
  void unassign(const PageProgram& page);
  // The page has its place: sets the step of its program, and counts it.
  void placed(PageProgram& page);

  // Whether new pages wait for a place on that plane.
  bool blocked(FtlPlane plane) const;
  // Tries pages without a place again, since the plane, or any plane, may have free pages now.
  void places_changed(FtlPlane plane, Tick now);
  void places_changed_anywhere(Tick now);
  // EraseListener
  void block_erased(Superblock block, bool erased, Tick now) override;
  // BlockSupply::Client
  void set_urgent(FtlPlane plane, bool urgent) override;
  void host_may_go_on(FtlPlane plane, Tick now) override { places_changed(plane, now); }
  void make_moves_durable(FtlPlane plane) override;
  void await_durable_moves(FtlPlane plane, bool awaits) override;
  // Tries pages again that wait for others of their group on that plane, since the others may never come.
  void release_groups(FtlPlane plane);

  void list_waiting(std::ostream& out) const { displaced_.list_waiting(out); }

 private:
  FtlPlane plane_of(const PageProgram& page) const { return writing_.points.mapping_plane(page); }
  [[nodiscard]] bool has_room(const PageProgram& page) const {
    return writing_.room.with_room(plane_of(page), page.moves_data()) == plane_of(page);
  }
  bool has_block(const PageProgram& page) const { return frontier_.has_block(page.write_stream, page.plane); }
  [[nodiscard]] bool may_take_block(const PageProgram& page) const;
  bool refused(const PageProgram& page) const;
  const PageProgram* reserved_for(const PageProgram& page) const {
    return encoding_.reserved_for(page.write_stream, page.plane);
  }

  Placement find_page(PageProgram& page, Tick now);
  Placement find_last_of_pair(PageProgram& page, Tick now);
  Placement find_block(PageProgram& page, Tick now);
  Placement take_place(PageProgram& page, Tick now);
  void open_block(const PageProgram& page, Tick now);
  const PageProgram* other_of_wordline(const PageProgram& page) const;

  Placement wait_for_block(PageProgram& page, Tick now);
  Placement wait_or_withdraw(const PageProgram& page);
  void starve();
  bool has_place_again(const PageProgram& page) const;
  void find_place(PageProgram& page, Tick now);

  // DisplacedPages::Client
  std::uint64_t placed_pages() const override { return writing_.counters.programmed_pages; }
  void try_again(Tick now) override { places_changed_anywhere(now); }
  void no_place_left(Tick now) override { writing_.programs.no_place_left(now); }

  WritingState& writing_;
  WriteFrontier& frontier_;
  PageEncoding& encoding_;
  WordlineLedger& ledger_;
  DisplacedPages displaced_;
};

}  // namespace nandscape::controller
