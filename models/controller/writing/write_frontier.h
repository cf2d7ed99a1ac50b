// SPDX-License-Identifier: Apache-2.0
// The interface of write frontiers. A write frontier chooses the next page of the flash for each stream of writes on
// each plane. It also keeps the pages of a group together, and completes wordlines so that their pages become durable.
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

// Whether a page may be written to the next flash page of its write point.
enum class Turn : std::uint8_t {
  now,
  later,  // not yet, because the frontier writes a page of its own there, such as parity
  alone,  // the page leaves its group, which continues elsewhere or has been given up
};

class WriteFrontier {
 public:
  virtual ~WriteFrontier() = default;

  void connect(PagePlacement& placement, WordlineLedger& ledger) {
    placement_ = &placement;
    ledger_ = &ledger;
  }

  // Returns whether placed pages wait for other pages of their group, as in a row with parity. Moved pages then stay on
  // their plane as long as the plane has room for them.
  bool keeps_pages_together() const { return keeps_pages_together_; }
  // Returns whether any two pages with data may be written to the same wordline one after the other.
  bool has_wordlines_for_pairs() const { return has_wordlines_for_pairs_; }
  // Returns the number of pages that the frontier has added, such as parity pages.
  std::uint64_t added_pages() const { return added_pages_; }
  // Returns the number of groups that wait for more pages.
  std::size_t open_groups() const { return open_groups_; }
  // Returns how many pages, from any plane, can still be written to the open blocks of all planes. The blocks of the
  // reserve stream and of the streams after the lasting one do not count. If the frontier keeps pages together, only
  // pages that the host writes can use this room, and it is 0 if the mapping has several planes.
  std::uint64_t open_to_all() const { return open_to_all_; }

  // --- places

  // Assigns the page, which is complete or must be written elsewhere, to one of the planes of the flash that belong to
  // its plane of the mapping. `keeps_plane` is true for padding, which must stay on its plane of the flash.
  virtual void assign(PageProgram& /*page*/, bool /*keeps_plane*/) {}
  // Sends the encoded page to the scheduler, at once or together with other pages.
  virtual void send(PageProgram& page, Tick now) = 0;
  // Returns the block to which the next page of the stream on that plane is written, or an invalid id if no block is
  // open.
  virtual Superblock open_block(std::uint8_t stream, FlashPlane plane) const = 0;
  // Returns whether pages will still be written to the block, and the number of such blocks.
  virtual bool writes_to(Superblock block) const = 0;
  virtual std::size_t open_blocks() const = 0;
  bool has_block(std::uint8_t stream, FlashPlane plane) const { return open_block(stream, plane).valid(); }
  // Returns whether the next page that is assigned to the stream on that plane of the mapping fits into an open block.
  [[nodiscard]] virtual bool has_room(std::uint8_t stream, FtlPlane plane) const = 0;
  // Opens `block` for the stream. `rows` rows of the block are already programmed.
  virtual void open(std::uint8_t stream, FtlPlane plane, Superblock block, std::uint32_t rows) = 0;
  // Closes the open block of the stream. Padding supplies the pages that the block still needs to be complete.
  virtual void close(std::uint8_t stream, FtlPlane plane) = 0;
  // Returns whether the page may be written to the next flash page.
  virtual Turn turn(const PageProgram& /*page*/) const { return Turn::now; }
  // Gives the page the next flash page of the open block.
  virtual void append(PageProgram& page, Tick now) = 0;
  // Returns the number, within its block, of the flash page that the page would be given now, or nothing if it is not
  // known. `may_open` is true if a block would be opened for the page.
  [[nodiscard]] virtual std::optional<std::uint32_t> next_page(const PageProgram& page, bool may_open) const = 0;
  // Returns the number of the next page of the write point, counted from its first page.
  virtual std::uint64_t next(std::uint8_t stream, FlashPlane plane) const = 0;
  // Called when the page has left its queue without being placed, and must still be written. Returns true if the
  // frontier keeps the page or sends it elsewhere.
  [[nodiscard]] virtual bool takes_withdrawn(PageProgram& /*page*/, Tick /*now*/) { return false; }
  // Called when a page has left the write point, or when some pages of a group may never arrive. Other pages may take
  // the flash page that was meant for the missing page.
  virtual void left(std::uint8_t /*stream*/, FlashPlane /*plane*/) {}

  // --- durability

  // Returns how many pages the write point still needs before page number `end`, not counting pages that the frontier
  // adds.
  virtual std::uint64_t missing(std::uint8_t stream, FlashPlane plane, std::uint64_t end) const = 0;
  // Returns whether the wordline or row for which the padding was made is still incomplete.
  virtual bool padding_needed(const PageProgram& padding) const = 0;
  // Makes the programmed pages of the write point durable, and completes the groups to which they belong.
  virtual void complete(std::uint8_t stream, FlashPlane plane) = 0;
  // Completes what the programmed page needs to become durable. Unlike complete(), does not complete what has been
  // written behind its wordline.
  virtual void complete_page(const PageProgram& page) { complete(page.write_stream, page.plane); }
  // Called when the program of the page, or of another page in its block, has failed.
  virtual void failed(PageProgram& page, Tick now) = 0;

  // --- after a loss of power, and for checkpoints

  // Returns the number of rows that are programmed in a member of an open block.
  virtual std::uint32_t programmed_rows(Superblock block, std::uint32_t member) const = 0;
  // Saves or restores which blocks are open. No page may be on its way to an open block.
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
