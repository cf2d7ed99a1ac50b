// SPDX-License-Identifier: Apache-2.0
// Reads pages of the flash until they are decoded: sense, move out, decode, and again at the next step of the retry
// table while that fails. Regularly every step is a read of its own, which starts when the one before it has failed
// (equation 3 of Park et al., ASPLOS 2021) and waits its turn; other policies hold the die (held_retries.h). With
// parity, a page that fails at all steps is made from the others of its row. The page's block stays pinned until then.
//
// With policy `soft`, a step is first tried with more and more sensing levels (Zhao et al., FAST 2013). Where what was
// sensed is kept, each of these reads makes only the senses that it adds.
//
// Subpages of several pages may be read in one operation (SOML), which may hold the die (subpage_operations.h). With
// layer-aware subpage read scheduling (SRS; Nie et al., section III-A) it does not: a retry waits as other reads do,
// and what goes with it is sensed at as many levels. A page is expected to take as many reads as the last one of its
// layer, so that those can go together that are likely to be decoded together.
//
// Codewords of fullpages (mapping/fullpage_pattern.h) that borrow parity need the page that lends it as well, once: it
// goes along in the same operation where subpages do, and is read before them else.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "controller/flash_io.h"
#include "controller/mapping/block_table.h"
#include "controller/parameters.h"
#include "controller/parity/rebuild.h"
#include "controller/reading/held_retries.h"
#include "controller/reading/recent_steps.h"
#include "controller/reading/subpage_operations.h"
#include "core/archive.h"
#include "core/statistics.h"
#include "protocol/sensing_levels.h"

namespace nandscape {

// Reads of pages and their retries, by the number of sensing levels.
struct SensingLevelCounters {
  std::array<std::uint64_t, most_sensing_levels> reads{};
};
void describe(const SensingLevelCounters& counters, StatisticsVisitor& visitor);

struct ReadRetryCounters {
  std::uint64_t reads = 0;
  std::uint64_t retried_reads = 0;
  std::uint64_t steps = 0;
  std::uint64_t failed_reads = 0;
  SensingLevelCounters sensing_levels;
  HeldRetryCounters held;
};
void describe(const ReadRetryCounters& counters, StatisticsVisitor& visitor);

class PageReader final : private HeldRetries::Client {
 public:
  class Client {
   public:
    // It is decoded, or uncorrectable for good.
    virtual void page_read(FlashTransaction& read, Tick now) = 0;
    // A page of the block could only be had from the others of its row.
    virtual void page_rebuilt(BlockId block, Tick now) = 0;
    virtual void unpin(BlockId block, Tick now) = 0;
    virtual BlockAge age_of(BlockId block, Tick now) const = 0;

   protected:
    ~Client() = default;
  };

  // fullpages is null where they are not spread over layers.
  PageReader(const ReadRetryParameters& parameters, SubpageReads subpage_reads, const FullpagePattern* fullpages,
             FlashIo& io, FlashScheduler& scheduler, BlockTable& blocks, Client& client);

  // The page that lends parity to codewords of another, and which bytes of it hold the codewords that do.
  struct Lender {
    Ppn first_unit;
    std::uint32_t first;
    std::uint32_t end;
  };
  // None unless the codewords in those bytes of the unit's page borrow parity.
  std::optional<Lender> lender_of(Ppn unit, std::uint32_t first, std::uint32_t end) const;
  // Pages that were read for the parity that they lend, and for nothing else.
  std::uint64_t lone_reads() const { return lone_reads_; }

  // Reads the bytes [first, end) of the page that holds the unit, and what else the codewords around them hold.
  void start(FlashTransaction& read, Ppn source, std::uint32_t first, std::uint32_t end, Tick now);
  // Of a read, or of another command of its retry.
  void done(FlashTransaction& command, Tick now);
  // The die is the retry's that this read waits for.
  void session_opened(FlashTransaction& read, Tick now) { held_->session_opened(read, now); }
  // They go to their die together.
  void subpages_gathered(std::span<FlashTransaction* const> reads);
  void decoded(FlashTransaction& read, Tick now);

  void erased(BlockId block) {
    if (recent_) recent_->forget(block);
    if (recent_rounds_) recent_rounds_->forget(block);
  }

  const ReadRetryCounters& counters() const { return counters_; }
  void persist(Archive& archive);
  void persist_counters(Archive& archive) {
    archive(counters_, lone_reads_);
    if (rebuild_) rebuild_->persist_counters(archive);
  }
  ParityCounters parity_counters() const { return rebuild_ ? rebuild_->counters() : ParityCounters{}; }

 private:
  // HeldRetries::Client
  BlockAge age_of(BlockId block, Tick now) const override { return client_.age_of(block, now); }
  void retry_ended(FlashTransaction& read, Tick now) override { over(read, now); }

  std::uint32_t layer_of(const FlashTransaction& read) const;
  // Whether the block holds fullpages across its layers.
  bool lie_across(BlockId block) const { return fullpages_ != nullptr && blocks_.holds_fullpages(block); }
  ParityShare parity_share(const Place& place) const;
  // The read goes with that of the page that lends it parity, or behind it.
  void send_with_lender(FlashTransaction& read, const Lender& lender, Tick now);
  void lender_read(FlashTransaction& lender, Tick now);
  RetryOrder order_for(const FlashTransaction& read) const;
  // Makes the transaction the next read of its order.
  void prepare(FlashTransaction& read) const;
  void remember(const FlashTransaction& read);
  // Decoded, or uncorrectable at all steps.
  void over(FlashTransaction& read, Tick now);
  void rebuild_page(FlashTransaction& read, Tick now);
  void end(FlashTransaction& read, Tick now);

  FlashIo& io_;
  SubpageOperations subpage_operations_;
  BlockTable& blocks_;
  Client& client_;
  const SubpageReads subpage_reads_;
  const FullpagePattern* const fullpages_;
  std::uint64_t lone_reads_ = 0;
  const bool ideal_;                // no page takes a retry
  const std::uint8_t most_levels_;  // that a step is tried with
  const bool keep_senses_;
  std::optional<HeldRetries> held_;    // when retries hold their die
  std::optional<RecentSteps> recent_;  // with PSO
  // With SRS: not the steps themselves, but how many reads of their order pages have taken.
  std::optional<RecentSteps> recent_rounds_;
  std::optional<Rebuild> rebuild_;  // with parity
  ReadRetryCounters counters_;
};

}  // namespace nandscape
