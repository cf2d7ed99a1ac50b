// SPDX-License-Identifier: Apache-2.0
// How old the data of each block are, and what the block has been through, as far as the controller knows it.
#pragma once

#include <vector>

#include "controller/mapping/block_age.h"
#include "controller/mapping/block_reads.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/initial_fill.h"
#include "core/archive.h"
#include "core/ticks.h"

namespace nandscape::controller {

class BlockAges {
 public:
  // `first`: of all blocks at the start, but for what the fill says of each. An hour in which the device runs counts as
  // `running_hours` at 30 C. Unless they are kept, it is not known when blocks are written.
  BlockAges(const BlockAge& first, double running_hours, const InitialFill& initial, const BlockTable& blocks,
            const BlockReads& reads, bool kept);

  bool kept() const { return kept_; }
  BlockAge of(Superblock block, Tick now) const;
  // The first page of the block has been programmed. Only where they are kept.
  void written(Superblock block, Tick now) {
    written_hours_[block] = static_cast<float>(hours(now));
    if (!renewed_hours_.empty()) renewed_hours_[block] = never_renewed;
  }
  // What the block holds has been renewed in place. Only where they are kept.
  void renewed(Superblock block, Tick now);
  // Time has passed that is not simulated, in hours as if at 30 C.
  void store(double hours) { shelf_hours_ += hours; }

  void persist(Archive& archive);

 private:
  static constexpr float never_renewed = -1;

  // Since the start, as many as they count at 30 C.
  double hours(Tick now) const { return shelf_hours_ + s_from_ticks(now) / 3600 * running_hours_; }

  const BlockAge first_;
  const double running_hours_;
  const InitialFill& initial_;
  const BlockTable& blocks_;
  const BlockReads& reads_;
  const bool kept_;
  double shelf_hours_ = 0;
  IdVector<Superblock, float> written_hours_;  // by block, when its first page was programmed
  IdVector<Superblock, float> renewed_hours_;  // by block, when it was renewed in place; empty until one is
};

}  // namespace nandscape::controller
