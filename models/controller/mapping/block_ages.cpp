// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/block_ages.h"

#include <algorithm>

namespace nandscape::controller {

BlockAges::BlockAges(const BlockAge& first, double running_hours, const InitialFill& initial, const BlockTable& blocks,
                     const BlockReads& reads, bool kept)
    : first_(first),
      running_hours_(running_hours),
      initial_(initial),
      blocks_(blocks),
      reads_(reads),
      kept_(kept),
      written_hours_(kept ? blocks.geometry().blocks() : 0) {}

BlockAge BlockAges::of(Superblock block, Tick now) const {
  BlockAge age = first_;
  age.pe_cycles += blocks_.erase_count(block);
  if (blocks_.filled(block)) {
    if (initial_.updated(block)) age.age_hours = 0;
    age.age_hours += 24 * initial_.age_days(block) * running_hours_ + hours(now);
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
  constexpr double most_hours = 1e12;  // more than any drive is kept
  archive.real(shelf_hours_, 0, most_hours, "the time in storage, in hours,");
  archive(written_hours_.values());
  archive.require(written_hours_.empty() || written_hours_.size() == blocks_.geometry().blocks(),
                  "write times are known for only a part of the blocks");
  archive(renewed_hours_.values());
  archive.require(renewed_hours_.empty() || (kept_ && renewed_hours_.size() == blocks_.geometry().blocks()),
                  "renewal times are known for only a part of the blocks");
  // Data written before the times were kept count as old.
  if (kept_) written_hours_.resize(blocks_.geometry().blocks());
}

}  // namespace nandscape::controller
