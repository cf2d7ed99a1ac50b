// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/block_lives.h"

namespace nandscape::controller {

void describe(const WearFigures& w, StatisticsVisitor& v) {
  v.level("least_cycles", w.least, "program/erase cycles of the least worn superblock");
  v.level("mean_cycles", w.mean, "", "program/erase cycles of a superblock, on average");
  v.level("most_cycles", w.most, "program/erase cycles of the most worn superblock");
}

void WearCounts::remove(std::uint32_t erases) {
  const auto place = blocks_.find(erases);
  if (--place->second == 0) blocks_.erase(place);
}

WearFigures WearCounts::figures(std::uint32_t first_cycles) const {
  if (blocks_.empty()) return {};
  double erases = 0;
  double blocks = 0;
  for (const auto& [each, having] : blocks_) {
    erases += static_cast<double>(each) * having;
    blocks += having;
  }
  const std::uint64_t first = first_cycles;
  return {first + blocks_.begin()->first, first_cycles + erases / blocks, first + blocks_.rbegin()->first};
}

BlockLives::BlockLives(std::uint32_t blocks, const DriveClock& clock) : clock_(clock), lives_(blocks) {
  wear_.add(0, blocks);
}

void BlockLives::erased(Superblock block) {
  Life& of = lives_[block];
  wear_.remove(of.erases);
  wear_.add(++of.erases);
  of.written_hours = not_written;
}

void BlockLives::persist(Archive& archive) {
  constexpr double most_hours = 1e12;  // longer than the life of any drive
  constexpr std::uint32_t most_erases = 1U << 30;
  archive.table(lives_.values(), lives_.size(), "lives of blocks", [&](Life& life) {
    archive.real(life.written_hours, not_written, most_hours, "the time at which a block was written, in hours,");
    archive.number(life.erases, most_erases, "the erases of a block since the start");
    archive.number(life.slc_erases, life.erases, "the erases of a block in SLC mode");
  });
  if (!archive.loading()) return;
  wear_.clear();
  for (const Life& life : lives_) wear_.add(life.erases);
}

}  // namespace nandscape::controller
