// SPDX-License-Identifier: Apache-2.0
#include "controller/subpages/subpages.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "controller/flash_ops/flash_io.h"
#include "controller/flash_ops/scheduler/flash_scheduler.h"
#include "controller/reading/page_read.h"
#include "controller/reading/recent_steps.h"
#include "core/archive.h"
#include "core/pool.h"

namespace nandscape::controller {

namespace {

// A single-operation read that locks its die, with the state of its current round of reads.
class LockedOperation final : public ReadGroup {
 private:
  friend class LockedSubpages;

  std::vector<FlashOp*> unfinished_;  // reads that could not be decoded in this round
  std::uint32_t undecided_ = 0;       // number of reads of this round that the decoder has not finished yet
};

// Single-operation reads of several subpages (SOML). An operation locks its die until all of its subpages have been
// decoded. When all reads of a round have been decoded or have failed, the failed reads are sent again together,
// without any other read. Subpages that are decoded early are answered while the die is still locked [Nie et al.,
// section II-C, Figure 3].
class LockedSubpages final : public GroupedReads {
 public:
  explicit LockedSubpages(FlashScheduler& scheduler) : scheduler_(scheduler) {}

  // Called when the reads have been combined into an operation. They lock the die from now on.
  void gathered(const OpQueue& group, Tick now) override;
  void again(GroupedRead& read, Tick now) override;
  void leave(GroupedRead& read, Tick now) override;

 private:
  void decided(LockedOperation& operation, const FlashOp& last, Tick now);

  FlashScheduler& scheduler_;
  Pool<LockedOperation> operations_;
};

void LockedSubpages::gathered(const OpQueue& group, Tick) {
  LockedOperation& operation = operations_.acquire();
  operation.undecided_ = static_cast<std::uint32_t>(group.size());
  for (FlashOp& read : group) static_cast<GroupedRead&>(read).group = &operation;
}

void LockedSubpages::again(GroupedRead& read, Tick now) {
  auto& operation = static_cast<LockedOperation&>(*read.group);
  operation.unfinished_.push_back(&read);
  decided(operation, read, now);
}

void LockedSubpages::leave(GroupedRead& read, Tick now) {
  decided(static_cast<LockedOperation&>(*std::exchange(read.group, nullptr)), read, now);
}

void LockedSubpages::decided(LockedOperation& operation, const FlashOp& last, Tick now) {
  if (--operation.undecided_ != 0) return;
  if (operation.unfinished_.empty()) {
    operations_.release(operation);
    scheduler_.unlock_die(last.channel, last.command.die, now);
    return;
  }
  operation.undecided_ = static_cast<std::uint32_t>(operation.unfinished_.size());
  scheduler_.hold();
  for (FlashOp* read : operation.unfinished_) scheduler_.enqueue(*read, now, QueuePosition::under_lock);
  scheduler_.send_held(now);
  operation.unfinished_.clear();
}

// Layer-aware subpage read scheduling (SRS) [Nie et al., section III-A]. A page is expected to need as many reads as
// the page of its layer that was read last. Reads that will probably be decoded in the same round are sent together. A
// retry is queued like any other read, and the reads that are combined with it use its number of sensing levels.
class SubpageRounds final : public GroupedReads {
 public:
  SubpageRounds(FlashIo& io, std::uint32_t blocks, std::uint32_t layers) : io_(io), rounds_(blocks, layers) {}

  std::uint16_t expected_round(Superblock block, std::uint32_t layer) const override {
    return rounds_.likely(block, layer);
  }
  // Called when the reads have been combined into an operation. All of them are sensed at the highest number of levels
  // that one of them needs, because the array is busy for that time anyway.
  void gathered(const OpQueue& group, Tick now) override;
  void again(GroupedRead& read, Tick now) override { io_.enqueue(read, now, QueuePosition::again); }
  void leave(GroupedRead&, Tick) override {}
  // If the sensing levels of a read were raised for its group, the read counts attempts that it may not have needed.
  // Therefore the lower of the expected and the counted number of reads is recorded.
  void succeeded(const PageRead& read, std::uint32_t layer) override {
    if (read.reads_hard) return;
    const auto round = std::min<std::size_t>({read.expected_round, read.attempts.size(), RecentSteps::highest});
    rounds_.succeeded(read.block, layer, static_cast<std::uint8_t>(round));
  }
  void erased(Superblock block) override { rounds_.forget(block); }

  std::string_view memory() const override { return "srs"; }
  void persist(Archive& archive) override { rounds_.persist(archive, RecentSteps::highest); }

 private:
  FlashIo& io_;
  RecentSteps rounds_;  // used here for numbers of reads, instead of numbers of retry steps
};

void SubpageRounds::gathered(const OpQueue& group, Tick now) {
  std::uint8_t levels = 1;
  for (const FlashOp& read : group) levels = std::max(levels, read.command.sensing_levels);
  for (FlashOp& member : group) {
    if (static_cast<GroupedRead&>(member).reads_hard) continue;
    auto& read = static_cast<PageRead&>(member);
    while (read.command.sensing_levels < levels) {
      const std::optional<ReadStep> step = read.next_step(now);
      if (!step || step->retry_step != read.command.retry_step) break;
      if (step->sensing_levels <= read.command.sensing_levels) break;
      read.raise(*step);
      io_.set_sensing_levels(read, static_cast<std::uint32_t>(step->sensing_levels), read.command.earlier_levels);
    }
  }
}

}  // namespace

std::unique_ptr<GroupedReads> Subpages::make_reads(bool retries_lock_die, FlashIo& io, FlashScheduler& scheduler,
                                                   const FtlGeometry& mapping, std::uint32_t layers) const {
  switch (reads_) {
    case SubpageReads::none: break;
    case SubpageReads::soml: return std::make_unique<LockedSubpages>(scheduler);
    case SubpageReads::srs:
      if (retries_lock_die) break;
      return std::make_unique<SubpageRounds>(io, mapping.blocks(), layers);
  }
  return nullptr;
}

}  // namespace nandscape::controller
