// SPDX-License-Identifier: Apache-2.0
// Reads pages of the flash until they are decoded: sense, move out, decode, and again at the next step of the
// read-recovery policy while that fails. The page's block stays pinned until then. Round that stand, where the drive
// has them, the stages
//
//   first step         at which pages of the layer were read of late (PSO; recent_steps.h, last_reads.h)
//   groups             reads that go to their die in one operation (grouped_reads.h)
//   companions         a page that others need to be decoded is read besides (companion_reads.h)
//   die lock           retries have their die to themselves (die_locked_retries.h)
//   last resort        a page that fails at all steps is made from others (last_resort.h)
//   undo               what was done to the page before it was encoded is undone (page_undo.h)
//   copies             a page whose wordline is being changed is read from memory (page_copies.h)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "controller/flash_ops/flash_io.h"
#include "controller/mapping/block_ages.h"
#include "controller/mapping/block_pins.h"
#include "controller/reading/companion_reads.h"
#include "controller/reading/counters.h"
#include "controller/reading/die_locked_retries.h"
#include "controller/reading/grouped_reads.h"
#include "controller/reading/last_resort.h"
#include "controller/reading/page_copies.h"
#include "controller/reading/page_read.h"
#include "controller/reading/page_undo.h"
#include "controller/reading/parameters.h"
#include "controller/reading/recent_steps.h"
#include "core/archive.h"

namespace nandscape::controller {

// Who looks after the media.
class ReadListener {
 public:
  // A page of the block has been read so often.
  virtual void block_read(Superblock block, std::uint32_t reads, Tick now) = 0;
  // A page of the block could only be had by the last resort.
  virtual void page_remade(Superblock block, Tick now) = 0;

 protected:
  ~ReadListener() = default;
};

class PageReader {
 public:
  PageReader(const ReadRetryParameters& parameters, FlashIo& io, FlashScheduler& scheduler, const BlockTable& blocks,
             BlockPins& pins, const BlockAges& ages);

  void set_listener(ReadListener& listener) { listener_ = &listener; }
  // Where the scheduler groups reads, and that means something for them; else null.
  void set_groups(std::unique_ptr<GroupedReads> groups) { groups_ = std::move(groups); }
  // Where codewords may need those of another page.
  void set_companions(CompanionReads& companions) { companions_ = &companions; }
  // Of pages whose wordline is being changed.
  void set_copies(PageCopies& copies) { copies_ = &copies; }
  // For pages that cannot be corrected.
  void set_last_resort(LastResort& last_resort) { last_resort_ = &last_resort; }
  // For pages that are not written as they are.
  void set_undo(PageUndo& undo) { undo_ = &undo; }
  const ReadRecoveryPolicy& policy() const { return *policy_; }
  // At which steps pages were read of late; null where that is not remembered.
  RecentSteps* recent_steps() { return recent_ ? &*recent_ : nullptr; }

  // Reads the bytes [first, end) of the page that holds the unit, and what else the codewords around them hold.
  void start(PageRead& read, Ppa source, std::uint32_t first, std::uint32_t end, Tick now);
  // The page that the codewords in those bytes of the unit's page need besides, if they do.
  std::optional<Ppa> borrower_of(Ppa first_unit) const {
    return companions_ == nullptr ? std::nullopt : companions_->borrower_of(first_unit);
  }
  std::optional<CompanionPage> companion_of(Ppa unit, std::uint32_t first, std::uint32_t end) const {
    return companions_ == nullptr ? std::nullopt : companions_->companion_of(unit, first, end);
  }

  // What the reads are told.
  void sensed(PageRead& read, Tick now);
  void decoded(PageRead& read, Tick now);
  void die_locked(PageRead& read, Tick now) { locked_->die_locked(read, now); }
  void gathered(std::span<FlashOp* const> group) {
    if (groups_ != nullptr) groups_->gathered(group);
  }
  // There is nothing more to be done for the read together with those of its operation.
  void leave_group(GroupedRead& read, Tick now) {
    if (read.group != nullptr) groups_->leave(read, now);
  }
  void recovery_ended(PageRead& read, Tick now);
  void finish(PageRead& read, Tick now);
  // Nothing more can be done for the page.
  void end(PageRead& read, Tick now);

  void erased(Superblock block) {
    if (recent_) recent_->forget(block);
    if (groups_ != nullptr) groups_->erased(block);
  }

  const ReadRetryCounters& counters() const { return counters_; }
  void persist(Archive& archive);
  void persist_counters(Archive& archive);

 private:
  // Makes the read's lists of errors, and keeps them for other pages.
  void note_errors(PageRead& read);
  std::uint32_t layer_of(const PageRead& read) const;
  // Makes the op the next read of its page; false when there is nothing left to try.
  bool prepare(PageRead& read) const;
  // Throws Error where the senses that the step adds are none.
  void take_step(PageRead& read, const ReadStep& step) const;
  void note_retry(PageRead& read, Tick now);
  void remember(const PageRead& read);

  FlashIo& io_;
  BlockPins& pins_;
  ReadListener* listener_ = nullptr;
  CompanionReads* companions_ = nullptr;
  LastResort* last_resort_ = nullptr;
  PageUndo* undo_ = nullptr;
  PageCopies* copies_ = nullptr;
  const std::string name_;  // of the policy
  const std::unique_ptr<const ReadRecoveryPolicy> policy_;
  const StepSearch search_;
  ReadRetryCounters counters_;
  std::optional<RecentSteps> recent_;
  std::vector<std::vector<std::uint16_t>> unused_errors_;  // lists that pages have had, for their memory
  std::unique_ptr<GroupedReads> groups_;
  std::optional<DieLockedRetries> locked_;
};

}  // namespace nandscape::controller
