// SPDX-License-Identifier: Apache-2.0
// A read of a page or of a part of a page, including all retries until the page is decoded. Users derive their own
// class from PageRead and implement page_read(). The other classes in this file are the interfaces of optional stages
// of a read. They are implemented in other folders.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <string_view>

#include "controller/flash_ops/flash_op.h"
#include "controller/reading/read_recovery.h"
#include "core/archive.h"

namespace nandscape::controller {

class DieLockedRetry;
class PageReader;
struct RemadePage;

// A group of reads that have been sent as one operation, as long as not all of them are decoded. Implementations of
// GroupedReads derive from it.
class ReadGroup {};

// A read that may share an operation with other reads of its die.
class GroupedRead : public FlashOp {
 public:
  ReadGroup* group = nullptr;  // the group of the read, or null if it is in no group
  bool reads_hard = false;     // makes a hard read even if the other reads of its group use more sensing levels
};

class PageRead : public GroupedRead, public PageUnderRecovery {
 public:
  explicit PageRead(PageReader& reader) : reader_(reader) {}

  // Called at the end of the read, when the page is decoded or has been given up. In the latter case
  // `ecc.uncorrectable` is set.
  virtual void page_read(Tick now) = 0;

  // Called when the page is decoded, or when it could not be corrected at any step of the retry table. Continues with
  // the optional stages.
  virtual void recovery_ended(Tick now);

  void array_done(Tick now) final;
  void coded(Tick now) final;
  void die_locked(Tick now) final;
  void gathered(const OpQueue& reads, Tick now) final;

  // PageUnderRecovery
  using GroupedRead::place;
  PagePlace place() const final;
  BlockAge age() const final;

  // Sets the time for which age() gives the age.
  void asked_at(Tick now) { asked_at_ = now; }
  // Asks the read-recovery policy for the next read of the page. Returns nothing if the policy gives up.
  std::optional<ReadStep> next_step(Tick now) {
    asked_at_ = now;
    return recovery == nullptr ? std::nullopt : recovery->next(*this);
  }
  // Tells the policy that the page has been decoded.
  void succeeded(Tick now) {
    asked_at_ = now;
    if (recovery != nullptr) recovery->succeeded(*this);
  }
  // Adds a read that the policy has chosen to the attempts.
  void add_attempt(ReadStep step) {
    made_.push_back({.step = step});
    attempts = {made_.data(), made_.size()};
  }
  // Records whether the attempt with this number has been decoded and how many errors its worst codeword had. `op` has
  // made the read.
  void settle_attempt(std::size_t number, const FlashOp& op);
  // Forgets all attempts except for the first `kept`.
  [[gnu::noinline]] void forget_attempts(std::size_t kept) {
    made_.resize(kept);
    attempts = {made_.data(), kept};
  }
  // Records that the read is now sent as `step`. This step replaces the previous one, and includes the senses of the
  // previous step.
  void raise(const ReadStep& step);

 private:
  // The attempts. Most pages need only a few.
  boost::container::small_vector<ReadAttempt, 4> made_;
  Tick asked_at_ = 0;  // time at which the policy was last asked or told about the page
  // Each read uses the members from here on when its page has been transferred. They share a cache line with the first
  // members of the derived class.
  alignas(64) PageReader& reader_;

 public:
  ReadRecovery* recovery = nullptr;  // the policy that chooses the reads; null if the page is read only once
  DieLockedRetry* retry = nullptr;
  RemadePage* remade = nullptr;  // set by the last resort while it rebuilds the page, else null
  std::uint32_t layer = 0;       // set by PageReader::start() if something depends on the layer of the page
  std::uint16_t retries = 0;     // number of attempts to decode the page after the first one
  RecoveryStage recovery_stage = RecoveryStage::first_read;
  bool lost = false;           // the data of the unit are lost: the flash page does not contain them
  bool from_flash = false;     // the page is read from flash even if memory contains a copy of it
  bool worth_remaking = true;  // the page is worth rebuilding, because its content is needed
  // This page has been transferred, but cannot be decoded before its companion, whose codewords it needs.
  bool waits_for_companion = false;
  bool companion_is_read = false;  // another read that is sent now reads the companion; it is assumed to end in time

