// SPDX-License-Identifier: Apache-2.0
// A page that is written to flash, from its first unit until it is durable.
#pragma once

#include <cstdint>

#include "controller/flash_ops/flash_io.h"
#include "controller/flash_ops/flash_op.h"
#include "controller/flash_ops/op_pool.h"
#include "controller/mapping/page_tag.h"
#include "controller/mapping/power_state.h"
#include "controller/writing/unit_write.h"
#include "core/archive.h"

namespace nandscape::controller {

class PageProgram;

// The stages that a page passes; the page forwards calls of the scheduler and the ECC engine to them.
class CodingStage {
 public:
  virtual void coded(PageProgram& page, Tick now) = 0;

 protected:
  ~CodingStage() = default;
};

class PlacingStage {
 public:
  virtual Placement place(PageProgram& page, Tick now) = 0;
  // The page has left its queue without a place: it is encoded again, gets another place, or is given up.
  virtual void withdrawn(PageProgram& page, Tick now) = 0;
  // The place in its block that this page would get, which may be unknown.
  virtual ProgramPlace next_page(const PageProgram& page) const = 0;

 protected:
  ~PlacingStage() = default;
};

class ProgrammingStage {
 public:
  virtual void program_ended(PageProgram& page, Tick now) = 0;

 protected:
  ~ProgrammingStage() = default;
};

struct PageStages {
  CodingStage* coding = nullptr;  // null for pages that need no encoding, such as parity
  PlacingStage& placing;
  ProgrammingStage& programming;
};

// Moves a page within the flash with a command of its own, so that the page's data do not enter the controller.
class PageMover {
 public:
  // The page has lost its new place. The mover reads it from the old place and assembles it as an ordinary page, whose
  // data pass through the controller.
  virtual void lost(PageProgram& page, Tick now) = 0;

 protected:
  ~PageMover() = default;
};

// The source of the page's data.
enum class PageOrigin : std::uint8_t {
  host,
  mapping,    // translation pages, which wait for room as the host does
  migration,  // moved data, which may use the reserved blocks, since moving them frees blocks
};

// Pairing of a page whose wordline is gathered (page_encoding.h).
struct WordlinePair {
  enum class Stage : std::uint8_t { coding, coded, queued, placed, returned };

  PageProgram* other = nullptr;  // null: the page is written alone
  Stage stage = Stage::coding;
  bool first = false;  // first page of its wordline
};

class PageProgram final : public FlashOp {
 public:
  explicit PageProgram(const PageStages& stages) : stages_(stages) { set_origin(PageOrigin::host); }

  void array_done(Tick now) override { stages_.programming.program_ended(*this, now); }
  void coded(Tick now) override { stages_.coding->coded(*this, now); }
  Placement place(Tick now) override { return stages_.placing.place(*this, now); }
  void withdrawn(Tick now) override { stages_.placing.withdrawn(*this, now); }
  ProgramPlace next_page() const override { return stages_.placing.next_page(*this); }

  PageOrigin origin() const { return origin_; }
  bool moves_data() const { return origin_ == PageOrigin::migration; }
  void set_origin(PageOrigin origin) {
    origin_ = origin;
    of_host = origin == PageOrigin::host;
    queue = moves_data() ? QueueKind::background_write : QueueKind::host_write;
  }
  // Whether the page holds no data and only completes a wordline.
  bool is_padding() const { return unit_count == 0; }

  // A page of a group carries the frontier's mark in its tag. When it leaves the group, it goes to the stream
  // `alone_stream`.
  void mark_group() {
    if (place_in_group != 0) tag[1] |= frontier_mark_bit;
  }
  void leave_group() {
    if (place_in_group == 0) return;
    place_in_group = 0;
    tag[1] &= ~frontier_mark_bit;
    write_stream = alone_stream;
  }

