// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/block_ages.h"

#include <algorithm>
#include <utility>

namespace nandscape::controller {

BlockAges::BlockAges(const BlockAge& first, RunningHours running, const InitialFill& initial, const BlockTable& blocks,
                     const BlockReads& reads, BlockLives& lives)
    : first_(first),
      running_(std::move(running)),
      initial_(initial),
      blocks_(blocks),
      reads_(reads),
      lives_(lives),
      written_hours_(blocks.geometry().blocks()) {}

BlockAge BlockAges::of(Superblock block, Tick now) const {
  BlockAge age = first_;
  age.erases = blocks_.erase_count(block);
  age.pe_cycles += age.erases;
  if (blocks_.filled(block)) {
    age.age_hours = initial_hours(block, hours(now));
  } else {
    age.age_hours = hours(now) - static_cast<double>(written_hours_[block]);
  }
  age.hours_since_renewal = age.age_hours;
  if (!renewed_hours_.empty() && renewed_hours_[block] != never_renewed) {
    age.hours_since_renewal = hours(now) - static_cast<double>(renewed_hours_[block]);
  }
  age.reads_since_program = reads_.of(block);
  return age;
}

void BlockAges::renewed(Superblock block, Tick now) {
  if (renewed_hours_.empty()) {
    renewed_hours_ = IdVector<Superblock, float>(blocks_.geometry().blocks());
    std::ranges::fill(renewed_hours_.values(), never_renewed);
  }
  renewed_hours_[block] = static_cast<float>(hours(now));
}

void BlockAges::persist(Archive& archive) {
  constexpr double most_hours = 1e12;  // longer than the life of any drive
  archive.real(shelf_hours_, 0, most_hours, "the time in storage, in hours,");
  archive.table(written_hours_.values(), blocks_.geometry().blocks(), "write times of blocks");
  archive(renewed_hours_.values());
  archive.require(renewed_hours_.empty() || renewed_hours_.size() == blocks_.geometry().blocks(),
                  "renewal times are known for only a part of the blocks");
}

}  // namespace nandscape::controller
