// SPDX-License-Identifier: Apache-2.0
// Writes the journal of trims (see trim_journal.h) to blocks of its own, one wordline at a time.
//
// While it may have to write at any time, it keeps an erased block ready for the next snapshot, so that it never waits
// for collection, which may wait for it. Blocks that it needs no more are erased, and go back to all the others: the
// next one is chosen as it is for data, and so wears like them.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <vector>

#include "controller/flash_ops/flash_io.h"
#include "controller/flash_ops/op_pool.h"
#include "controller/mapping/block_table.h"
#include "controller/power_loss/trim_journal.h"
#include "core/archive.h"
#include "core/calendar.h"

namespace nandscape::controller {

// That it has at a time: the one that it writes to, and the next.
inline constexpr std::uint64_t journal_blocks = 2;

class JournalWriter;

struct JournalPageProgram final : FlashOp {
  explicit JournalPageProgram(JournalWriter& writer) : owner(writer) { queue = QueueKind::background_write; }
  void array_done(Tick now) override;

  JournalWriter& owner;
};

class JournalWriter {
 public:
  class Client {
   public:
    // An erased block, opened for the journal; an invalid id when none can be had now. `replaces`: the journal has just
    // given back another one.
    virtual Superblock take_journal_block(bool replaces, Tick now) = 0;
    // What the block says counts no more. It is erased, or given up; then block_erased() is to be called.
    virtual void release_journal_block(Superblock block, Tick now) = 0;
    virtual void journal_block_failed(Superblock block) = 0;
    // All that is trimmed, whether it has been written or not.
    virtual void collect_trims(std::vector<TrimRecord>& records) = 0;
    // No block could be had: until one is erased the journal cannot go on.
    virtual void journal_waits(Tick now) = 0;
    // Nothing is pending any more.
    virtual void trims_durable(Tick now) = 0;

   protected:
    ~Client() = default;
  };

  JournalWriter(FlashIo& io, BlockTable& blocks, Calendar& calendar);

  void set_client(Client& client) { client_ = &client; }

  // From the next write() on it has a block ready.
  void keep_ready() { keeps_ready_ = true; }
  void record(const TrimRecord& trim) { waiting_.push_back(trim); }
  // Everything is to be written again: what is on flash does not count.
  void demand_snapshot() { snapshot_due_ = true; }
  // Records that are not durable.
  bool pending() const { return !waiting_.empty() || in_flight_ != 0 || snapshot_due_; }
  bool writing() const { return in_flight_ != 0; }
  // Writes what is pending; the client hears when that is done. Also to be called when a block may be had again.
  void write(Tick now);
  // A block has been erased, or is given up: one that was released, or any other, which may be had for the journal.
  void block_erased(Superblock block, Tick now);

  // What is on flash since before the power was lost: the number of the latest snapshot that was begun, the blocks of
  // the latest that is complete, and the one of them that can be written on, of which so many pages are programmed; an
  // invalid id for none.
  void resume(std::uint64_t snapshot, std::vector<Superblock> blocks, Superblock open, std::uint32_t programmed_pages);

  // How far one of its blocks must be written, if that is known.
  std::optional<std::uint32_t> programmed_pages(Superblock block) const {
    if (block == ready_) return 0;
    return block == block_ ? std::optional(next_row_) : std::nullopt;
  }

  // Nothing of what it has written counts any more. Returns its blocks.
  std::vector<Superblock> give_up();

  std::uint64_t pages() const { return pages_; }

  void list_waiting(std::ostream& out) const;

  // Where the journal is, when nothing is being written. What is pending will be part of another snapshot.
  void persist(Archive& archive);
  void persist_counters(Archive& archive) { archive(pages_); }

 private:
  friend JournalPageProgram;

  bool open_block(Tick now);
  void begin_snapshot();
  void send_wordline(Tick now);
  void send_page(Tick now);
  void enqueue(JournalPageProgram& page);
  void programmed(JournalPageProgram& page, Tick now);
  void wordline_written(Tick now);
  void release(Superblock block, Tick now);
  bool has_room() const { return block_.valid() && next_row_ < pages_per_block_; }

  FlashIo& io_;
  OpPool<JournalPageProgram, JournalWriter> page_programs_;
  BlockTable& blocks_;
  Calendar& calendar_;
  Client* client_ = nullptr;
  const std::uint32_t pages_per_block_;
  const std::uint32_t pages_per_wordline_;
  const std::size_t most_records_;
  std::vector<TrimRecord> waiting_;
  std::vector<std::uint64_t> words_;  // of the page being written
  std::size_t writing_ = 0;           // records of waiting_ in that page
  std::uint32_t in_flight_ = 0;       // pages of the wordline that are not programmed
  bool failed_ = false;
  bool snapshot_due_ = false;
  bool in_snapshot_ = false;       // it is not complete, and the blocks before still count
  std::size_t snapshot_left_ = 0;  // records of waiting_ that belong to it
  std::uint64_t snapshot_ = 0;     // its number
  Superblock block_;
  std::uint32_t next_row_ = 0;
  std::vector<Superblock> blocks_of_snapshot_;
  std::vector<Superblock> old_blocks_;
  std::vector<Superblock> released_;  // and not erased yet
  bool taking_block_ = false;
  bool replaces_ = false;  // it may take a block for the one that it has just given back
  bool keeps_ready_ = false;
  Superblock ready_;
  std::uint64_t pages_ = 0;
};

}  // namespace nandscape::controller
