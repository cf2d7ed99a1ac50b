// SPDX-License-Identifier: Apache-2.0
// Counts the reads of each block. A read disturbs the cells of the whole block a little; after too many, its data have
// to be moved.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "controller/addresses/ids.h"
#include "core/archive.h"
#include "core/component.h"

namespace nandscape::controller {

class BlockReads final : public Component {
 public:
  // Counts reads up to `limit`; with limit 0, counts none.
  BlockReads(std::uint32_t limit, std::uint32_t blocks) : limit_(limit), reads_(limit == 0 ? 0 : blocks) {}

  bool counted() const { return limit_ != 0; }
  void add(Superblock block, std::uint32_t reads) {
    std::uint32_t& of = reads_[block];
    of += std::min(reads, limit_ - of);
  }
  // Whether the reads of the block have reached the limit.
  bool due(Superblock block) const { return counted() && reads_[block] == limit_; }
  // Reads since the block's last erase, as far as they are counted.
  std::uint32_t of(Superblock block) const { return counted() ? reads_[block] : 0; }
  void erased(Superblock block) {
    if (counted()) reads_[block] = 0;
  }

  void persist(Archive& archive) override {
    archive.table(reads_.values(), reads_.size(), "blocks whose reads are counted",
                  [&](std::uint32_t& reads) { archive.number(reads, limit_, "the reads of a block"); });
  }

 private:
  std::uint32_t limit_;
  IdVector<Superblock, std::uint32_t> reads_;
};

}  // namespace nandscape::controller
