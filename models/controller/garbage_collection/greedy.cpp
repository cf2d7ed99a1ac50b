// SPDX-License-Identifier: Apache-2.0
#include "controller/garbage_collection/variants.h"

namespace nandscape {

namespace {

class Greedy final : public VictimPolicy {
 public:
  using Parameters = NoParameters;
  explicit Greedy(const Parameters&) {}

  BlockId choose(const BlockTable& blocks, PlaneId plane) override {
    const Geometry& geometry = blocks.geometry();
    BlockId best;
    std::uint32_t fewest = geometry.pages_per_block;
    for (std::uint32_t index = 0; index < geometry.blocks_per_plane; ++index) {
      const BlockId block = geometry.block(plane, index);
      if (blocks.valid_pages(block) < fewest && blocks.state(block) == BlockTable::State::full &&
          !blocks.pinned(block)) {
        fewest = blocks.valid_pages(block);
        best = block;
      }
    }
    return best;
  }
};

}  // namespace

void register_greedy(VictimRegistry& registry) {
  registry.add<Greedy>("greedy", "the block with the fewest valid pages");
}

}  // namespace nandscape
