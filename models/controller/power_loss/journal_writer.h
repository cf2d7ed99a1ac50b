// SPDX-License-Identifier: Apache-2.0
// Writes the journal of trims (see trim_journal.h) to blocks of its own, one wordline at a time. If the cells are
// programmed in two passes, the next wordline gets its first pass, with the same pages, before the second pass of the
// wordline. It never gets a second pass, and cannot be read.
//
// After keep_ready(), the journal always keeps an erased block ready for the next snapshot. It then never has to wait
// for garbage collection, which may itself be waiting for the journal. When the journal no longer needs a block, the
// block is erased and returned to the free blocks. The next block of the journal is chosen in the same way as a block
// for data, so that all blocks wear evenly.
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
#include "core/component.h"

namespace nandscape::controller {

// The journal has two blocks at a time: the block that is being written, and the block for the next snapshot.
inline constexpr std::uint64_t journal_blocks = 2;

class JournalWriter;

struct JournalPageProgram final : FlashOp {
  explicit JournalPageProgram(JournalWriter& writer) : owner(writer) { queue = QueueKind::background_write; }
  void array_done(Tick now) override;

  JournalWriter& owner;
};

class JournalWriter final : public Component, public EraseListener {
 public:
  class Client {
   public:
    // Returns an erased block that has been opened for the journal, or an invalid id if none is available now.
    // `replaces` is true if the journal has just returned another block.
    virtual Superblock take_journal_block(bool replaces, Tick now) = 0;
    // Called when the journal no longer needs the content of the block. The client must erase or retire the block, and
    // then call block_erased().
    virtual void release_journal_block(Superblock block, Tick now) = 0;
    virtual void journal_block_failed(Superblock block) = 0;
    // Appends the ranges of all trimmed units to `records`, whether or not they have been written to the journal.
    virtual void collect_trims(std::vector<TrimRecord>& records) = 0;
    // Called when no block is available for the journal. The journal cannot continue before a block has been erased.
    virtual void journal_waits(Tick now) = 0;
    // Called when all records are durable.
    virtual void trims_durable(Tick now) = 0;

   protected:
    ~Client() = default;
  };

  JournalWriter(FlashIo& io, BlockTable& blocks, Calendar& calendar);

  void set_client(Client& client) { client_ = &client; }

  // Makes the journal keep an erased block ready, beginning with the next call of write().
  void keep_ready() { keeps_ready_ = true; }
  void record(const TrimRecord& trim) { waiting_.push_back(trim); }
  // Makes the next write() begin a new snapshot, which records all trimmed units again. Must be called when the records
  // on flash are no longer sufficient.
  void demand_snapshot() { snapshot_due_ = true; }
  // Returns whether some records are not durable yet, or a snapshot must be written.
  bool pending() const { return !waiting_.empty() || in_flight_ != 0 || snapshot_due_; }
  bool writing() const { return in_flight_ != 0; }
  // Writes the pending records, and calls trims_durable() when all are durable. Must also be called when a block may
  // have become available for the journal.
  void write(Tick now);
  // Called when a block has been erased or retired. The block may be one that the journal has released, or any other
  // block that the journal could now take.
  void block_erased(Superblock block, bool erased, Tick now) override;

  // Continues the journal that was found on flash after a loss of power. `snapshot` is the number of the latest
  // snapshot that was begun, and `blocks` are the blocks of the latest complete snapshot. `open` is the block among
  // them that can take more pages, after its first `programmed_pages` pages. It is invalid if all blocks are full.
  void resume(std::uint64_t snapshot, std::vector<Superblock> blocks, Superblock open, std::uint32_t programmed_pages);

  // Returns the number of programmed pages of a block of the journal, or nothing if that number is not known.
  std::optional<std::uint32_t> programmed_pages(Superblock block) const {
    if (block == ready_) return 0;
    return block == block_ ? std::optional(next_row_) : std::nullopt;
  }

  // Ends the use of the current journal, whose records on flash become invalid, and returns its blocks.
  std::vector<Superblock> give_up();

  std::uint64_t pages() const { return pages_; }

  void list_waiting(std::ostream& out) const override;

  // Saves or restores the state of the journal. No page may be in flight. Records that are still pending are not saved;
  // they become part of the next snapshot.
  void persist(Archive& archive) override;
  void persist_counters(Archive& archive) override { archive(pages_); }

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
  [[nodiscard]] bool has_room() const { return block_.valid() && next_row_ < blocks_.shape(block_).rows; }

  FlashIo& io_;
  OpPool<JournalPageProgram, JournalWriter> page_programs_;
  BlockTable& blocks_;
  Calendar& calendar_;
  Client* client_ = nullptr;
  const std::size_t most_records_;
  std::vector<TrimRecord> waiting_;
  std::vector<std::uint64_t> words_;  // content of the page that is being written, as words of its tag
  std::size_t writing_ = 0;           // number of records of waiting_ that are in that page
  std::uint32_t in_flight_ = 0;       // programs of the current wordline that have not ended yet
  struct Program {
    std::uint32_t row;
    ProgramPass pass;
  };
  std::vector<Program> programs_;  // the programs that make the wordline durable
  bool failed_ = false;
  bool snapshot_due_ = false;
  bool in_snapshot_ = false;       // the snapshot is still incomplete, so the records in older blocks are still needed
  std::size_t snapshot_left_ = 0;  // number of records of waiting_ that belong to the snapshot
  std::uint64_t snapshot_ = 0;     // number of the latest snapshot
  Superblock block_;
  std::uint32_t next_row_ = 0;
  std::vector<Superblock> blocks_of_snapshot_;
  std::vector<Superblock> old_blocks_;
  std::vector<Superblock> released_;  // released, but not erased yet
  bool taking_block_ = false;
  bool replaces_ = false;  // the journal has just returned a block and may take another in exchange
  bool keeps_ready_ = false;
  Superblock ready_;
  std::uint64_t pages_ = 0;
};

}  // namespace nandscape::controller
