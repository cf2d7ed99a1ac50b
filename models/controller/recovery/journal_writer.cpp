// SPDX-License-Identifier: Apache-2.0
#include "controller/recovery/journal_writer.h"

#include <algorithm>
#include <span>
#include <utility>

namespace nandscape {

JournalWriter::JournalWriter(FlashIo& io, BlockTable& blocks, Client& client)
    : io_(io),
      blocks_(blocks),
      client_(client),
      pages_per_block_(io.layout().flash().pages_per_block),
      pages_per_wordline_(io.path().pages_per_wordline),
      most_records_(most_trim_records(io.layout().flash().page_bytes)) {}

void JournalWriter::keep_ready(Tick now) {
  keeps_ready_ = true;
  if (!ready_.valid()) ready_ = client_.take_journal_block(false, now);
}

void JournalWriter::write(Tick now) {
  if (keeps_ready_) keep_ready(now);
  if (in_flight_ != 0 || !pending()) return;
  if ((snapshot_due_ || !has_room()) && !open_block(now)) {
    client_.journal_waits(now);
    return;
  }
  send_wordline(now);
}

bool JournalWriter::open_block(Tick now) {
  BlockId block = std::exchange(ready_, BlockId());
  if (!block.valid()) block = client_.take_journal_block(false, now);
  if (!block.valid()) return false;
  if (snapshot_due_ || !in_snapshot_) begin_snapshot();
  block_ = block;
  blocks_of_snapshot_.push_back(block);
  next_row_ = 0;
  if (keeps_ready_) keep_ready(now);
  return true;
}

void JournalWriter::begin_snapshot() {
  old_blocks_.insert(old_blocks_.end(), blocks_of_snapshot_.begin(), blocks_of_snapshot_.end());
  blocks_of_snapshot_.clear();
  waiting_.clear();
  client_.collect_trims(waiting_);
  snapshot_left_ = waiting_.size();
  ++snapshot_;
  snapshot_due_ = false;
  in_snapshot_ = true;
}

void JournalWriter::send_wordline(Tick now) {
  writing_ = std::min(waiting_.size(), most_records_);
  words_ = journal_words(snapshot_, in_snapshot_ && writing_ >= snapshot_left_, std::span(waiting_).first(writing_));
  const FlashLayout& layout = io_.layout();
  const std::uint32_t wordline = next_row_ / pages_per_wordline_;
  const std::uint32_t end = std::min((wordline + 1) * pages_per_wordline_, pages_per_block_);
  failed_ = false;
  in_flight_ = end - next_row_;
  for (; next_row_ < end; ++next_row_) {
    FlashTransaction& page = io_.acquire(Purpose::journal_write);
    page.block = block_;
    page.command.operation = NandOperation::program;
    page.command.bytes = layout.flash().page_bytes;
    page.command.tag = words_;
    if (io_.path().keeps_data()) std::fill_n(page.command.data, io_.path().buffer_bytes(), std::byte{0});
    FlashIo::set_address(page, layout.find(block_, next_row_, 0));
    ++pages_;
    io_.enqueue(page, now);
  }
}

void JournalWriter::programmed(FlashTransaction& page, Tick now) {
  failed_ |= page.command.status != NandStatus::pass;
  io_.release(page);
  if (--in_flight_ == 0) wordline_written(now);
}

void JournalWriter::wordline_written(Tick now) {
  if (failed_) {
    // What it holds counts until a snapshot is complete elsewhere.
    client_.journal_block_failed(std::exchange(block_, BlockId()));
    snapshot_due_ = true;
    write(now);
    return;
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(writing_));
  snapshot_left_ -= std::min(writing_, snapshot_left_);
  if (in_snapshot_ && snapshot_left_ == 0 && !snapshot_due_) {
    in_snapshot_ = false;
    for (const BlockId block : std::exchange(old_blocks_, {})) release(block, now);
  }
  if (!pending()) client_.trims_durable(now);
  write(now);
}

void JournalWriter::release(BlockId block, Tick now) {
  released_.push_back(block);
  client_.release_journal_block(block, now);
}

// One block comes back, and one may be had for it.
void JournalWriter::block_erased(BlockId block, Tick now) {
  if (std::erase(released_, block) == 0 || !keeps_ready_ || ready_.valid()) return;
  if (blocks_.state(block) == BlockTable::State::free) ready_ = client_.take_journal_block(true, now);
}

void JournalWriter::resume(std::uint64_t snapshot, std::vector<BlockId> blocks, BlockId open,
                           std::uint32_t programmed_pages) {
  snapshot_ = snapshot;
  blocks_of_snapshot_ = std::move(blocks);
  for (const BlockId block : blocks_of_snapshot_) blocks_.set_state(block, BlockTable::State::journal);
  block_ = open;
  next_row_ = programmed_pages;
}

}  // namespace nandscape
