// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "controller/migration/garbage_collection/collectable.h"
#include "controller/migration/garbage_collection/victim_policy.h"

namespace nandscape::controller {

namespace {

// A block without an invalid page is drawn again, since moving it would gain nothing.
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
    const auto most_valid =
        static_cast<std::uint32_t>(std::floor((1 - least_invalid_share_) * blocks.geometry().units_per_block()));
    const Superblock block = draw_block(blocks, plane, random_, [&](Superblock b) {
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

}  // namespace

void register_random(VictimRegistry& registry) {
  registry.add<Random>("random", "any block with an invalid page");
  // In the literature the two differ: `random` also moves blocks without anything to gain.
  registry.add<Random>("random_p", "any block with an invalid page, as `random`");
  registry.add<RandomAboveThreshold>("random_pp", "any block with a share of invalid pages, else as `greedy`");
}

}  // namespace nandscape::controller
