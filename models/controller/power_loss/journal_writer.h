// SPDX-License-Identifier: Apache-2.0
// Writes the journal of trims (see trim_journal.h) to its own blocks, one wordline at a time.
//
// If writes may come at any time, the journal keeps an erased block ready for the next snapshot. It then never waits
// for collection, which may wait for the journal. Blocks that it no longer needs are erased and returned to the free
// blocks: its next block is chosen like a block for data, so that the journal's blocks wear like the others.
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

// The journal has two blocks at a time: the one being written and the next.
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
    // Returns an erased block, opened for the journal; an invalid id if none is available now. `replaces`: the journal
    // has just returned another block.
    virtual Superblock take_journal_block(bool replaces, Tick now) = 0;
    // The content of the block no longer counts. Erase or retire the block, then call block_erased().
    virtual void release_journal_block(Superblock block, Tick now) = 0;
    virtual void journal_block_failed(Superblock block) = 0;
    // Lists all trimmed units, whether written to the journal or not.
    virtual void collect_trims(std::vector<TrimRecord>& records) = 0;
    // The journal got no block, and cannot continue until one is erased.
    virtual void journal_waits(Tick now) = 0;
    // All records are durable.
    virtual void trims_durable(Tick now) = 0;

   protected:
    ~Client() = default;
  };

  JournalWriter(FlashIo& io, BlockTable& blocks, Calendar& calendar);

  void set_client(Client& client) { client_ = &client; }

  // From the next write() on, the journal keeps a block ready.
  void keep_ready() { keeps_ready_ = true; }
  void record(const TrimRecord& trim) { waiting_.push_back(trim); }
  // Demands a snapshot: all trims are written again, since records on flash no longer count.
  void demand_snapshot() { snapshot_due_ = true; }
  // Whether there are records that are not durable, or a snapshot is due.
  bool pending() const { return !waiting_.empty() || in_flight_ != 0 || snapshot_due_; }
  bool writing() const { return in_flight_ != 0; }
  // Writes pending records, then calls trims_durable(). Call this also when a block may be available again.
  void write(Tick now);
  // A block has been erased or is retired. It may be a block that the journal released, or any other block that the
  // journal could take.
  void block_erased(Superblock block, bool erased, Tick now) override;

  // Restores the journal as found on flash after a loss of power: the number of the latest snapshot that was begun, and
  // the blocks of the latest complete one. `open` is the block among them that takes more pages after its first
  // `programmed_pages`; invalid if none does.
  void resume(std::uint64_t snapshot, std::vector<Superblock> blocks, Superblock open, std::uint32_t programmed_pages);

  // Programmed pages of a block of the journal; none if the number is not known.
  std::optional<std::uint32_t> programmed_pages(Superblock block) const {
    if (block == ready_) return 0;
    return block == block_ ? std::optional(next_row_) : std::nullopt;
  }

  // Gives up the journal: its records on flash no longer count. Returns its blocks.
  std::vector<Superblock> give_up();

  std::uint64_t pages() const { return pages_; }

  void list_waiting(std::ostream& out) const override;

  // Saves or restores the position of the journal. No page may be in flight. Pending records become part of the next
  // snapshot.
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
  std::vector<std::uint64_t> words_;  // words of the page being written
  std::size_t writing_ = 0;           // records of waiting_ in that page
  std::uint32_t in_flight_ = 0;       // pages of the wordline that are not programmed
  bool failed_ = false;
  bool snapshot_due_ = false;
  bool in_snapshot_ = false;       // the snapshot is not complete, so older blocks still count
  std::size_t snapshot_left_ = 0;  // records of waiting_ that belong to the snapshot
  std::uint64_t snapshot_ = 0;     // number of the snapshot
  Superblock block_;
  std::uint32_t next_row_ = 0;
  std::vector<Superblock> blocks_of_snapshot_;
  std::vector<Superblock> old_blocks_;
  std::vector<Superblock> released_;  // released, not erased yet
  bool taking_block_ = false;
  bool replaces_ = false;  // the journal may take a block for the one just returned
  bool keeps_ready_ = false;
  Superblock ready_;
  std::uint64_t pages_ = 0;
};

}  // namespace nandscape::controller
