// SPDX-License-Identifier: Apache-2.0
// A page on its way to flash, from the first unit that is put into it until it is durable.
#pragma once

#include <cstdint>

#include "controller/flash_ops/flash_io.h"
#include "controller/flash_ops/flash_op.h"
#include "controller/flash_ops/op_pool.h"
#include "controller/writing/unit_write.h"

namespace nandscape::controller {

class PageProgram;

// Who brings pages to flash, and hears of them what the scheduler and the ECC engine tell.
class PageProgramOwner {
 public:
  virtual void program_ended(PageProgram& page, Tick now) = 0;
  virtual void encoded(PageProgram& page, Tick now) = 0;
  virtual Placement place(PageProgram& page, Tick now) = 0;
  virtual void withdrawn(PageProgram& page, Tick now) = 0;
  virtual std::uint32_t next_page(const PageProgram& page) const = 0;

 protected:
  ~PageProgramOwner() = default;
};

// Who moves a page within the flash, by a command of its own, so that its data do not come into the controller.
class PageMover {
 public:
  // The page has lost its new place. It is to come in from where it was, and be assembled once more, with no mover.
  virtual void lost(PageProgram& page, Tick now) = 0;

 protected:
  ~PageMover() = default;
};

// Whose data the page holds.
enum class PageOrigin : std::uint8_t {
  host,
  mapping,    // translation pages, which wait for room as the host does
  migration,  // what makes room, so that it may use the room that is kept for that
};

// Of a page whose wordline is gathered (wordline_pairs.h).
struct WordlinePair {
  enum class Stage : std::uint8_t { coding, coded, queued, placed, returned };

  PageProgram* other = nullptr;  // null: it goes alone
  Stage stage = Stage::coding;
  bool first = false;  // of its wordline
};

class PageProgram final : public FlashOp {
 public:
  explicit PageProgram(PageProgramOwner& owner) : owner_(owner) { set_origin(PageOrigin::host); }

  void array_done(Tick now) override { owner_.program_ended(*this, now); }
  void coded(Tick now) override { owner_.encoded(*this, now); }
  Placement place(Tick now) override { return owner_.place(*this, now); }
  void withdrawn(Tick now) override { owner_.withdrawn(*this, now); }
  std::uint32_t next_page() const override { return owner_.next_page(*this); }

  PageOrigin origin() const { return origin_; }
  bool moves_data() const { return origin_ == PageOrigin::migration; }
  void set_origin(PageOrigin origin) {
    origin_ = origin;
    of_host = origin == PageOrigin::host;
    queue = moves_data() ? QueueKind::background_write : QueueKind::host_write;
  }
  // It holds nothing, and only completes a wordline.
  bool is_padding() const { return unit_count == 0 && !added_by_frontier; }

  std::uint8_t write_stream = 0;       // which of the open blocks it goes to
  bool new_data = false;               // of the host, so that no other place holds what it holds
  bool code_must_change = false;       // that of its place does not bear it, so that it is encoded once more
  bool displaced = false;              // the plane that it was for has no block left to write to
  bool added_by_frontier = false;      // it holds nothing that anybody wrote, such as parity
  WordlinePair pair;                   // where its wordline is gathered
  std::uint16_t place_in_group = 0;    // of pages that go together: which one it is, from 1 on; 0: it goes by itself
  UnitWrite* units = nullptr;          // what the page holds, from its first unit on
  std::uint32_t unit_count = 0;        // of them
  std::uint64_t programmed_order = 0;  // once it is programmed
  // Those that are programmed and not yet durable, in that order.
  PageProgram* before = nullptr;
  PageProgram* behind = nullptr;
  PageProgram* next_in_wordline = nullptr;
  PageMover* mover = nullptr;  // of a page that moves within the flash, until its data have come into the controller
  Ppa moved_from;              // its first unit there
  Superblock lost_block;       // where the page was before the failure for which it is written again

 private:
  PageProgramOwner& owner_;
  PageOrigin origin_ = PageOrigin::host;
};

// Sends an encoded page to its die. Padding goes before what it may have to make room for.
inline void enqueue_page(FlashIo& io, PageProgram& page, Tick now) {
  if (page.is_padding()) {
    io.enqueue_first(page, now);
  } else {
    io.enqueue(page, now);
  }
}

using PagePool = OpPool<PageProgram, PageProgramOwner>;
using PageQueue = OpList<PageProgram>;

}  // namespace nandscape::controller
