// SPDX-License-Identifier: Apache-2.0
// Reads flash pages until they are decoded: sense, transfer, decode, and again at the next step of the read-recovery
// policy while decoding fails. The page's block is pinned until then. Optional stages around this:
//
//   first step         the step at which pages of the layer were last read (PSO; recent_steps.h)
//   groups             reads that are sent to their die as one operation (page_read.h)
//   companions         another page that the codewords need is read (page_read.h)
//   die lock           retries lock their die (die_locked_retries.h)
//   last resort        a page that fails at all steps is rebuilt from others (page_read.h)
//   undo               changes made to the page before it was encoded are undone (page_read.h)
//   copies             a page whose wordline is being changed is read from memory (page_copies.h)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "controller/flash_ops/flash_io.h"
#include "controller/mapping/block_ages.h"
#include "controller/mapping/block_table.h"
#include "controller/reading/counters.h"
#include "controller/reading/die_locked_retries.h"
#include "controller/reading/page_copies.h"
#include "controller/reading/page_read.h"
#include "controller/reading/read_recovery.h"
#include "controller/reading/read_timing_table.h"
#include "controller/reading/recent_steps.h"
#include "core/archive.h"
#include "core/component.h"

namespace nandscape::controller {

// Observes reads for media care.
class ReadListener {
 public:
  // A page of the block has been read `reads` times.
  virtual void block_read(Superblock block, std::uint32_t reads, Tick now) = 0;
  // A page of the block could be read only by the last resort.
  virtual void page_remade(Superblock block, Tick now) = 0;

 protected:
  ~ReadListener() = default;
};

class PageReader final : public Component, public EraseListener {
 public:
  PageReader(const ReadRetryParameters& parameters, const RetryFacts& facts, FlashIo& io, FlashScheduler& scheduler,
             const BlockTable& blocks, BlockPins& pins, const BlockAges& ages);

  void set_listener(ReadListener& listener) { listener_ = &listener; }
  // Set if the scheduler groups reads and grouped reads must be coordinated.
  void set_groups(std::unique_ptr<GroupedReads> groups) { groups_ = std::move(groups); }
  // Set if codewords may need those of another page.
  void set_companions(CompanionReads& companions) { companions_ = &companions; }
  // Set if there may be copies of pages whose wordline is being changed.
  void set_copies(PageCopies& copies) { copies_ = &copies; }
  // Set if uncorrectable pages can be rebuilt.
  void set_last_resort(LastResort& last_resort) { last_resort_ = &last_resort; }
  // Set if pages are changed before they are encoded.
  void set_undo(PageUndo& undo) { undo_ = &undo; }
  const RecoveryNeeds& needs() const { return recovery_.needs(); }
  // The steps at which pages were last read; null if they are not remembered.
  RecentSteps* recent_steps() { return recent_ ? &*recent_ : nullptr; }

  // Reads the bytes [first, end) of the page that holds the unit, extended to whole codewords.
  void start(PageRead& read, Ppa source, std::uint32_t first, std::uint32_t end, Tick now);
  // The page whose codewords need the page that begins at `first_unit`, if there is one.
  std::optional<Ppa> borrower_of(Ppa first_unit) const {
    return companions_ == nullptr ? std::nullopt : companions_->borrower_of(first_unit);
  }
  // The page that the codewords in those bytes of the unit's page also need, if there is one.
  std::optional<CompanionPage> companion_of(Ppa unit, std::uint32_t first, std::uint32_t end) const {
    return companions_ == nullptr ? std::nullopt : companions_->companion_of(unit, first, end);
  }

  // Callbacks of the reads.
  void sensed(PageRead& read, Tick now);
  void decoded(PageRead& read, Tick now);
  void die_locked(PageRead& read, Tick now) { locked_->die_locked(read, now); }
  void gathered(std::span<FlashOp* const> group, Tick now) {
    if (groups_ != nullptr) groups_->gathered(group, now);
  }
  // See PageRead.
  std::optional<ReadStep> next_step(const PageRead& read, Tick now) const;
  // Removes the read from its group, if it is in one.
  void leave_group(GroupedRead& read, Tick now) {
    if (read.group != nullptr) groups_->leave(read, now);
  }
  void recovery_ended(PageRead& read, Tick now);
  void finish(PageRead& read, Tick now);
  // Ends the read: it is decoded, or nothing more can be done.
  void end(PageRead& read, Tick now);

  // EraseListener
  void block_erased(Superblock block, bool, Tick) override {
    if (recent_) recent_->forget(block);
    if (groups_ != nullptr) groups_->erased(block);
  }

  const ReadRetryCounters& counters() const { return counters_; }
  void persist(Archive& archive) override;
  void persist_counters(Archive& archive) override;

 private:
  class Asked;

  std::uint32_t layer_of(const PageRead& read) const;
  // Prepares the op for the next read of its page. Returns false when the policy gives up.
  bool prepare(PageRead& read, Tick now);
  void take_step(PageRead& read, const ReadStep& step);
  // Sends the read again at the policy's next step. Returns false when the policy gives up.
  bool read_again(PageRead& read, Tick now);
  void note_retry(PageRead& read, Tick now);
  void remember(PageRead& read, Tick now);

  const RetryFacts facts_;
  FlashIo& io_;
  const BlockTable& blocks_;
  BlockPins& pins_;
  ReadListener* listener_ = nullptr;
  CompanionReads* companions_ = nullptr;
  LastResort* last_resort_ = nullptr;
  PageUndo* undo_ = nullptr;
  PageCopies* copies_ = nullptr;
  const BlockAges& ages_;
  ReadRecovery recovery_;
  const StepSearch search_;
  ReadRetryCounters counters_;
  std::optional<RecentSteps> recent_;
  std::unique_ptr<GroupedReads> groups_;
  std::optional<DieLockedRetries> locked_;
};

}  // namespace nandscape::controller
