// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/garbage_collection/victim_policy.h"

#include <cmath>

namespace nandscape::controller {

namespace {

class Greedy final : public VictimPolicy {
 public:
  using Parameters = NoParameters;
  Greedy(const Parameters&, std::uint64_t /*seed*/) {}

  Superblock choose(const BlockTable& blocks, FtlPlane plane, Tick) override { return blocks.emptiest(plane); }
};

// Chooses the best of a few random candidates. With about ten candidates or more, the write amplification is nearly as
// low as with the greedy policy, and no index over the blocks is needed [Van Houdt, SIGMETRICS 2013].
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

// Chooses a random block. A block without invalid pages is drawn again, since collecting it would gain nothing.
class Random final : public VictimPolicy {
 public:
  using Parameters = NoParameters;
  Random(const Parameters&, std::uint64_t seed) : random_(seed, "controller.garbage_collection") {}

  Superblock choose(const BlockTable& blocks, FtlPlane plane, Tick) override {
    return draw_block(blocks, plane, random_, [&](Superblock b) { return collectable(blocks, b); });
  }

  void persist(Archive& archive) override { archive(random_); }

 private:
  RandomStream random_;
};

class RandomAboveThreshold final : public VictimPolicy {
 public:
  struct Parameters {
    double least_invalid_share = 0.1;
  };

  RandomAboveThreshold(const Parameters& p, std::uint64_t seed)
      : least_invalid_share_(p.least_invalid_share), random_(seed, "controller.garbage_collection") {}

  Superblock choose(const BlockTable& blocks, FtlPlane plane, Tick) override {
    const Superblock block = draw_block(blocks, plane, random_, [&](Superblock b) {
      const double most_valid = std::floor((1 - least_invalid_share_) * blocks.shape(b).units());
      return blocks.valid_pages(b) <= most_valid && collectable(blocks, b);
    });
    return block.valid() ? block : blocks.emptiest(plane);
  }

  void persist(Archive& archive) override { archive(random_); }

 private:
  const double least_invalid_share_;
  RandomStream random_;
};

void describe(RandomAboveThreshold::Parameters& p, ParameterVisitor& v) {
  v.real("least_invalid_share", p.least_invalid_share, {0, 1}, "", "share of a victim's pages that are invalid");
}

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

// Chooses the block with the highest age (1 - u) / (2 u), where u is the utilisation of the block. This is the space
// gained times the age, divided by the cost of reading and writing the valid data [Kawaguchi, Nishioka, Motoda, USENIX
// 1995, after Rosenblum and Ousterhout]. Cold data are worth collecting at a higher utilisation, because the space that
// they free stays free for longer.
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
      // With the + 1, a block that was filled at this moment can still be chosen if there is no other block.
      const double age = static_cast<double>(now - blocks.last_written(block)) + 1;
      const double gain = age * (blocks.shape(block).units() - valid) / (2.0 * valid);
      if (gain > most) {
        most = gain;
        best = block;
      }
    }
    return best;
  }
};

}  // namespace

void describe(GarbageCollectionParameters& p, ParameterVisitor& v) {
  v.unread_if(!p.copyback, {"copyback_limit"}, "copyback is off");
  v.variant("policy", p.policy, victim_registry(), "which block is collected next");
  v.integer("start_free_blocks", p.start_free_blocks, {2, 1 << 16}, "", "a plane with fewer free blocks is collected");
  v.integer("reserved_blocks", p.reserved_blocks, {1, 1 << 16}, "",
            "free blocks of a plane that only collection may write to");
  v.integer("pages_in_flight", p.pages_in_flight, {1, 4096}, "",
            "pages of a victim that are moved at the same time, for each plane of the flash that a block spans");
  v.boolean(
      "preemptible", p.preemptible,
      "collection gives way to the host as long as there are blocks to write to; false: once begun, it goes first");
  v.choice("pace", p.pace,
           {{"free", "the host writes until only the reserved blocks are left"},
            {"balanced", "below start_free_blocks the host writes as many pages as collection gains"}},
           "how collection holds back writes of the host");
  v.boolean("copyback", p.copyback,
            "pages whose units are all valid move within their plane without passing the bus and the ECC engine");
  v.integer("copyback_limit", p.copyback_limit, {1, 255}, "",
            "how often in a row data may move this way: errors are not corrected and add up");
}

// To add a policy, define its class above and register it here.
VictimRegistry& victim_registry() {
  static VictimRegistry registry("controller.garbage_collection", [](VictimRegistry& r) {
    r.add<Greedy>("greedy", "the block with the fewest valid pages");
    r.add<DChoices>("d_choices", "the block with the fewest valid pages of a few drawn at random");
    r.add<Random>("random", "any block with an invalid page");
    // In the literature, `random` and `random_p` differ: `random` also collects blocks without invalid pages.
    r.add<Random>("random_p", "any block with an invalid page, as `random`");
    r.add<RandomAboveThreshold>("random_pp", "any block with a share of invalid pages, else as `greedy`");
    r.add<Fifo>("fifo", "the block that was filled longest ago and has an invalid page");
    r.add<CostBenefit>("cost_benefit",
                       "the block with the best ratio of free space times age to the cost of moving its valid data");
  });
  return registry;
}

}  // namespace nandscape::controller
