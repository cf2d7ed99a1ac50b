// SPDX-License-Identifier: Apache-2.0
// Restores the mapping of the controller after a loss of power. The sources are the checkpoint of the mapping, the tags
// of the pages written since that checkpoint, and the journal of trims. The drive does nothing else until recovery
// ends.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "controller/flash_ops/flash_io.h"
#include "controller/flash_ops/op_pool.h"
#include "controller/mapping/power_state.h"
#include "controller/mapping/unit_map.h"
#include "controller/power_loss/mapping_checkpoints.h"
#include "controller/power_loss/recovery_scan.h"
#include "controller/power_loss/trim_journal.h"
#include "controller/writing/page_writer.h"
#include "core/calendar.h"
#include "core/component.h"

namespace nandscape::controller {

struct RecoveryCounters {
  std::uint64_t journal_pages = 0;
  std::uint64_t checkpoint_pages = 0;
  std::uint64_t scanned_pages = 0;
  Tick time = 0;
};
void describe(const RecoveryCounters& counters, StatisticsVisitor& visitor);

class PowerOnRecovery final : public Component, private RecoveryScan::Client {
 public:
  class Listener {
   public:
    // Called if a die is dead. The mapping is lost then, since the die may have held newer versions of the data than
    // those found elsewhere.
    virtual void mapping_lost(Tick now) = 0;
    // Called when the mapping is complete. The listener must erase the blocks of both lists. `outdated_journal` are the
    // journal blocks that are no longer needed. `undone` are blocks to which data had been moved; the data are again
    // mapped to the locations from which they were moved.
    virtual void recovered(const std::vector<Superblock>& outdated_journal, const std::vector<Superblock>& undone,
                           Tick now) = 0;

   protected:
    ~Listener() = default;
  };

  PowerOnRecovery(FlashIo& io, FlashScheduler& scheduler, UnitMap& map, BlockTable& blocks, TrimmedRanges& trimmed,
                  JournalWriter& journal, PageWriter& writer, MappingCheckpoints& checkpoints, const PowerState& power,
                  Calendar& calendar, Listener& listener);

  void start(Tick now);
  bool under_way() const { return recovery_ != nullptr; }
  bool idle() const override { return recovery_ == nullptr; }
  // Whether the newest version of the data is not known, because a die is dead.
  bool mapping_is_lost() const { return mapping_lost_; }

  // Writes a checkpoint before the drive is switched off, so that the next recovery need not read any tags. No
  // operation of the drive may be under way.
  void write_checkpoint(Tick now);

  RecoveryCounters counters() const;
  void persist(Archive& archive) override { archive(mapping_lost_); }
  void persist_counters(Archive& archive) override;

 private:
  struct TagRead final : FlashOp {
    explicit TagRead(PowerOnRecovery& recovery) : owner(recovery) { may_join = false; }
    void array_done(Tick now) override { owner.tag_read(*this, now); }

    PowerOnRecovery& owner;
    FlashPage page;
  };

  // The content of a block of the journal.
  struct JournalBlock {
    std::uint64_t snapshot = 0;
    bool complete = false;
    std::vector<TrimRecord> records;

    void take_in(const JournalPage& page) {
      snapshot = page.snapshot;
      complete |= page.completes_snapshot;
      records.insert(records.end(), page.records.begin(), page.records.end());
    }
  };

  // Another location of a unit that was found to have several copies, with the version that was known at that time.
  struct Copy {
    Lpn lpn;
    Ppa place;
    std::uint64_t version;
    bool of_checkpoint;  // found in the checkpoint: valid unless the block has been erased since
  };

  struct Recovery {
    Recovery(const FlashLayout& layout, std::uint64_t units, RecoveryScan::Client& client, Tick now,
             std::optional<std::uint64_t> known_version);

    Tick begin;
    Tick scan_begin = 0;
    RecoveryScan scan;
    // For each block of the mapping: the number of programmed pages in its most and its least programmed member, and
    // the number of members that have not been scanned yet.
    IdVector<Superblock, std::uint32_t> most_programmed;
    IdVector<Superblock, std::uint32_t> least_programmed;
    IdVector<Superblock, std::uint32_t> members_left;
    IdVector<Superblock, bool> changed;  // whether the block has been changed since the checkpoint
    // Whether the voltages of its wordlines have been adjusted, which gives up some of their pages.
    IdVector<Superblock, bool> adjusted;
    // The stamp found so far; if unset, the stamp of the checkpoint is valid.
    IdVector<Superblock, std::optional<std::uint32_t>> stamps;
    IdVector<Superblock, std::uint8_t> modes;   // the write modes found so far, or 0
    IdVector<DieId, std::uint32_t> reads_left;  // number of tag reads in flight on the die
    std::vector<FlashPage> journal_pages;
    std::size_t journal_pages_read = 0;
    std::vector<std::uint64_t> words;  // content of the journal page that is being read
    std::map<Superblock, JournalBlock> journal;
    std::vector<Copy> copies;
    std::vector<Superblock> outdated_journal;
    std::vector<Superblock> undone;
  };

  // Implements RecoveryScan::Client.
  RecoveryScan::KnownBlock known_of(FlashBlock flash_block) const override;
  std::uint32_t pages_of(FlashBlock flash_block) const override { return blocks_.shape(holding(flash_block)).rows; }
  void block_changed(FlashBlock flash_block) override;
  void stamp_found(FlashBlock flash_block, std::uint32_t stamp) override;
  void found_copy(Lpn lpn, Ppa place) override;
  void found_moved(Lpn lpn) override;
  void found(Lpn lpn, Ppa place, bool lost) override;
  void block_scanned(FlashBlock flash_block, std::uint32_t programmed_pages) override;
  void journal_page_found(FlashPage flash_page) override;
  void frontier_mark_found(Superblock block) override;
  void write_mode_found(Superblock block, std::uint8_t mode) override;
  void slc_block_found(FlashBlock flash_block) override;

  Superblock holding(FlashBlock flash_block) const;
  std::uint32_t member_of(FlashBlock flash_block) const;
  void checkpoint_read(std::uint64_t complete);
  void checkpoint_written(std::uint64_t complete);
  void read_tag(FlashPage flash_page, std::span<std::uint64_t> tag, Tick now);
  void read_next_tags(DieId die, Tick now);
  void tag_read(TagRead& read, Tick now);
  void read_journal(Tick now);
  void finish(Tick now);
  void end(Tick now);
  std::vector<TrimRecord> adopt_journal();
  void trim_again(const TrimRecord& trim);
  void found_written(Superblock block);
  void undo_moves();
  void resume_known_blocks();
  void resume_blocks(const IdVector<Superblock, std::uint32_t>& programmed);

  FlashIo& io_;
  const FlashLayout& layout_;
  FlashScheduler& scheduler_;
  UnitMap& map_;
  BlockTable& blocks_;
  TrimmedRanges& trimmed_;
  JournalWriter& journal_;
  PageWriter& writer_;
  MappingCheckpoints& checkpoints_;
  const PowerState& power_;
  Calendar& calendar_;
  Listener& listener_;
  OpPool<TagRead, PowerOnRecovery> tag_reads_;
  std::unique_ptr<Recovery> recovery_;  // null unless a recovery is under way
  bool mapping_lost_ = false;
  std::uint64_t scanned_pages_ = 0;  // pages read by the latest recovery, whose duration is time_
  Tick time_ = 0;
};

}  // namespace nandscape::controller
