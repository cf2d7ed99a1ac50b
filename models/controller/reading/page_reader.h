// SPDX-License-Identifier: Apache-2.0
// Reads flash pages. A page is sensed, transferred and decoded. As long as decoding fails, this is repeated with the
// next read that the read-recovery policy chooses. The block of the page is pinned until the read ends. Optional
// stages:
//
//   start step         the first read uses a step that was learnt from earlier reads (start_step.h)
//   groups             several reads are sent to their die as one operation (page_read.h)
//   companions         another page whose codewords are needed for decoding is also read (page_read.h)
//   die lock           the die is locked during retries (die_locked_retries.h)
//   last resort        a page that cannot be corrected at any step is rebuilt from other pages (page_read.h)
//   undo               changes that were made to the page before it was encoded are reversed (page_read.h)
//   copies             a page whose wordline is being changed is read from a copy in memory (page_copies.h)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "controller/flash_ops/flash_io.h"
#include "controller/mapping/block_ages.h"
#include "controller/mapping/block_table.h"
#include "controller/reading/counters.h"
#include "controller/reading/die_locked_retries.h"
#include "controller/reading/page_copies.h"
#include "controller/reading/page_read.h"
#include "controller/reading/read_recovery.h"
#include "controller/reading/read_timing_table.h"
#include "controller/reading/start_step.h"
#include "core/archive.h"
#include "core/component.h"

namespace nandscape::controller {

// Receives notifications of reads. Implemented by media care, which counts reads and refreshes blocks.
class ReadListener {
 public:
  // Called at the end of a read. The page has been read `reads` times, retries included.
  virtual void block_read(Superblock block, std::uint32_t reads, Tick now) = 0;
  // Called when a page of the block has been read only by means of the last resort.
  virtual void page_remade(Superblock block, Tick now) = 0;

 protected:
  ~ReadListener() = default;
};

class PageReader final : public Component, public EraseListener {
 public:
  PageReader(const ReadRetryParameters& parameters, const RetryFacts& facts, FlashIo& io, FlashScheduler& scheduler,
             const BlockTable& blocks, BlockPins& pins, const BlockAges& ages);

  // If `counts_reads` is not set, block_read() is not called.
  void set_listener(ReadListener& listener, bool counts_reads = true) {
    listener_ = &listener;
    counts_reads_ = counts_reads;
  }
  // Must be called if the scheduler groups reads and the retries of grouped reads must be coordinated.
  void set_groups(std::unique_ptr<GroupedReads> groups) {
    groups_ = std::move(groups);
    if (groups_ != nullptr) plain_ = direct_ = false;
  }
  // Must be called if pages may have companions, whose codewords are needed to decode them.
  void set_companions(CompanionReads& companions) {
    companions_ = &companions;
    plain_ = direct_ = false;
  }
  // Must be called if pages whose wordline is being changed may have copies in memory.
  void set_copies(PageCopies& copies) {
    copies_ = &copies;
    direct_ = false;
  }
  // Must be called if uncorrectable pages can be rebuilt from other pages.
  void set_last_resort(LastResort& last_resort) { last_resort_ = &last_resort; }
  // Must be called if pages are changed before they are encoded.
  void set_undo(PageUndo& undo) { undo_ = &undo; }
  const RecoveryNeeds& needs() const { return recovery_.needs(); }
  // Returns the predictor of start steps. Returns null if all pages start at the default levels.
  StartStepPredictor* start_steps() { return starts_.get(); }

  // Reads the bytes [first, end) of the page that contains the unit `source`. The range is extended to whole codewords.
  // Calls read.page_read() at the end.
  void start(PageRead& read, Ppa source, std::uint32_t first, std::uint32_t end, Tick now);
  // Returns the first unit of the page that has the page beginning at `first_unit` as its companion (see
  // CompanionReads). Returns nothing if there is no such page.
  std::optional<Ppa> borrower_of(Ppa first_unit) const {
    return companions_ == nullptr ? std::nullopt : companions_->borrower_of(first_unit);
  }
  // Returns the companion page that is needed to decode the bytes [first, end) of the unit's page. Returns nothing if
  // no companion is needed.
  std::optional<CompanionPage> companion_of(Ppa unit, std::uint32_t first, std::uint32_t end) const {
    return companions_ == nullptr ? std::nullopt : companions_->companion_of(unit, first, end);
  }

