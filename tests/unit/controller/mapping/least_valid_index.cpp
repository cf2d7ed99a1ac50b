// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/least_valid_index.h"

#include <vector>

#include "catch.h"
#include "core/random.h"

namespace nandscape::controller {
namespace {

constexpr std::uint32_t none = LeastValidIndex::none;
constexpr std::uint32_t pages = 500;

// A plane whose blocks lose valid pages at random. A chosen block is refilled, so all its pages are valid again.
struct Plane {
  explicit Plane(std::uint32_t blocks) : index(blocks), valid(blocks, pages), pinned(blocks) {}

  void invalidate_one() {
    const auto block = static_cast<std::uint32_t>(random.below(valid.size()));
    if (valid[block] != 0) index.lower(block, --valid[block]);
  }
  std::uint32_t find() {
    return index.find([&](std::uint32_t block) {
      LeastValidIndex::Block now;
      if (valid[block] == pages) return now;
      now.listed = valid[block];
      if (!pinned[block]) now.eligible = valid[block];
      return now;
    });
  }
  std::uint32_t find_plainly() const {
    std::uint32_t best = none;
    for (std::uint32_t block = 0; block < valid.size(); ++block) {
      if (valid[block] == pages || pinned[block]) continue;
      if (best == none || valid[block] < valid[best]) best = block;
    }
    return best;
  }

  LeastValidIndex index;
  std::vector<std::uint32_t> valid;
  std::vector<bool> pinned;
  RandomStream random{1, "plane"};
};

TEST_CASE("the index finds the first of the emptiest blocks, as a full search would") {
  for (const std::uint32_t blocks : {1u, 63u, 64u, 65u, 5000u}) {
    Plane plane(blocks);
    CHECK(plane.find() == none);
    for (int round = 0; round < 2000; ++round) {
      for (std::uint64_t k = plane.random.below(40); k > 0; --k) plane.invalidate_one();
      for (int k = 0; k < 3; ++k) plane.pinned[plane.random.below(blocks)].flip();
      const std::uint32_t found = plane.find();
      REQUIRE(found == plane.find_plainly());
      if (found != none && plane.random.below(2) == 0) plane.valid[found] = pages;
    }
  }
}

TEST_CASE("a search examines about as many blocks in a plane a thousand times larger") {
  const auto looked_at = [](std::uint32_t blocks) {
    Plane plane(blocks);
    const auto collect = [&] {
      for (int k = 0; k < 200; ++k) plane.invalidate_one();
      plane.valid[plane.find()] = pages;
    };
    for (int k = 0; k < 1000; ++k) collect();
    const std::uint64_t before = plane.index.looked_at();
    for (int k = 0; k < 1000; ++k) collect();
    return static_cast<double>(plane.index.looked_at() - before) / 1000;
  };
  const double few = looked_at(512);
  const double many = looked_at(512'000);
  INFO(few << " blocks of 512, " << many << " of 512,000");
  CHECK(many < 1.5 * few);
  CHECK(many < 512);
}

}  // namespace
}  // namespace nandscape::controller
