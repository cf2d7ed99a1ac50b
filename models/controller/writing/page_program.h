// SPDX-License-Identifier: Apache-2.0
// A page that is being written to flash. The object exists from the page's first unit until the page is durable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "controller/flash_ops/flash_io.h"
#include "controller/flash_ops/flash_op.h"
#include "controller/flash_ops/op_pool.h"
#include "controller/mapping/page_tag.h"
#include "controller/mapping/power_state.h"
#include "controller/writing/unit_write.h"
#include "core/archive.h"

namespace nandscape::controller {

class PageProgram;

// The next three classes are the interfaces of the stages through which a page passes. The page forwards the calls of
// the scheduler and of the ECC engine to its stages.
class CodingStage {
 public:
  virtual void coded(PageProgram& page, Tick now) = 0;

 protected:
  ~CodingStage() = default;
};

class PlacingStage {
 public:
  virtual Placement place(PageProgram& page, Tick now) = 0;
  // Called when the page has left its queue without being placed. It is then encoded again, sent to another location or
  // given up.
  virtual void withdrawn(PageProgram& page, Tick now) = 0;
  // Returns which page of its block the page would be written to now, if that is known.
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

// Moves a page within the flash with a separate command, so that the data of the page are not transferred to the
// controller.
class PageMover {
 public:
  // Called when the program of the moved page has failed. The mover reads the page from its old location and assembles
  // it as an ordinary page, with its data in the controller.
  virtual void lost(PageProgram& page, Tick now) = 0;

 protected:
  ~PageMover() = default;
};

// Where the data of the page come from.
enum class PageOrigin : std::uint8_t {
  host,
  mapping,    // translation pages, which have to wait for room like pages of the host
  migration,  // moved data, which may use the reserved blocks, because moving data frees blocks
};

// The state of a page that is gathered with the other page of its wordline (see page_encoding.h).
struct WordlinePair {
  enum class Stage : std::uint8_t { coding, coded, queued, placed, returned };

  PageProgram* other = nullptr;  // the other page of the wordline, or null if the page is written alone
  Stage stage = Stage::coding;
  bool first = false;  // whether this is the first page of the wordline
};

class PageProgram final : public FlashOp {
 public:
  explicit PageProgram(const PageStages& stages) : own_stages_(stages), stages_(&stages) {
    set_origin(PageOrigin::host);
  }

  // Prepares the page for its next use (OpPool). Resets only the members that a use does not always set.
  void renew() {
    command.status = NandStatus::pass;
    command.more_planes = false;
    command.cache = false;
    command.retry_step = 0;
    command.first_byte = 0;
    command.request = 0;
    command.tag = {};
    command.program_step_mv = 0;
    begin_first_pass();
    ecc.code = ordinary_code;
    priority = PriorityClass::medium;
    FlashOp::stream = 0;
    block = Superblock();
    times = nullptr;
    new_data = code_must_change = displaced = false;
    pair = {};
    place_in_group = 0;
    units = nullptr;
    unit_count = 0;
    programmed_order = 0;
    mover = nullptr;
    lost_block = Superblock();
  }

  void array_done(Tick now) override { stages_->programming.program_ended(*this, now); }
  void coded(Tick now) override { stages_->coding->coded(*this, now); }
  Placement place(Tick now) override { return stages_->placing.place(*this, now); }
  void withdrawn(Tick now) override { stages_->placing.withdrawn(*this, now); }
  ProgramPlace next_page() const override { return stages_->placing.next_page(*this); }

  // Begin a pass of the program of the wordline (ProgramPass). The second pass has stages of its own, because the page
  // has its place already.
  void begin_first_pass() {
    command.pass = ProgramPass::first;
    stages_ = &own_stages_;
  }
  void begin_second_pass(const PageStages& stages) {
    command.pass = ProgramPass::again;
    stages_ = &stages;
  }

  PageOrigin origin() const { return origin_; }
  bool moves_data() const { return origin_ == PageOrigin::migration; }
  void set_origin(PageOrigin origin) {
    origin_ = origin;
    of_host = origin == PageOrigin::host;
    queue = moves_data() ? QueueKind::background_write : QueueKind::host_write;
  }
  // Returns whether the page has no data and is written only to complete a wordline.
  bool is_padding() const { return unit_count == 0; }

