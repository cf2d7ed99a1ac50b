// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/garbage_collection/collectable.h"
#include "controller/migration/garbage_collection/victim_policy.h"

namespace nandscape::controller {

namespace {

class Fifo final : public VictimPolicy {
 public:
  using Parameters = NoParameters;
  Fifo(const Parameters&, std::uint64_t /*seed*/) {}

  Superblock choose(const BlockTable& blocks, FtlPlane plane, Tick) override {
    const FtlGeometry& geometry = blocks.geometry();
    Superblock oldest;
    Tick since = never;
    for (std::uint32_t index = 0; index < geometry.blocks_per_plane(); ++index) {
      const Superblock block = geometry.block(plane, index);
      if (blocks.last_written(block) < since && collectable(blocks, block)) {
        since = blocks.last_written(block);
        oldest = block;
      }
    }
    return oldest;
  }
};

}  // namespace

void register_fifo(VictimRegistry& registry) {
  registry.add<Fifo>("fifo", "the block that was filled longest ago and has an invalid page");
}

}  // namespace nandscape::controller
