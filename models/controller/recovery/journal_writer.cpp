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

void JournalWriter::write(Tick now) {
  if (in_flight_ != 0 || !pending()) return;
  const bool room = block_.valid() && next_row_ + pages_per_wordline_ <= pages_per_block_;
  if ((snapshot_due_ || !room) && !open_block(now)) {
    client_.journal_waits(now);
    return;
  }
  send_wordline(now);
}

// A new block begins with all that is trimmed.
bool JournalWriter::open_block(Tick now) {
  const BlockId block = client_.take_journal_block(now);
  if (!block.valid()) return false;
  if (block_.valid()) old_blocks_.push_back(block_);
  block_ = block;
  next_row_ = 0;
  blocks_.set_state(block, BlockTable::State::journal);
  waiting_.clear();
  client_.collect_trims(waiting_);
  snapshot_due_ = false;
  in_snapshot_ = true;
  return true;
}

void JournalWriter::send_wordline(Tick now) {
  writing_ = std::min(waiting_.size(), most_records_);
  words_ = journal_words(std::span(waiting_).first(writing_));
  const FlashLayout& layout = io_.layout();
  const std::uint32_t end = std::min(next_row_ + pages_per_wordline_, pages_per_block_);
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
    const BlockId failed = std::exchange(block_, BlockId());
    snapshot_due_ = true;
    blocks_.set_state(failed, BlockTable::State::full);
    client_.block_failed(failed, now);
    write(now);
    return;
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(writing_));
  if (waiting_.empty() && !snapshot_due_) {
    if (std::exchange(in_snapshot_, false)) {
      for (const BlockId block : std::exchange(old_blocks_, {})) client_.release_journal_block(block, now);
    }
    client_.trims_durable(now);
  }
  write(now);
}

}  // namespace nandscape