  // mark_group() sets the mark of the write frontier in the tag of a page that belongs to a group. leave_group()
  // removes the page from its group: it clears the mark, and the page will be written to the stream `alone_stream`.
  void mark_group() {
    if (place_in_group != 0) tag[1] |= frontier_mark_bit;
  }
  void leave_group() {
    if (place_in_group == 0) return;
    place_in_group = 0;
    tag[1] &= ~frontier_mark_bit;
    write_stream = alone_stream;
  }

  std::uint8_t write_stream = 0;     // stream whose open block the page is written to
  bool new_data = false;             // whether the page has data of the host that are nowhere else on flash
  bool code_must_change = false;     // its code is not allowed at its location, so the page must be encoded again
  bool displaced = false;            // sent to another plane, because its own plane had no block to write to
  WordlinePair pair;                 // the other page of its wordline, if both are gathered
  std::uint16_t place_in_group = 0;  // number of the page in its group, from 1; 0: it belongs to no group
  std::uint8_t alone_stream = 0;     // for pages of a group: their stream after they have left the group
  UnitWrite* units = nullptr;        // linked list of the units in the page
  std::uint32_t unit_count = 0;
  std::uint64_t planned_row = 0;       // in a superblock: the row to which the page is assigned
  std::uint64_t programmed_order = 0;  // its number in the order of programming; 0: not programmed yet
  // The previous and the next page in the list of pages that are programmed but not durable yet.
  PageProgram* before = nullptr;
  PageProgram* behind = nullptr;
  PageProgram* next_in_wordline = nullptr;
  // The data before they are scrambled and encoded. Empty, unless reads need them before the page is in the cells.
  std::vector<std::byte> plain;
  PageMover* mover = nullptr;  // moves the page within the flash; null if the data are in the controller
  Ppa moved_from;              // first unit of the location from which it was moved
  Superblock lost_block;       // while it is written again: the block in which it has been lost

 private:
  const PageStages& own_stages_;
  const PageStages* stages_;
  PageOrigin origin_ = PageOrigin::host;
};

// Queues an encoded page for its die. Padding is put at the front of the queue, because pages in the queue may be
// waiting for the room that the padding makes.
inline void enqueue_page(FlashIo& io, PageProgram& page, Tick now) {
  if (page.is_padding()) {
    io.enqueue(page, now, QueuePosition::first);
  } else {
    io.enqueue(page, now);
  }
}

using PagePool = OpPool<PageProgram, const PageStages>;
using PageQueue = OpList<PageProgram>;

// The pages that are programmed but not durable yet, in the order in which they were programmed. Such a page is only in
// the latches of its die until the last page of its wordline is programmed.
class UndurablePages {
 public:
  explicit UndurablePages(const PowerState& power) : power_(power) {}

  // Called when the page has been programmed. Does nothing if the page is in the list already, which is the case if it
  // has been written again after a failed program.
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

  // Called when the page is durable or has been given up.
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
  // Pages are numbered in the order of their programs. Returns the number of the page that was programmed last.
  std::uint64_t latest() const { return programmed_; }
  // Returns the number of the first page in the list that has new data, or 0 if no page in the list has
  // new data.
  std::uint64_t oldest_new() const {
    const PageProgram* const first = power_.saving ? oldest_ : oldest_new_;
    return first == nullptr ? 0 : first->programmed_order;
  }
  // Returns whether a flush has to wait for the page. A flush does not wait for moved data, because their old copies
  // are kept until the moved data are durable. After a power loss, while the drive saves its data, it waits for all
  // pages.
  bool is_new(const PageProgram& page) const { return page.new_data || power_.saving; }

  // Requests that all pages programmed so far become durable, even if some of them have to be written again after a
  // failed program.
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

  // Saves or restores the count of programmed pages. All pages must be durable.
  void persist(Archive& archive) { archive.counter(programmed_, "the number of pages"); }

 private:
  const PowerState& power_;
  PageProgram* oldest_ = nullptr;
  PageProgram* latest_ = nullptr;
  PageProgram* oldest_new_ = nullptr;  // the first page in the list that has new data
  std::uint64_t programmed_ = 0;
  std::uint64_t wanted_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace nandscape::controller
