// SPDX-License-Identifier: Apache-2.0
// Keeps the age of each block's data, and the other facts about a block that affect its errors, as far as the
// controller knows them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "controller/addresses/ids.h"
#include "controller/mapping/block_age.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/initial_fill.h"
#include "controller/mapping/running_hours.h"
#include "core/archive.h"
#include "core/component.h"
#include "core/ticks.h"

namespace nandscape::controller {

// Counts the reads of each block. A read disturbs the cells of the whole block a little; after too many, its data have
// to be moved.
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

class BlockAges final : public Component {
 public:
  // `first`: age and wear of every block at the start. `initial` adds the age of each block's data.
  BlockAges(const BlockAge& first, RunningHours running, const InitialFill& initial, const BlockTable& blocks,
            const BlockReads& reads);

  BlockAge of(Superblock block, Tick now) const;
  // Called when the first page of the block has been programmed.
  void written(Superblock block, Tick now) {
    written_hours_[block] = static_cast<float>(hours(now));
    if (!renewed_hours_.empty()) renewed_hours_[block] = never_renewed;
  }
  // Called when the data of the block have been renewed in place.
  void renewed(Superblock block, Tick now);
  // Adds equivalent hours at 30 C that pass without being simulated.
  void store(double hours) { shelf_hours_ += hours; }

  void persist(Archive& archive) override;

 private:
  static constexpr float never_renewed = -1;

  // Equivalent hours at 30 C since the start.
  double hours(Tick now) const { return shelf_hours_ + running_.until(now); }

  const BlockAge first_;
  const RunningHours running_;
  const InitialFill& initial_;
  const BlockTable& blocks_;
  const BlockReads& reads_;
  double shelf_hours_ = 0;
  IdVector<Superblock, float> written_hours_;  // by block: time when its first page was programmed
  IdVector<Superblock, float> renewed_hours_;  // by block: time of the renewal in place; empty until a block is renewed
};

}  // namespace nandscape::controller
