// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/garbage_collection/victim_policy.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "catch.h"
#include "fakes/mapping_fixture.h"

namespace nandscape::controller {
namespace {

using State = BlockTable::State;

const FtlGeometry geometry(2, 40, 10, 4096);
const FtlPlane plane(1);

// A block table in which the test fills blocks of the second plane, one after another.
struct Blocks {
  Superblock fill(std::uint32_t valid, Tick when) {
    const Superblock block = table.take_free(plane);
    for (std::uint32_t page = 0; page < geometry.units_per_block(); ++page) {
      const Ppa ppa = table.append(block, when);
      if (page < valid) table.hold(ppa, Lpn(ppa.value));
    }
    return block;
  }

  MappingFixture mapping{geometry, 100, {.occupancy = 0}};
  BlockTable table{geometry, mapping.fill};
};

std::unique_ptr<VictimPolicy> make(const std::string& name, std::uint64_t seed = 1) {
  return victim_registry().make({name, nullptr}, seed);
}

// Repeats the rule for eligible victims independently of the policies.
bool may_be_chosen(const BlockTable& table, Superblock block) {
  return geometry.plane_of(block) == plane && table.state(block) == State::full && !table.pinned(block) &&
         table.valid_pages(block) < geometry.units_per_block();
}

TEST_CASE("every policy finds a victim whenever there is one") {
  RandomStream random(1, "victim_policies");
  for (const Choice& variant : victim_registry().variants()) {
    INFO(variant.name);
    const auto policy = make(std::string(variant.name));
    for (int round = 0; round < 300; ++round) {
      Blocks b;
      // The plane has a random number of full blocks, between none and all of them, and a random share of invalid
      // pages.
      const std::uint64_t rarity = 1 + random.below(20);
      const std::uint64_t count = random.below(geometry.blocks_per_plane() + 1);
      for (std::uint64_t k = 0; k < count; ++k) {
        const bool gain = random.below(rarity) == 0;
        const auto valid = static_cast<std::uint32_t>(gain ? random.below(10) : 10);
        const Superblock block = b.fill(valid, random.below(1000));
        if (random.below(4) == 0) b.table.pin(block);
        if (random.below(4) == 0) b.table.set_state(block, random.below(2) == 0 ? State::victim : State::erasing);
      }
      bool any = false;
      for (std::uint32_t block = 0; block < geometry.blocks(); ++block)
        any |= may_be_chosen(b.table, Superblock(block));
      const Superblock chosen = policy->choose(b.table, plane, 1000);
      REQUIRE(chosen.valid() == any);
      if (any) REQUIRE(may_be_chosen(b.table, chosen));
    }
  }
}

TEST_CASE("greedy chooses the fewest valid pages, fifo the block filled first") {
  Blocks b;
  const Superblock full = b.fill(10, 1);
  const Superblock early = b.fill(8, 5);
  const Superblock emptiest = b.fill(2, 7);
  b.fill(3, 6);
  CHECK(make("greedy")->choose(b.table, plane, 10) == emptiest);
  CHECK(make("fifo")->choose(b.table, plane, 10) == early);
  b.table.invalidate(geometry.unit(full, 0));
  CHECK(make("fifo")->choose(b.table, plane, 10) == full);
}

TEST_CASE("cost_benefit weighs age against the cost of a block") {
  const auto policy = make("cost_benefit");
  Blocks b;
  const Superblock old = b.fill(8, 0);      // benefit / cost = (1 - 0.8) / (2 * 0.8) = 1/8
  const Superblock young = b.fill(4, 900);  // benefit / cost = (1 - 0.4) / (2 * 0.4) = 3/4
  // Both blocks have the same product of age and benefit / cost when now = 6 (now - 900), which is at time 1080.
  CHECK(policy->choose(b.table, plane, 1050) == old);
  CHECK(policy->choose(b.table, plane, 1110) == young);
  SECTION("an empty block costs nothing") {
    const Superblock empty = b.fill(0, 1110);
    CHECK(policy->choose(b.table, plane, 1110) == empty);
  }
}

TEST_CASE("at equal ages cost_benefit is greedy") {
  Blocks b;
  for (const std::uint32_t valid : {7u, 3u, 9u, 5u}) b.fill(valid, 42);
  for (const Tick now : {Tick{42}, Tick{43}, Tick{1} << 50}) {
    CHECK(make("cost_benefit")->choose(b.table, plane, now) == make("greedy")->choose(b.table, plane, now));
  }
}

// Counts how often the policy chooses each block.
std::map<std::uint32_t, int> choices(VictimPolicy& policy, const BlockTable& table, int rounds) {
  std::map<std::uint32_t, int> chosen;
  for (int k = 0; k < rounds; ++k) ++chosen[policy.choose(table, plane, 0).value];
  return chosen;
}

TEST_CASE("random policies choose every eligible block with equal probability") {
  const std::string name = GENERATE("random", "random_p");
  // If few blocks are eligible, the policy lists them; if many are, it draws until it hits one.
  const int candidates = GENERATE(2, 30);
  Blocks b;
  for (int k = 0; k < 35; ++k) b.fill(k < candidates ? 9 : 10, 0);
  constexpr int rounds = 30'000;
  const auto chosen = choices(*make(name), b.table, rounds);
  REQUIRE(chosen.size() == static_cast<std::size_t>(candidates));
  double chi_square = 0;
  const double expected = static_cast<double>(rounds) / candidates;
  for (const auto& [block, count] : chosen) chi_square += (count - expected) * (count - expected) / expected;
  const double freedom = candidates - 1;
  CHECK(chi_square < freedom + 5 * std::sqrt(2 * freedom));
}

TEST_CASE("random_pp keeps to blocks with enough invalid pages while there are any") {
  Blocks b;
  const Superblock almost_full = b.fill(10, 0);
  const Superblock one = b.fill(9, 0);  // one page in ten is invalid, which is the default threshold
  const Superblock two = b.fill(8, 0);
  const auto policy = make("random_pp");
  const auto chosen = choices(*policy, b.table, 200);
  CHECK(chosen.size() == 2);
  CHECK(chosen.contains(one.value));
  CHECK(chosen.contains(two.value));
  CHECK_FALSE(chosen.contains(almost_full.value));
}

TEST_CASE("d_choices improves with the number of candidates") {
  // Four blocks each have 0 to 9 valid pages. The smallest of d random draws is at least v with probability ((10 - v) /
  // 10)^d. Its mean is the sum of these probabilities for v = 1 to 9, which is 0.491 for d = 10.
  Blocks b;
  for (std::uint32_t k = 0; k < 40; ++k) b.fill(k % 10, 0);
  double expected = 0;
  for (int v = 1; v < 10; ++v) expected += std::pow((10 - v) / 10.0, 10);
  const auto policy = make("d_choices");
  constexpr int rounds = 20'000;
  double sum = 0;
  for (int k = 0; k < rounds; ++k) sum += b.table.valid_pages(policy->choose(b.table, plane, 0));
  CHECK(sum / rounds == Approx(expected).margin(0.03));  // one choice has a standard deviation of 0.75
}

TEST_CASE("the same seed makes the same choices, and another seed makes others") {
  Blocks b;
  for (std::uint32_t k = 0; k < 40; ++k) b.fill(5, 0);
  for (const std::string name : {"random", "random_pp", "d_choices"}) {
    INFO(name);
    const auto first = make(name, 1), same = make(name, 1), other = make(name, 2);
    int differences = 0;
    for (int k = 0; k < 50; ++k) {
      const Superblock chosen = first->choose(b.table, plane, 0);
      REQUIRE(chosen == same->choose(b.table, plane, 0));
      differences += chosen != other->choose(b.table, plane, 0);
    }
    CHECK(differences > 30);
  }
}

}  // namespace
}  // namespace nandscape::controller
