// SPDX-License-Identifier: Apache-2.0
// Rebuilds a page that cannot be corrected. The same part of all other pages of its row is read and decoded, but not
// descrambled, and the pages are added by exclusive or. The sum is the lost page with its tag, as it was sent to the
// flash, and is passed through the decoder like any other page. If the simulation keeps no data, only the success or
// failure of the rebuild is determined.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "controller/flash_ops/flash_io.h"
#include "controller/flash_ops/op_pool.h"
#include "controller/mapping/block_table.h"
#include "controller/parity/parity.h"
#include "controller/reading/page_read.h"
#include "core/archive.h"
#include "core/component.h"
#include "core/pool.h"

namespace nandscape::controller {

// The state of the rebuild of one page.
struct PageRebuild : RemadePage {
  PageRead* lost = nullptr;
  std::uint32_t reads_left = 0;                              // pages of the row that have not been read yet
  bool failed = false;                                       // another page of the row could not be read
  std::array<std::uint64_t, 2 * most_units_per_page> tag{};  // sum of the tags that have been read
};

class Rebuild final : public Component, public LastResort {
 public:
  Rebuild(FlashIo& io, PageReader& reader, const BlockTable& blocks);

  bool goes_on(PageRead& read, Tick now) override;
  void release(PageRead& lost) override { rebuilds_.release(static_cast<PageRebuild&>(*lost.remade)); }

  const ParityCounters& counters() const { return counters_; }
  void persist_counters(Archive& archive) override { archive(counters_); }

 private:
  struct RowRead final : PageRead {
    explicit RowRead(Rebuild& stage) : PageRead(stage.reader_), owner(stage) {
      reads_hard = true;
      stays_scrambled = true;
    }
    void recovery_ended(Tick now) override { owner.row_page_read(*this, now); }
    void page_read(Tick) override {}  // not used: row_page_read() handles the end of the read

    Rebuild& owner;
    PageRebuild* of = nullptr;
  };

  void start(PageRead& lost, Tick now);
  void row_page_read(RowRead& read, Tick now);
  void clear(PageRead& lost) const;
  void add(PageRebuild& rebuild, const RowRead& read) const;

  FlashIo& io_;
  PageReader& reader_;
  const BlockTable& blocks_;
  // The read recovery for the other pages of the row, which reads each page at most twice, at the default read levels.
  // Empty if the configured read-recovery policy is an oracle, which reads each page only once.
  std::optional<ReadRecovery> twice_;
  OpPool<RowRead, Rebuild> reads_;
  Pool<PageRebuild> rebuilds_;
  ParityCounters counters_;
};

}  // namespace nandscape::controller
