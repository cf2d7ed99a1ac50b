// SPDX-License-Identifier: Apache-2.0
// A read of a page, or of a part of one, until it is decoded. Whoever needs a page derives from this and says what is
// to be done with it.
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

// Reads that have gone to their die in one operation, and still concern each other.
class ReadGroup {};

// What may be read together with others in one operation.
class GroupedRead : public FlashOp {
 public:
  ReadGroup* group = nullptr;  // while it is of one
  bool reads_hard = false;     // whatever those do that go with it
};

class PageRead : public GroupedRead {
 public:
  explicit PageRead(PageReader& reader) : reader_(reader) {}

  // It is decoded, or uncorrectable for good.
  virtual void page_read(Tick now) = 0;

  // It is decoded, or uncorrectable at all steps.
  virtual void recovery_ended(Tick now);

  void array_done(Tick now) final;
  void coded(Tick now) final;
  void die_locked(Tick now) final;
  void gathered(std::span<FlashOp* const> reads, Tick now) final;

  // What is read of the page after those reads; none when there is nothing left to try.
  std::optional<ReadStep> next_step();
  // The read that has just been decoded was the last one of `tried`.
  void note_errors();

  bool lost = false;                             // what flash holds are not the data of the unit
  bool from_flash = false;                       // even of a page that a copy is kept of
  bool worth_remaking = true;                    // somebody wants to know what the page holds
  std::uint16_t retries = 0;                     // how often the page could not be decoded
  std::uint16_t tried = 0;                       // reads of its steps that are over or under way
  const ReadRecoveryPolicy* recovery = nullptr;  // null: it is read once
  RecoveryStage recovery_stage = RecoveryStage::first_read;
  StepOrder steps;
  std::vector<std::uint16_t> errors;  // of the worst codeword of each read, for policies that learn
  DieLockedRetry* retry = nullptr;
  // Of codewords that need those of another page: what comes first waits for it.
  bool waits_for_companion = false;
  bool companion_is_read = false;  // another read of this instant brings it; it is taken to come in time
  RemadePage* remade = nullptr;    // by the last resort

 private:
  PageReader& reader_;
};

}  // namespace nandscape::controller