  // Called by reads when their op has reached the next phase.
  void sensed(PageRead& read, Tick now);
  void decoded(PageRead& read, Tick now);
  void die_locked(PageRead& read, Tick now) { locked_->die_locked(read, now); }
  void gathered(const OpQueue& group, Tick now) {
    if (groups_ != nullptr) groups_->gathered(group, now);
  }
  // Tell the read-recovery policy where the page is, and how old it is.
  PagePlace place_of(const PageRead& read) const;
  BlockAge age_of(const PageRead& read, Tick now) const { return ages_.of(read.block, now); }
  // Removes the read from its group, if it is in a group.
  void leave_group(GroupedRead& read, Tick now) {
    if (read.group != nullptr) groups_->leave(read, now);
  }
  // Called when no further attempt to read the page will be made. Records the result and calls read.recovery_ended().
  void recovery_ended(PageRead& read, Tick now) {
    if (!read.ecc.uncorrectable) {
      remember(read, now);
    } else if (read.times != nullptr) {
      read.times->enter_retries(now);  // in the latency parts, the last resort counts as retries
    }
    read.recovery_ended(now);
  }
  // Passes the read to the last resort and the undo stage, and ends the read if neither of them takes it over.
  void finish(PageRead& read, Tick now);
  // Ends the read, because the page is decoded or cannot be corrected. Updates the counters, unpins the block and calls
  // read.page_read().
  void end(PageRead& read, Tick now);

  // EraseListener
  void block_erased(Superblock block, bool, Tick) override {
    if (starts_ != nullptr) starts_->erased(block);
    if (groups_ != nullptr) groups_->erased(block);
  }

  const ReadRetryCounters& counters() const { return counters_; }
  void persist(Archive& archive) override;
  void persist_counters(Archive& archive) override;

 private:
  std::uint32_t layer_of(const PageRead& read) const;
  void begin(PageRead& read, std::uint32_t first, std::uint32_t end);
  // Continues start() unless `direct_` is set.
  [[gnu::noinline]] void start_by_stages(PageRead& read, std::uint32_t first, std::uint32_t end, Tick now);
  // Records the result of a read that has been decoded, and sends it again or ends the recovery.
  [[gnu::noinline]] void settle(PageRead& read, Tick now);
  [[gnu::noinline]] void finish_by_stages(PageRead& read, Tick now);
  // Unpins the block and hands the page to the object that asked for it. tell_and_answer() also tells the listener.
  void answer(PageRead& read, Tick now);
  [[gnu::noinline]] void tell_and_answer(PageRead& read, Tick now);
  // Ends a read whose page was rebuilt by the last resort.
  [[gnu::noinline]] void end_remade(PageRead& read, Tick now);
  // Asks the policy for the next read of the page and prepares the op for it. Returns false if the policy gives up.
  bool prepare(PageRead& read, Tick now);
  void take_step(PageRead& read, ReadStep step);
  // Sends the read again as the policy chooses. Returns false if the policy gives up.
  bool read_again(PageRead& read, Tick now);
  void note_retry(PageRead& read, Tick now);
  void remember(PageRead& read, Tick now) {
    if (read.remade != nullptr) return;  // the page was rebuilt; no read of it has succeeded
    read.succeeded(now);
    if (starts_ != nullptr) starts_->succeeded({read.block, read.layer}, read.command.retry_step, read);
    if (groups_ != nullptr) groups_->succeeded(read, read.layer);
  }

  const RetryFacts facts_;
  FlashIo& io_;
  const BlockTable& blocks_;
  BlockPins& pins_;
  ReadListener* listener_ = nullptr;
  bool counts_reads_ = false;
  // The first read of each page is a hard read at the first step of `usual_order_`, and successful reads are not
  // remembered.
  bool plain_ = false;
  // In addition, no page has a copy in memory, and each block of the mapping is one flash block.
  bool direct_ = false;
  CompanionReads* companions_ = nullptr;
  LastResort* last_resort_ = nullptr;
  PageUndo* undo_ = nullptr;
  PageCopies* copies_ = nullptr;
  const BlockAges& ages_;
  ReadRecovery recovery_;
  const StepOrder usual_order_;  // of pages whose start step is not predicted
  ReadRetryCounters counters_;
  const std::string start_name_;
  std::unique_ptr<StartStepPredictor> starts_;  // null if all pages start at the default levels
  std::unique_ptr<GroupedReads> groups_;
  std::optional<DieLockedRetries> locked_;
};

}  // namespace nandscape::controller
