// SPDX-License-Identifier: Apache-2.0
// Records for each block the age of its data and the other facts that affect its bit errors, to the extent that the
// controller knows them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "controller/addresses/ids.h"
#include "controller/mapping/block_age.h"
#include "controller/mapping/block_lives.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/initial_fill.h"
#include "controller/mapping/running_hours.h"
#include "core/archive.h"
#include "core/component.h"
#include "core/ticks.h"

namespace nandscape::controller {

// Counts the reads of each block. Each read slightly disturbs the cells of the whole block, so the data of a block must
// be moved after a certain number of reads.
class BlockReads final : public Component {
 public:
  // Stops counting at `limit` reads. If `limit` is 0, no reads are counted.
  BlockReads(std::uint32_t limit, std::uint32_t blocks) : limit_(limit), reads_(limit == 0 ? 0 : blocks) {}

  bool counted() const { return limit_ != 0; }
  void add(Superblock block, std::uint32_t reads) {
    std::uint32_t& of = reads_[block];
    of += std::min(reads, limit_ - of);
  }
  // Whether the number of reads of the block has reached the limit.
  bool due(Superblock block) const { return counted() && reads_[block] == limit_; }
  // Returns the number of reads since the last erase of the block, at most the limit; 0 if reads are not counted.
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
  // `first` is the age and wear of every block at the start of the simulation. `initial` adds the age of each block's
  // data. `lives` is told of the writes, too.
  BlockAges(const BlockAge& first, RunningHours running, const InitialFill& initial, const BlockTable& blocks,
            const BlockReads& reads, BlockLives& lives);

  BlockAge of(Superblock block, Tick now) const;
  // Returns the age of data that the block has held since the start of the simulation, `hours` after the start. Hours
  // are equivalent hours at 30 C.
  double initial_hours(Superblock block, double hours) const {
    const double first = initial_.updated(block) ? 0 : first_.age_hours;
    return first + (24 * initial_.age_days(block) * running_.per_hour() + hours);
  }
  // Called when the first page of the block has been programmed. Records the time.
  void written(Superblock block, Tick now) {
    written_hours_[block] = static_cast<float>(hours(now));
    lives_.written(block, now);
    if (!renewed_hours_.empty()) renewed_hours_[block] = never_renewed;
  }
  // Called when the data of the block have been renewed in place. Records the time.
  void renewed(Superblock block, Tick now);
  // Adds equivalent hours at 30 C that pass but are not simulated.
  void store(double hours) { shelf_hours_ += hours; }

  void persist(Archive& archive) override;

 private:
  static constexpr float never_renewed = -1;

  // Returns the equivalent hours at 30 C since the start of the simulation, including hours that were not simulated.
  double hours(Tick now) const { return shelf_hours_ + running_.until(now); }

  const BlockAge first_;
  const RunningHours running_;
  const InitialFill& initial_;
  const BlockTable& blocks_;
  const BlockReads& reads_;
  BlockLives& lives_;
  double shelf_hours_ = 0;
  IdVector<Superblock, float> written_hours_;  // by block: hour in which its first page was programmed
  IdVector<Superblock, float> renewed_hours_;  // by block: hour of its renewal; empty before the first renewal
};

}  // namespace nandscape::controller
