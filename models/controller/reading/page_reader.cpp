// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/page_reader.h"

namespace nandscape {

void describe(const ReadRetryCounters& c, StatisticsVisitor& v) {
  v.count("retried_reads", c.retried_reads, "pages read that took retry steps");
  v.count("failed_reads", c.failed_reads, "pages that could not be corrected at any step");
  v.real("steps", c.reads == 0 ? 0 : static_cast<double>(c.steps) / static_cast<double>(c.reads), "",
         "retry steps of a page read, on average");
}

void PageReader::start(FlashTransaction& read, Ppn source, std::uint32_t first, std::uint32_t end, Tick now) {
  const FlashLayout& layout = io_.layout();
  const std::uint32_t codeword = io_.path().layout.codeword_bytes;
  read.ppn = source;
  read.block = layout.block_of(source);
  FlashIo::set_address(read, layout.find(source));
  read.command.first_byte = first / codeword * codeword;
  read.command.bytes = (end - read.command.first_byte + codeword - 1) / codeword * codeword;
  blocks_.pin(read.block);
  io_.read(read, now);
}

void PageReader::decoded(FlashTransaction& read, Tick now) {
  if (read.ecc.uncorrectable && read.command.retry_step < retry_steps_ && !read.rebuilt) {
    ++read.command.retry_step;
    read.command.cache = false;
    io_.enqueue(read, now);
  } else if (rebuild_ && (read.ecc.uncorrectable || read.rebuilt || read.rebuilds != nullptr)) {
    rebuild_page(read, now);
  } else {
    end(read, now);
  }
}

void PageReader::rebuild_page(FlashTransaction& read, Tick now) {
  if (read.rebuilds != nullptr) {
    FlashTransaction& lost = *read.rebuilds;
    if (rebuild_->page_read(read)) end(lost, now);
  } else if (read.rebuilt) {
    rebuild_->decoded(read);
    end(read, now);
  } else if (read.purpose == Purpose::scrub_read) {
    end(read, now);  // nobody wants to know what it holds
  } else {
    rebuild_->start(read, now);
  }
}

void PageReader::end(FlashTransaction& read, Tick now) {
  ++counters_.reads;
  counters_.retried_reads += read.command.retry_step > 0;
  counters_.steps += read.command.retry_step;
  counters_.failed_reads += read.ecc.uncorrectable;
  const BlockId block = read.block;
  const bool rebuilt = read.rebuilt;
  client_.unpin(block, now);
  if (read.lost) read.ecc.uncorrectable = true;
  client_.page_read(read, now);
  if (rebuilt) client_.page_rebuilt(block, now);
}

}  // namespace nandscape
