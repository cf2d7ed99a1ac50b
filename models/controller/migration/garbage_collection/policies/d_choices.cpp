// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/garbage_collection/collectable.h"
#include "controller/migration/garbage_collection/victim_policy.h"

namespace nandscape::controller {

namespace {

// With about ten candidates or more, nearly as good as greedy, without an index over the blocks [Van Houdt, SIGMETRICS
// 2013].
class DChoices final : public VictimPolicy {
 public:
  struct Parameters {
    std::uint32_t candidates = 10;
  };

  DChoices(const Parameters& p, std::uint64_t seed)
      : candidates_(p.candidates), random_(seed, "controller.garbage_collection") {}

  Superblock choose(const BlockTable& blocks, FtlPlane plane, Tick) override {
    Superblock best;
    for (std::uint32_t k = 0; k < candidates_; ++k) {
      const Superblock block = draw_block(blocks, plane, random_, [&](Superblock b) { return collectable(blocks, b); });
      if (!block.valid()) break;
      if (!best.valid() || blocks.valid_pages(block) < blocks.valid_pages(best)) best = block;
    }
    return best;
  }

  void persist(Archive& archive) override { archive(random_); }

 private:
  const std::uint32_t candidates_;
  RandomStream random_;
};

void describe(DChoices::Parameters& p, ParameterVisitor& v) {
  v.integer("candidates", p.candidates, {1, 1 << 16}, "", "blocks drawn for each choice, with replacement");
}

}  // namespace

void register_d_choices(VictimRegistry& registry) {
  registry.add<DChoices>("d_choices", "the block with the fewest valid pages of a few drawn at random");
}

}  // namespace nandscape::controller
