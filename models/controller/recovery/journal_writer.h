// SPDX-License-Identifier: Apache-2.0
// Writes the journal of trims (see trim_journal.h) to blocks of its own, one wordline at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/flash_io.h"
#include "controller/mapping/block_table.h"
#include "controller/recovery/trim_journal.h"
#include "core/archive.h"

namespace nandscape {

class JournalWriter {
 public:
  class Client {
   public:
    // An erased block, opened for the journal; an invalid id when none can be had now.
    virtual BlockId take_journal_block(Tick now) = 0;
    // What the block says counts no more.
    virtual void release_journal_block(BlockId block, Tick now) = 0;
    virtual void block_failed(BlockId block, Tick now) = 0;
    // All that is trimmed, whether it has been written or not.
    virtual void collect_trims(std::vector<TrimRecord>& records) = 0;
    // No block could be had: until one is erased the journal cannot go on.
    virtual void journal_waits(Tick now) = 0;
    // Nothing is pending any more.
    virtual void trims_durable(Tick now) = 0;

   protected:
    ~Client() = default;
  };

  JournalWriter(FlashIo& io, BlockTable& blocks, Client& client);

  void record(const TrimRecord& trim) { waiting_.push_back(trim); }
  // Everything is to be written again: what is on flash does not count.
  void demand_snapshot() { snapshot_due_ = true; }
  // Records that are not durable.
  bool pending() const { return !waiting_.empty() || in_flight_ != 0 || snapshot_due_; }
  bool writing() const { return in_flight_ != 0; }
  // Writes what is pending; the client hears when that is done. Also to be called when a block may be had again.
  void write(Tick now);
  void programmed(FlashTransaction& page, Tick now);
  // Blocks that held the journal before the power was lost.
  void adopt(BlockId block) { old_blocks_.push_back(block); }

  std::uint64_t pages() const { return pages_; }

  // Where the journal is, when nothing is pending.
  void persist(Archive& archive) { archive(block_, next_row_, old_blocks_); }
  void persist_counters(Archive& archive) { archive(pages_); }

 private:
  bool open_block(Tick now);
  void send_wordline(Tick now);
  void wordline_written(Tick now);

  FlashIo& io_;
  BlockTable& blocks_;
  Client& client_;
  const std::uint32_t pages_per_block_;
  const std::uint32_t pages_per_wordline_;
  const std::size_t most_records_;
  std::vector<TrimRecord> waiting_;
  std::vector<std::uint64_t> words_;  // of the page being written
  std::size_t writing_ = 0;           // records of waiting_ in that page
  std::uint32_t in_flight_ = 0;
  bool failed_ = false;
  bool snapshot_due_ = false;
  bool in_snapshot_ = false;  // the blocks before still count
  BlockId block_;
  std::uint32_t next_row_ = 0;
  std::vector<BlockId> old_blocks_;
  std::uint64_t pages_ = 0;
};

}  // namespace nandscape