  std::uint8_t write_stream = 0;     // selects the open block that the page is written to
  bool new_data = false;             // host data, of which flash holds no other copy
  bool code_must_change = false;     // its code is not allowed at its place: it is encoded again
  bool displaced = false;            // its own plane has no block left to write to
  WordlinePair pair;                 // if its wordline is gathered
  std::uint16_t place_in_group = 0;  // number in its group of pages, from 1 onward; 0: in no group
  std::uint8_t alone_stream = 0;     // pages of a group: the stream for the page once it has left the group
  UnitWrite* units = nullptr;        // list of the units that the page holds
  std::uint32_t unit_count = 0;
  std::uint64_t programmed_order = 0;  // position in the order of programming; 0: not programmed yet
  // Neighbours among the pages that are programmed and not durable, in the order of programming.
  PageProgram* before = nullptr;
  PageProgram* behind = nullptr;
  PageProgram* next_in_wordline = nullptr;
  PageMover* mover = nullptr;  // moves the page within the flash; null once its data are in the controller
  Ppa moved_from;              // first unit of the old place
  Superblock lost_block;       // block of the place that the page has lost, while it is written again

 private:
  const PageStages& stages_;
  PageOrigin origin_ = PageOrigin::host;
};

// Queues an encoded page for its die. Padding goes to the front: pages in the queue may wait for the room that it
// makes.
inline void enqueue_page(FlashIo& io, PageProgram& page, Tick now) {
  if (page.is_padding()) {
    io.enqueue(page, now, QueuePosition::first);
  } else {
    io.enqueue(page, now);
  }
}

using PagePool = OpPool<PageProgram, const PageStages>;
using PageQueue = OpList<PageProgram>;

// Pages that are programmed and not durable, in the order in which they were programmed. Until the last page of its
// wordline is programmed, a page is only in the latches of its die.
class UndurablePages {
 public:
  explicit UndurablePages(const PowerState& power) : power_(power) {}

  // The page is programmed. Has no effect on a page that is in the list already because it was written again.
  void add(PageProgram& page) {
    if (page.programmed_order != 0) return;
    ++count_;
    for (const UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page) {
      page.new_data |= unit->access != nullptr;
    }
    page.programmed_order = ++programmed_;
    page.before = latest_;
    page.behind = nullptr;
    (latest_ == nullptr ? oldest_ : latest_->behind) = &page;
    latest_ = &page;
    if (page.new_data && oldest_new_ == nullptr) oldest_new_ = &page;
  }

  // The page is durable, or is given up.
  void remove(PageProgram& page) {
    if (page.programmed_order == 0) return;
    --count_;
    (page.before == nullptr ? oldest_ : page.before->behind) = page.behind;
    (page.behind == nullptr ? latest_ : page.behind->before) = page.before;
    if (&page != oldest_new_) return;
    do oldest_new_ = oldest_new_->behind;
    while (oldest_new_ != nullptr && !oldest_new_->new_data);
  }

  std::uint64_t count() const { return count_; }
  // The order of the page that was programmed last.
  std::uint64_t latest() const { return programmed_; }
  // The order of the first page with new data that is not durable; 0 when there is none.
  std::uint64_t oldest_new() const {
    const PageProgram* const first = power_.saving ? oldest_ : oldest_new_;
    return first == nullptr ? 0 : first->programmed_order;
  }
  // Whether flushes wait for the page. Moved data need not become durable, since their old copies are kept until then.
  // When the power fails, there is no time for that, and all pages count.
  bool is_new(const PageProgram& page) const { return page.new_data || power_.saving; }

  // All pages programmed so far are to become durable, even if they have to be written again after a failed program.
  void want_all() { wanted_ = programmed_; }
  bool wanted(const PageProgram& page) const { return is_new(page) && page.programmed_order <= wanted_; }

  template <class Visit>
  void for_each(Visit visit) const {
    for (PageProgram* page = oldest_; page != nullptr; page = page->behind) visit(*page);
  }
  template <class Visit>
  void for_each_unit(Visit visit) const {
    for_each([&](PageProgram& page) {
      for (UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page) visit(*unit);
    });
  }

  // Requires that all pages are durable.
  void persist(Archive& archive) { archive.counter(programmed_, "the number of pages"); }

 private:
  const PowerState& power_;
  PageProgram* oldest_ = nullptr;
  PageProgram* latest_ = nullptr;
  PageProgram* oldest_new_ = nullptr;  // with new data
  std::uint64_t programmed_ = 0;
  std::uint64_t wanted_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace nandscape::controller
