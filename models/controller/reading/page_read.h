// SPDX-License-Identifier: Apache-2.0
// A read of a page, or of part of one, until it is decoded. Users derive from PageRead and implement page_read().
#pragma once

#include <cstdint>
#include <vector>

#include "controller/flash_ops/flash_op.h"
#include "controller/reading/read_recovery.h"
#include "controller/reading/recovery_stage.h"

namespace nandscape::controller {

class DieLockedRetry;
class PageReader;
struct RemadePage;

// A group of reads that were sent as one operation and are not all decoded yet.
class ReadGroup {};

// A read that may share an operation with others.
class GroupedRead : public FlashOp {
 public:
  ReadGroup* group = nullptr;  // null if it is in none
  bool reads_hard = false;     // always a hard read, whatever the others of its group are
};

class PageRead : public GroupedRead {
 public:
  explicit PageRead(PageReader& reader) : reader_(reader) {}

  // The page is decoded, or finally uncorrectable.
  virtual void page_read(Tick now) = 0;

  // The page is decoded, or uncorrectable at all steps.
  virtual void recovery_ended(Tick now);

  void array_done(Tick now) final;
  void coded(Tick now) final;
  void die_locked(Tick now) final;
  void gathered(std::span<FlashOp* const> reads, Tick now) final;

  // The policy's next step after the reads so far, or nothing when no step is left to try.
  std::optional<ReadStep> next_step();
  // Records the errors of the read just decoded, the last of `tried`.
  void note_errors();

  bool lost = false;                             // the flash page does not hold the unit's data
  bool from_flash = false;                       // even if there is a copy of the page
  bool worth_remaking = true;                    // the page's content is needed
  std::uint16_t retries = 0;                     // decodes after the first
  std::uint16_t tried = 0;                       // steps read or being read
  const ReadRecoveryPolicy* recovery = nullptr;  // null: the page is read once
  RecoveryStage recovery_stage = RecoveryStage::first_read;
  StepOrder steps;
  std::vector<std::uint16_t> errors;  // of the worst codeword of each read, for policies that learn
  DieLockedRetry* retry = nullptr;
  // If the codewords need those of another page: this page has been read and waits for the companion.
  bool waits_for_companion = false;
  bool companion_is_read = false;  // by another read of this instant; assumed to arrive in time
  RemadePage* remade = nullptr;    // set by the last resort

 private:
  PageReader& reader_;
};

}  // namespace nandscape::controller
