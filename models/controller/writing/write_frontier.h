// SPDX-License-Identifier: Apache-2.0
// Chooses the next page of the flash for each stream of writes on each plane, keeps pages of a group together, and
// completes wordlines so that their pages become durable. The stages of writing know frontiers only through this
// interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>

#include "controller/writing/page_program.h"
#include "controller/writing/writing_state.h"
#include "core/archive.h"

namespace nandscape::controller {

class PagePlacement;
class WordlineLedger;

// Whether a page may have the next place of its write point.
enum class Turn : std::uint8_t {
  now,
  later,  // the place is for a page that the frontier adds
  alone,  // the page's group continues elsewhere or was given up: the page leaves the group
};

class WriteFrontier {
 public:
  virtual ~WriteFrontier() = default;

  void connect(PagePlacement& placement, WordlineLedger& ledger) {
    placement_ = &placement;
    ledger_ = &ledger;
  }

  // Whether placed pages wait for others of their group. Moved pages then stay on their plane as long as the plane
  // takes them.
  bool keeps_pages_together() const { return keeps_pages_together_; }
  // Whether any two pages with data may be written to a wordline one after the other.
  bool has_wordlines_for_pairs() const { return has_wordlines_for_pairs_; }
  // Pages that the frontier added, such as parity.
  std::uint64_t added_pages() const { return added_pages_; }
  // Groups of pages that wait for more pages.
  std::size_t open_groups() const { return open_groups_; }
  // Pages from any plane that the open blocks of all planes still take. Blocks of the reserve and of streams after the
  // lasting one do not count. 0 if the frontier keeps pages together.
  std::uint64_t open_to_all() const { return open_to_all_; }

  // --- places

  // Chooses the plane of the flash, among those of the page's plane of the mapping, for a page that is complete or
  // needs another place. `keeps_plane`: the page is padding, and stays on its plane.
  virtual void assign(PageProgram& /*page*/, bool /*keeps_plane*/) {}
  // The block that takes the next page of the stream on that plane; an invalid id if none is open for it.
  virtual Superblock open_block(std::uint8_t stream, FlashPlane plane) const = 0;
  bool has_block(std::uint8_t stream, FlashPlane plane) const { return open_block(stream, plane).valid(); }
  // Whether the next page that is assigned to the stream on the plane of the mapping has a place in an open block.
  [[nodiscard]] virtual bool has_room(std::uint8_t stream, FtlPlane plane) const = 0;
  // Opens `block`, of which `rows` rows are programmed, for the stream.
  virtual void open(std::uint8_t stream, FtlPlane plane, Superblock block, std::uint32_t rows) = 0;
  // The stream's open block takes only the pages that it needs to be complete; padding supplies them.
  virtual void close(std::uint8_t stream, FtlPlane plane) = 0;
  // Whether the page may have the next place.
  virtual Turn turn(const PageProgram& /*page*/) const { return Turn::now; }
  // Gives the page the next place of the open block.
  virtual void append(PageProgram& page, Tick now) = 0;
  // The number, in its block, of the flash page that this page would get, if it is known. `may_open`: a block would be
  // opened for the page.
  [[nodiscard]] virtual std::optional<std::uint32_t> next_page(const PageProgram& page, bool may_open) const = 0;
  // The number of the write point's next page, counted from its first page.
  virtual std::uint64_t next(std::uint8_t stream, FlashPlane plane) const = 0;
  // The page was withdrawn, and must not be given up. Returns whether the frontier keeps it or sends it elsewhere.
  [[nodiscard]] virtual bool takes_withdrawn(PageProgram& /*page*/, Tick /*now*/) { return false; }
  // A page has left the write point, or may never come: others take its place.
  virtual void left(std::uint8_t /*stream*/, FlashPlane /*plane*/) {}

  // --- durability

  // Number of pages that the write point still needs before `end`, not counting pages that the frontier adds.
  virtual std::uint64_t missing(std::uint8_t stream, FlashPlane plane, std::uint64_t end) const = 0;
  // Whether the wordline or row that the padding would complete is still incomplete.
  virtual bool padding_needed(const PageProgram& padding) const = 0;
  // Makes the programmed pages of the write point durable, and completes their groups.
  virtual void complete(std::uint8_t stream, FlashPlane plane) = 0;
  // The program of the page, or of another one in its block, has failed.
  virtual void failed(PageProgram& page, Tick now) = 0;

  // --- after a loss of power, and for checkpoints

  // Number of rows written in a member of an open block.
  virtual std::uint32_t programmed_rows(Superblock block, std::uint32_t member) const = 0;
  // Saves or restores which blocks are open. No page may be on its way to them.
  virtual void persist(Archive& archive) = 0;
  void persist_counters(Archive& archive) {
    if (keeps_pages_together_) archive(added_pages_);
  }
  virtual void list_waiting(std::ostream& /*out*/) const {}

 protected:
  struct Traits {
    bool keeps_pages_together = false;
    bool has_wordlines_for_pairs = false;
  };
  explicit WriteFrontier(Traits traits)
      : keeps_pages_together_(traits.keeps_pages_together), has_wordlines_for_pairs_(traits.has_wordlines_for_pairs) {}

  PagePlacement& placement() { return *placement_; }
  WordlineLedger& ledger() { return *ledger_; }

  std::uint64_t added_pages_ = 0;
  std::size_t open_groups_ = 0;
  std::uint64_t open_to_all_ = 0;

 private:
  const bool keeps_pages_together_;
  const bool has_wordlines_for_pairs_;
  PagePlacement* placement_ = nullptr;
  WordlineLedger* ledger_ = nullptr;
};

}  // namespace nandscape::controller
