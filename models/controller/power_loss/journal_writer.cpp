// SPDX-License-Identifier: Apache-2.0
#include "controller/power_loss/journal_writer.h"

#include <algorithm>
#include <ostream>
#include <span>
#include <utility>

namespace nandscape::controller {

JournalWriter::JournalWriter(FlashIo& io, BlockTable& blocks, Calendar& calendar)
    : io_(io),
      page_programs_(io, *this),
      blocks_(blocks),
      calendar_(calendar),
      most_records_(most_trim_records(io.layout().flash().page_bytes)) {}

// Taking a block may start garbage collection, which may call this function again. `taking_block_` makes the inner call
// return at once.
void JournalWriter::write(Tick now) {
  if (std::exchange(taking_block_, true)) return;
  if (in_flight_ == 0 && pending()) {
    if ((!snapshot_due_ && has_room()) || open_block(now)) {
      send_wordline(now);
    } else {
      client_->journal_waits(now);
    }
  }
  if (keeps_ready_ && !ready_.valid()) ready_ = client_->take_journal_block(replaces_, now);
  taking_block_ = false;
}

bool JournalWriter::open_block(Tick now) {
  Superblock block = std::exchange(ready_, Superblock());
  if (!block.valid()) block = client_->take_journal_block(replaces_, now);
  if (!block.valid()) return false;
  if (snapshot_due_ || !in_snapshot_) begin_snapshot();
  block_ = block;
  blocks_of_snapshot_.push_back(block);
  next_row_ = 0;
  return true;
}

void JournalWriter::begin_snapshot() {
  old_blocks_.insert(old_blocks_.end(), blocks_of_snapshot_.begin(), blocks_of_snapshot_.end());
  blocks_of_snapshot_.clear();
  waiting_.clear();
  client_->collect_trims(waiting_);
  snapshot_left_ = waiting_.size();
  ++snapshot_;
  snapshot_due_ = false;
  in_snapshot_ = true;
}

void JournalWriter::send_wordline(Tick now) {
  writing_ = std::min(waiting_.size(), most_records_);
  words_ = journal_words(snapshot_, in_snapshot_ && writing_ >= snapshot_left_, std::span(waiting_).first(writing_));
  const BlockShape& shape = blocks_.shape(block_);
  const std::uint32_t end = std::min(shape.up_to_wordline(next_row_ + 1), shape.rows);
  const std::uint32_t end_of_next = std::min(shape.up_to_durable(next_row_ + 1), shape.rows);
  programs_.clear();
  for (std::uint32_t row = next_row_; row < end_of_next; ++row) programs_.push_back({row, ProgramPass::first});
  if (shape.passes == 2) {
    for (std::uint32_t row = next_row_; row < end; ++row) programs_.push_back({row, ProgramPass::again});
  }
  in_flight_ = static_cast<std::uint32_t>(programs_.size());
  failed_ = false;
  send_page(now);
}

// Sends the next page of the wordline. Pages are sent one by one, ahead of all other pages of the plane, because some
// of these may wait for an erase that itself waits for the journal.
void JournalWriter::send_page(Tick now) {
  JournalPageProgram& page = page_programs_.acquire();
  page.block = block_;
  page.command.operation = NandOperation::program;
  page.command.mode = blocks_.shape(block_).cells;
  page.command.bytes = io_.layout().flash().page_bytes;
  page.command.tag = words_;
  if (io_.path().keeps_data()) std::fill_n(page.command.data, io_.path().buffer_bytes(), std::byte{0});
  const auto [row, pass] = programs_[programs_.size() - in_flight_];
  FlashIo::set_address(page, io_.layout().find(block_, row, 0));
  page.command.pass = pass;
  if (pass == ProgramPass::first) next_row_ = row + 1;
  pages_ += pass == ProgramPass::first;
  // The page is queued by a separate event, because the scheduler may be choosing an operation at the moment.
  calendar_.schedule<&JournalWriter::enqueue>(now, *this, page);
}

void JournalWriter::enqueue(JournalPageProgram& page) { io_.enqueue(page, calendar_.now(), QueuePosition::first); }

void JournalPageProgram::array_done(Tick now) { owner.programmed(*this, now); }

void JournalWriter::programmed(JournalPageProgram& page, Tick now) {
  failed_ |= page.command.status != NandStatus::pass;
  page_programs_.release(page);
  if (--in_flight_ == 0 || failed_) {
    in_flight_ = 0;
    wordline_written(now);
  } else {
    send_page(now);
  }
}

void JournalWriter::wordline_written(Tick now) {
  if (failed_) {
    // The records in the failed block stay valid until a new snapshot has been completed in another block.
    client_->journal_block_failed(std::exchange(block_, Superblock()));
    snapshot_due_ = true;
    write(now);
    return;
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(writing_));
  snapshot_left_ -= std::min(writing_, snapshot_left_);
  if (in_snapshot_ && snapshot_left_ == 0 && !snapshot_due_) {
    in_snapshot_ = false;
    for (const Superblock block : std::exchange(old_blocks_, {})) release(block, now);
  }
  if (!pending()) client_->trims_durable(now);
  write(now);
}

void JournalWriter::release(Superblock block, Tick now) {
  released_.push_back(block);
  client_->release_journal_block(block, now);
}

void JournalWriter::block_erased(Superblock block, bool, Tick now) {
  replaces_ = std::erase(released_, block) != 0 && blocks_.state(block) == BlockTable::State::free;
  write(now);
  replaces_ = false;
}

std::vector<Superblock> JournalWriter::give_up() {
  std::vector<Superblock> blocks = std::exchange(blocks_of_snapshot_, {});
  blocks.insert(blocks.end(), old_blocks_.begin(), old_blocks_.end());
  old_blocks_.clear();
  if (ready_.valid()) blocks.push_back(std::exchange(ready_, Superblock()));
  block_ = Superblock();
  next_row_ = 0;
  return blocks;
}

void JournalWriter::list_waiting(std::ostream& out) const {
  if (!pending()) return;
  out << "journal of trims: " << waiting_.size() << " records, " << in_flight_ << " pages on their way"
      << (snapshot_due_ ? ", a snapshot is due" : "") << (has_room() ? "" : ", no room in its block") << "\n";
}

void JournalWriter::persist(Archive& archive) {
  archive.section("journal of trims");
  const std::uint64_t blocks = blocks_.geometry().blocks();
  archive(snapshot_);
  archive.index_or_none(block_, blocks, "the block of the journal");
  if (!block_.valid()) next_row_ = 0;
  const BlockShape& shape = block_.valid() ? blocks_.shape(block_) : blocks_.shapes().ordinary();
  archive.number(next_row_, shape.rows, "the next page of the journal");
  for (std::vector<Superblock>* list : {&blocks_of_snapshot_, &old_blocks_}) {
    archive.list(*list, blocks, "blocks of the journal",
                 [&](Superblock& block) { archive.index(block, blocks, "a block of the journal"); });
  }
  bool due = pending();
  archive(keeps_ready_, due);
  archive.index_or_none(ready_, blocks, "the block that the journal keeps ready");
  if (!archive.loading()) return;

  snapshot_due_ = due;
  std::vector<Superblock> own = blocks_of_snapshot_;
  own.insert(own.end(), old_blocks_.begin(), old_blocks_.end());
  archive.require(!block_.valid() || std::ranges::count(blocks_of_snapshot_, block_) == 1,
                  "the journal writes to a block that is not its own");
  archive.require(block_.valid() || next_row_ == 0, "the journal has a next page and no block");
  if (ready_.valid()) own.push_back(ready_);
  std::ranges::sort(own);
  std::uint32_t in_table = 0;
  for (const Superblock block : blocks_.geometry().every_block()) {
    in_table += blocks_.state(block) == BlockTable::State::journal;
  }
  const bool agree =
      own.size() == in_table && std::ranges::adjacent_find(own) == own.end() &&
      std::ranges::all_of(own, [&](Superblock block) { return blocks_.state(block) == BlockTable::State::journal; });
  archive.require(agree, "the blocks of the journal are not those in the block table");
}

void JournalWriter::resume(std::uint64_t snapshot, std::vector<Superblock> blocks, Superblock open,
                           std::uint32_t programmed_pages) {
  snapshot_ = snapshot;
  blocks_of_snapshot_ = std::move(blocks);
  for (const Superblock block : blocks_of_snapshot_) blocks_.set_state(block, BlockTable::State::journal);
  block_ = open;
  next_row_ = programmed_pages;
}

}  // namespace nandscape::controller
