// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/garbage_collection/collectable.h"
#include "controller/migration/garbage_collection/victim_policy.h"

namespace nandscape::controller {

namespace {

class Greedy final : public VictimPolicy {
 public:
  using Parameters = NoParameters;
  Greedy(const Parameters&, std::uint64_t /*seed*/) {}

  Superblock choose(const BlockTable& blocks, FtlPlane plane, Tick) override { return blocks.emptiest(plane); }
};

}  // namespace

void register_greedy(VictimRegistry& registry) {
  registry.add<Greedy>("greedy", "the block with the fewest valid pages");
}

}  // namespace nandscape::controller
