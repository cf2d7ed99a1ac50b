// SPDX-License-Identifier: Apache-2.0
// Reads pages of the flash until they are decoded: sense, move out, decode, and again at the next step of the retry
// table while that fails (equation 3 of the read-retry paper: every step is a read of its own, which starts when the
// one before it has failed). With parity, a page that fails at all steps is made from the others of its row. The page's
// block stays pinned until then.
#pragma once

#include <cstdint>
#include <optional>

#include "controller/flash_io.h"
#include "controller/mapping/block_table.h"
#include "controller/parity/rebuild.h"
#include "core/archive.h"
#include "core/statistics.h"

namespace nandscape {

struct ReadRetryCounters {
  std::uint64_t reads = 0;
  std::uint64_t retried_reads = 0;
  std::uint64_t steps = 0;
  std::uint64_t failed_reads = 0;
};
void describe(const ReadRetryCounters& counters, StatisticsVisitor& visitor);

class PageReader {
 public:
  class Client {
   public:
    // It is decoded, or uncorrectable for good.
    virtual void page_read(FlashTransaction& read, Tick now) = 0;
    // A page of the block could only be had from the others of its row.
    virtual void page_rebuilt(BlockId block, Tick now) = 0;
    virtual void unpin(BlockId block, Tick now) = 0;

   protected:
    ~Client() = default;
  };

  PageReader(FlashIo& io, BlockTable& blocks, Client& client, std::uint32_t retry_steps)
      : io_(io), blocks_(blocks), client_(client), retry_steps_(retry_steps) {
    if (io.layout().has_parity()) rebuild_.emplace(io);
  }

  // Reads the bytes [first, end) of the page that holds the unit, and what else the codewords around them hold.
  void start(FlashTransaction& read, Ppn source, std::uint32_t first, std::uint32_t end, Tick now);
  void transferred(FlashTransaction& read) { io_.decode(read); }
  void decoded(FlashTransaction& read, Tick now);

  const ReadRetryCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) {
    archive(counters_);
    if (rebuild_) rebuild_->persist_counters(archive);
  }
  ParityCounters parity_counters() const { return rebuild_ ? rebuild_->counters() : ParityCounters{}; }

 private:
  void rebuild_page(FlashTransaction& read, Tick now);
  void end(FlashTransaction& read, Tick now);

  FlashIo& io_;
  BlockTable& blocks_;
  Client& client_;
  std::optional<Rebuild> rebuild_;  // with parity
  const std::uint32_t retry_steps_;
  ReadRetryCounters counters_;
};

}  // namespace nandscape
