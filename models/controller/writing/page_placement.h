// SPDX-License-Identifier: Apache-2.0
// Chooses the flash page to which each page is written. A page is placed when the scheduler is about to send it. It is
// then given the next page of its stream's open block, or it waits for room, or it leaves its queue and is sent to
// another plane.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>

#include "controller/writing/page_encoding.h"
#include "controller/writing/page_program.h"
#include "controller/writing/write_frontier.h"
#include "controller/writing/writing_state.h"

namespace nandscape::controller {

// Finds another plane for pages whose own plane has no free block for them. Pages that no plane can take wait here. For
// example, when the last blocks of a plane have failed, the plane cannot free a block by itself, so other planes must
// take the pages that its garbage collection moves.
class DisplacedPages {
 public:
  struct Place {
    FtlPlane plane;
    std::uint8_t stream;
  };

  class Client {
   public:
    // Returns the number of pages that have been placed so far.
    virtual std::uint64_t placed_pages() const = 0;
    // Called if other pages have been placed while the pages waited. Tries the waiting pages again.
    virtual void try_again(Tick now) = 0;
    // Called if no page has been placed for so long that no page will ever be placed.
    virtual void no_place_left(Tick now) = 0;

   protected:
    ~Client() = default;
  };

  DisplacedPages(WritingState& writing, const WriteFrontier& frontier, Client& client)
      : writing_(writing), frontier_(frontier), client_(client) {}

  // Returns a plane and a stream that can take the page, or nothing if there is no such plane.
  [[nodiscard]] std::optional<Place> place_for(const PageProgram& page) const;

  // Lets the page wait here, where it does not block other pages.
  void wait(PageProgram& page);
  // Called when a page waits, here or in its queue, for a free block on any plane. From now on, the class checks
  // whether any page is placed within a time limit.
  void starve();
  bool starving() const { return starving_; }
  // Removes all waiting pages from this object and returns them.
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

  // Implements PlacingStage.
  Placement place(PageProgram& page, Tick now) override;
  void withdrawn(PageProgram& page, Tick now) override;
  ProgramPlace next_page(const PageProgram& page) const override;

  // Sends the page to the scheduler again, because it must be written to another flash page.
  void place_again(PageProgram& page, Tick now);
  // Removes the page from its write point, so that later pages of the write point take its flash page.
  void unassign(const PageProgram& page);
  // Called when the page has been given its flash page. Sets the ISPP step of its program, and counts it.
  void placed(PageProgram& page);

  // Returns whether pages with new data are waiting for room on that plane.
  bool blocked(FtlPlane plane) const;
  // Try the pages that are waiting for room again, because the plane, or any plane, may have free pages now.
  void places_changed(FtlPlane plane, Tick now);
  void places_changed_anywhere(Tick now);
  // Implements EraseListener.
  void block_erased(Superblock block, bool erased, Tick now) override;
  // Implements BlockSupply::Client.
  void set_urgent(FtlPlane plane, bool urgent) override;
  void host_may_go_on(FtlPlane plane, Tick now) override { places_changed(plane, now); }
  void make_moves_durable(FtlPlane plane) override;
  void await_durable_moves(FtlPlane plane, bool awaits) override;
  // Tries again the pages that wait for other pages of their group on that plane, because those other pages may never
  // arrive.
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
  void leave_cache(PageProgram& page, Tick now);
  bool has_place_again(const PageProgram& page) const;
  void find_place(PageProgram& page, Tick now);

  // Implements DisplacedPages::Client.
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
