// SPDX-License-Identifier: Apache-2.0
// Counts the reads of blocks: each disturbs the cells of the whole block a little, until its data have to be moved.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/refresh/parameters.h"
#include "core/archive.h"
#include "core/ids.h"

namespace nandscape {

class ReadDisturb {
 public:
  ReadDisturb(const ReadDisturbParameters& p, std::uint32_t blocks) : limit_(p.limit_reads) {
    if (enabled()) reads_.resize(blocks);
  }

  bool enabled() const { return limit_ != 0; }
  // One more read of the block. Whether it is the one that makes the block due: so it is told once.
  bool read(BlockId block) { return enabled() && reads_[block.value] < limit_ && ++reads_[block.value] == limit_; }
  // Whether the block has been due since then.
  bool due(BlockId block) const { return enabled() && reads_[block.value] == limit_; }
  // Since the block's last erase, as far as they are counted.
  std::uint32_t reads(BlockId block) const { return enabled() ? reads_[block.value] : 0; }
  void erased(BlockId block) {
    if (enabled()) reads_[block.value] = 0;
  }

  void persist(Archive& archive) {
    archive.table(reads_, reads_.size(), "blocks whose reads are counted",
                  [&](std::uint32_t& reads) { archive.number(reads, limit_, "the reads of a block"); });
  }

 private:
  std::uint32_t limit_;
  std::vector<std::uint32_t> reads_;  // up to the limit
};

}  // namespace nandscape
