// SPDX-License-Identifier: Apache-2.0
// A read of a page, or of part of one, until it is decoded. Users derive from PageRead and implement page_read(). The
// other classes are the optional stages around a read, which other folders implement.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "controller/flash_ops/flash_op.h"
#include "controller/reading/read_recovery.h"
#include "core/archive.h"

namespace nandscape::controller {

class DieLockedRetry;
class PageReader;
struct RemadePage;

// A group of reads that were sent as one operation and are not all decoded yet.
class ReadGroup {};

// A read that may share an operation with others.
class GroupedRead : public FlashOp {
 public:
  ReadGroup* group = nullptr;  // null if the read is in no group
  bool reads_hard = false;     // a hard read even if its group has more sensing levels
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

  // The next read of the page that the policy chooses, or nothing when it gives up.
  std::optional<ReadStep> next_step(Tick now) const;
  // The read is sent as `step`, which replaces the previous step and includes its senses.
  void raise(const ReadStep& step);

  bool lost = false;                 // the flash page does not hold the unit's data
  bool from_flash = false;           // read from flash even if there is a copy of the page
  bool worth_remaking = true;        // the page's content is needed
  std::uint16_t retries = 0;         // decodes after the first
  ReadRecovery* recovery = nullptr;  // null: the page is read once
  RecoveryStage recovery_stage = RecoveryStage::first_read;
  StepOrder steps;
  // Attempts chosen so far; most pages need few.
  boost::container::small_vector<ReadAttempt, 4> attempts;
  DieLockedRetry* retry = nullptr;
  // This page has been read, and waits for its companion, whose codewords it needs.
  bool waits_for_companion = false;
  bool companion_is_read = false;  // another read sent now reads the companion, and is assumed to be in time
  RemadePage* remade = nullptr;    // set by the last resort

 protected:
  // Prepares the op for the next page; PageReader::start() sets the policy and the order of the steps.
  void renew_read() {
    GroupedRead::renew_read();
    group = nullptr;
    retries = 0;
    recovery_stage = RecoveryStage::first_read;
    attempts.clear();
    retry = nullptr;
    waits_for_companion = false;
    companion_is_read = false;
    remade = nullptr;
  }

 private:
  PageReader& reader_;
};

// Records how the attempt, which was sent as `read`, was decoded.
void settle(ReadAttempt& attempt, const FlashOp& read);

// Coordinates reads that are sent to their die as one operation, until they are decoded.
class GroupedReads {
 public:
  virtual ~GroupedReads() = default;

  // The number of reads that a page of the layer is expected to take until it is decoded.
  virtual std::uint16_t expected_round(Superblock, std::uint32_t /*layer*/) const { return 1; }
  // The reads are about to be sent together. All must be GroupedRead objects.
  virtual void gathered(std::span<FlashOp* const> group, Tick now) = 0;
  // The read has failed and is ready to be sent again.
  virtual void again(GroupedRead& read, Tick now) = 0;
  // The read has ended, or continues outside its group. Only called for reads with a `group`.
  virtual void leave(GroupedRead& read, Tick now) = 0;
  // Called when the page is decoded.
  virtual void succeeded(const PageRead&, std::uint32_t /*layer*/) {}
  virtual void erased(Superblock) {}

  // The name of the state that persist() saves; empty if there is none.
  virtual std::string_view memory() const { return ""; }
  virtual void persist(Archive&) {}
};

// A page, and the range of its bytes that is needed.
struct CompanionPage {
  Ppa first_unit;
  std::uint32_t first;
  std::uint32_t end;
};

// Finds and reads companions: some pages have codewords that can be decoded only with those of another page, their
// companion.
class CompanionReads {
 public:
  // Returns the companion that the codewords in those bytes of the unit's page need, if any.
  virtual std::optional<CompanionPage> companion_of(Ppa unit, std::uint32_t first, std::uint32_t end) const = 0;
  // Returns the first unit of the page whose codewords need the page that begins at this unit, if there is one.
  virtual std::optional<Ppa> borrower_of(Ppa first_unit) const = 0;
  // Sets the code of the read. Returns whether the read was sent, together with its companion.
  virtual bool start(PageRead& read, std::uint32_t first, std::uint32_t end, Tick now) = 0;

 protected:
  ~CompanionReads() = default;
};

// A page being rebuilt.
struct RemadePage {
  bool complete = false;  // all source pages are decoded or unavailable
};

// The last resort for a page that no step can correct: it is rebuilt from other pages, and decoded again.
class LastResort {
 public:
  // Called when the page is decoded, or uncorrectable at all steps. Returns whether the last resort takes over the
  // read. If so, the read is decoded again with `remade` set, or it ends.
  virtual bool goes_on(PageRead& read, Tick now) = 0;
  // Called at the end of a read that has `remade` set.
  virtual void release(PageRead& read) = 0;

 protected:
  ~LastResort() = default;
};

// Restores the written content of a decoded page.
class PageUndo {
 public:
  // Returns whether this stage takes over the read. If so, this stage calls PageReader::end() when the page's content
  // is restored, or known to be uncorrectable.
  virtual bool goes_on(PageRead& read, Tick now) = 0;

 protected:
  ~PageUndo() = default;
};

}  // namespace nandscape::controller