 protected:
  // Prepares the op for its next use, with another page. The policy and the order of the steps are set by
  // PageReader::start().
  void renew_read() {
    GroupedRead::renew_read();
    group = nullptr;
    retries = 0;
    recovery_stage = RecoveryStage::first_read;
    waits_for_companion = false;
    companion_is_read = false;
    retry = nullptr;
    remade = nullptr;
    if (!attempts.empty()) forget_attempts(0);
  }
};

// Coordinates the retries of reads that have been sent to their die as one operation.
class GroupedReads {
 public:
  virtual ~GroupedReads() = default;

  // Returns how many reads a page of this layer of the block is expected to need until it is decoded.
  virtual std::uint16_t expected_round(Superblock, std::uint32_t /*layer*/) const { return 1; }
  // Called when the reads are about to be sent as one operation. All of them must be GroupedRead objects.
  virtual void gathered(const OpQueue& group, Tick now) = 0;
  // Called when the read could not be decoded and must be sent again. Its op has been prepared for this.
  virtual void again(GroupedRead& read, Tick now) = 0;
  // Called when a read has ended, or will be repeated separately from its group. Only called if `group` is set.
  virtual void leave(GroupedRead& read, Tick now) = 0;
  // Called when the page has been decoded.
  virtual void succeeded(const PageRead&, std::uint32_t /*layer*/) {}
  // Called when the block has been erased.
  virtual void erased(Superblock) {}

  // Returns the name of the state that persist() saves, or an empty string if there is no such state.
  virtual std::string_view memory() const { return ""; }
  virtual void persist(Archive&) {}
};

// A companion page: its first unit, and the range [first, end) of its bytes that is needed.
struct CompanionPage {
  Ppa first_unit;
  std::uint32_t first;
  std::uint32_t end;
};

// Some pages contain codewords that can be decoded only together with the codewords of another page, their companion.
// This class determines companions and reads them.
class CompanionReads {
 public:
  // Returns the companion that is needed to decode the bytes [first, end) of the unit's page. Returns nothing if no
  // companion is needed.
  virtual std::optional<CompanionPage> companion_of(Ppa unit, std::uint32_t first, std::uint32_t end) const = 0;
  // Returns the first unit of the page that has the page beginning at `first_unit` as its companion. Returns nothing if
  // there is no such page.
  virtual std::optional<Ppa> borrower_of(Ppa first_unit) const = 0;
  // Sets the code of the read. If the read needs a companion, also sends it together with its companion and returns
  // true. Otherwise returns false, and the caller must send the read.
  virtual bool start(PageRead& read, std::uint32_t first, std::uint32_t end, Tick now) = 0;

 protected:
  ~CompanionReads() = default;
};

// The state of a page that is being rebuilt. Implementations of LastResort derive from it.
struct RemadePage {
  bool complete = false;  // all source pages have been decoded or are unavailable
};

// The last resort for a page that cannot be corrected at any step of the retry table. The page is rebuilt from other
// pages and decoded again.
class LastResort {
 public:
  // Called when the page has been decoded, or could not be corrected at any step. Returns whether the last resort takes
  // over the read. If so, it sets `remade` and decodes the page again, or it ends the read.
  virtual bool goes_on(PageRead& read, Tick now) = 0;
  // Called at the end of a read for which `remade` is set. Releases the RemadePage object.
  virtual void release(PageRead& read) = 0;

 protected:
  ~LastResort() = default;
};

// Reverses the changes that were made to a page before it was encoded, so that a decoded page again contains the data
// as written.
class PageUndo {
 public:
  // Called with a page that is decoded or has been given up. Returns whether this stage takes over the read. In this
  // case it calls PageReader::end() when the content of the page has been restored or cannot be restored.
  virtual bool goes_on(PageRead& read, Tick now) = 0;

 protected:
  ~PageUndo() = default;
};

}  // namespace nandscape::controller
