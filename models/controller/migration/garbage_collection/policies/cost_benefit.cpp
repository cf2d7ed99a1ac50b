// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/garbage_collection/collectable.h"
#include "controller/migration/garbage_collection/victim_policy.h"

namespace nandscape::controller {

namespace {

// Maximises age (1 - u) / (2 u): the space gained times its age, over the cost of reading and writing the valid data
// [Kawaguchi, Nishioka, Motoda, USENIX 1995, after Rosenblum and Ousterhout]. Cold data are worth collecting at a
// higher utilisation u, as the space that they free stays free for longer.
class CostBenefit final : public VictimPolicy {
 public:
  using Parameters = NoParameters;
  CostBenefit(const Parameters&, std::uint64_t /*seed*/) {}

  Superblock choose(const BlockTable& blocks, FtlPlane plane, Tick now) override {
    const FtlGeometry& geometry = blocks.geometry();
    Superblock best;
    double most = 0;
    for (std::uint32_t index = 0; index < geometry.blocks_per_plane(); ++index) {
      const Superblock block = geometry.block(plane, index);
      if (!collectable(blocks, block)) continue;
      const std::uint32_t valid = blocks.valid_pages(block);
      if (valid == 0) return block;  // costs nothing
      // The + 1 makes a block that was filled just now a choice, too, if there is no other.
      const double age = static_cast<double>(now - blocks.last_written(block)) + 1;
      const double gain = age * (geometry.units_per_block() - valid) / (2.0 * valid);
      if (gain > most) {
        most = gain;
        best = block;
      }
    }
    return best;
  }
};

}  // namespace

void register_cost_benefit(VictimRegistry& registry) {
  registry.add<CostBenefit>(
      "cost_benefit", "the block with the best ratio of free space times age to the cost of moving its valid data");
}

}  // namespace nandscape::controller
