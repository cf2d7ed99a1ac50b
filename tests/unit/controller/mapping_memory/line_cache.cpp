// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping_memory/line_cache.h"

#include <cmath>
#include <list>

#include "catch.h"
#include "core/random.h"

namespace nandscape::controller {
namespace {

TEST_CASE("a range of lines that fits is held as a whole, wherever it begins") {
  const std::uint64_t lines = GENERATE(1, 5, 8, 64, 100);
  LineCache cache(lines);
  const std::uint64_t held = lines < 8 ? lines : lines / 8 * 8;
  const std::uint64_t first = GENERATE(0, 1000);
  for (std::uint64_t k = 0; k < held; ++k) CHECK(cache.insert({first + k, false}).number == LineCache::none);
  for (std::uint64_t k = 0; k < held; ++k) CHECK(cache.find(first + k) != nullptr);
  CHECK(cache.find(first + held) == nullptr);
  CHECK(cache.insert({first + held, true}).number == first);
}

TEST_CASE("each set gives up its least recently used line, with its mark") {
  constexpr std::uint64_t sets = 4, ways = 8;
  LineCache cache(sets * ways);
  std::vector<std::list<LineCache::Line>> model(sets);
  RandomStream random(1, "lines");
  for (int k = 0; k < 20'000; ++k) {
    const std::uint64_t number = random.below(60);
    std::list<LineCache::Line>& set = model[number % sets];
    const auto known = std::ranges::find(set, number, &LineCache::Line::number);
    if (random.below(20) == 0) {
      cache.remove(number, 1);
      if (known != set.end()) set.erase(known);
      continue;
    }
    LineCache::Line* const line = cache.find(number);
    REQUIRE((line != nullptr) == (known != set.end()));
    const bool changes = random.below(3) == 0;
    if (line != nullptr) {
      REQUIRE(line->changed == known->changed);
      line->changed |= changes;
      known->changed |= changes;
      set.splice(set.begin(), set, known);
      continue;
    }
    const LineCache::Line victim = cache.insert({number, changes});
    set.push_front({number, changes});
    if (victim.number == LineCache::none) continue;
    REQUIRE(set.size() == ways + 1);
    REQUIRE(victim.number == set.back().number);
    REQUIRE(victim.changed == set.back().changed);
    set.pop_back();
  }
}

TEST_CASE("uniform look-ups hit with the share of the lines that are held") {
  constexpr std::uint64_t lines = 512, all = 2048;
  LineCache cache(lines);
  RandomStream random(1, "uniform");
  int hits = 0;
  constexpr int rounds = 100'000;
  for (int k = 0; k < rounds; ++k) {
    const std::uint64_t number = random.below(all);
    if (cache.find(number) != nullptr) {
      ++hits;
    } else {
      cache.insert({number, false});
    }
  }
  CHECK(static_cast<double>(hits) / rounds == Approx(0.25).margin(5 * std::sqrt(0.25 * 0.75 / rounds) + 0.004));
}

}  // namespace
}  // namespace nandscape::controller
