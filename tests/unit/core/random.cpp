// SPDX-License-Identifier: Apache-2.0
// Statistical tests of the random number generator. The bounds are so wide that a correct generator would fail a check
// in fewer than one in a million runs. The seeds are fixed, so the results do not change.
#include "core/random.h"

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "catch.h"

namespace nandscape {
namespace {

// Returns the mean plus five standard deviations of a chi-square variable with the given degrees of freedom.
double chi_square_limit(double freedom) { return freedom + 5 * std::sqrt(2 * freedom); }

double chi_square(const std::vector<std::uint64_t>& counts, double expected) {
  double sum = 0;
  for (const std::uint64_t count : counts) {
    const double difference = static_cast<double>(count) - expected;
    sum += difference * difference / expected;
  }
  return sum;
}

TEST_CASE("uniform numbers fill 0 to 1 evenly") {
  RandomStream random(1, "uniform");
  constexpr std::size_t bins = 256;
  constexpr int draws = 1 << 20;
  std::vector<std::uint64_t> high(bins), low(bins);
  for (int k = 0; k < draws; ++k) {
    const double x = random.uniform();
    REQUIRE(x >= 0);
    REQUIRE(x < 1);
    ++high[static_cast<std::size_t>(x * bins)];
    ++low[static_cast<std::uint64_t>(x * 0x1p53) % bins];
  }
  CHECK(chi_square(high, double{draws} / bins) < chi_square_limit(bins - 1));
  CHECK(chi_square(low, double{draws} / bins) < chi_square_limit(bins - 1));
}

TEST_CASE("successive numbers are independent") {
  RandomStream random(2, "pairs");
  constexpr std::size_t side = 32;
  constexpr int draws = 1 << 20;
  std::vector<std::uint64_t> pairs(side * side);
  std::uint64_t before = random() >> 59;
  for (int k = 0; k < draws; ++k) {
    const std::uint64_t next = random() >> 59;
    ++pairs[before * side + next];
    before = next;
  }
  CHECK(chi_square(pairs, double{draws} / (side * side)) < chi_square_limit(side * side - 1));
}

TEST_CASE("streams are named: each name and each seed has its own numbers") {
  RandomStream first(1, "die_0"), again(1, "die_0");
  for (int k = 0; k < 100; ++k) REQUIRE(first() == again());

  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (int die = 0; die < 30; ++die) seen.insert(RandomStream(seed, "die_" + std::to_string(die))());
  }
  CHECK(seen.size() == 900);

  // Streams with similar names or seeds must be uncorrelated. For uncorrelated streams, the mean of n products of
  // centred uniform variables has a standard deviation of 1/(12 sqrt n).
  constexpr int draws = 100'000;
  RandomStream a(1, "die_1"), b(1, "die_2"), c(2, "die_1");
  double name_correlation = 0, seed_correlation = 0;
  for (int k = 0; k < draws; ++k) {
    const double x = a.uniform() - 0.5;
    name_correlation += x * (b.uniform() - 0.5);
    seed_correlation += x * (c.uniform() - 0.5);
  }
  const double limit = 5.0 / 12 * std::sqrt(double{draws});
  CHECK(std::abs(name_correlation) < limit);
  CHECK(std::abs(seed_correlation) < limit);
}

TEST_CASE("below() is unbiased") {
  const std::uint64_t bound = GENERATE(std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{100}, std::uint64_t{1000});
  RandomStream random(3, "below");
  const int draws = 1 << 19;
  std::vector<std::uint64_t> counts(bound);
  for (int k = 0; k < draws; ++k) {
    const std::uint64_t x = random.below(bound);
    REQUIRE(x < bound);
    ++counts[x];
  }
  CHECK(chi_square(counts, draws / static_cast<double>(bound)) < chi_square_limit(static_cast<double>(bound - 1)));
}

TEST_CASE("below() is unbiased where plain scaling would not be") {
  // The bound is 3/4 of 2^64. Plain scaling would map four words to three values, so one of every three values would be
  // drawn half of the time. below() avoids this by rejection.
  const std::uint64_t bound = (std::uint64_t{1} << 63) + (std::uint64_t{1} << 62);
  RandomStream random(4, "wide");
  constexpr int draws = 100'000;
  std::vector<std::uint64_t> thirds(3);
  for (int k = 0; k < draws; ++k) {
    const std::uint64_t x = random.below(bound);
    REQUIRE(x < bound);
    ++thirds[x % 3];
  }
  CHECK(chi_square(thirds, draws / 3.0) < chi_square_limit(2));
}

TEST_CASE("exponential numbers have the expected mean and tail") {
  RandomStream random(5, "exponential");
  constexpr int draws = 1'000'000;
  double sum = 0;
  int beyond = 0;
  for (int k = 0; k < draws; ++k) {
    const double x = random.exponential(20);
    REQUIRE(x >= 0);
    sum += x;
    beyond += x > 60;
  }
  // The mean has a standard deviation of 20 / sqrt(n), and the count one of sqrt(n p (1 - p)).
  CHECK(std::abs(sum / draws - 20) < 5 * 20 / std::sqrt(double{draws}));
  const double tail = std::exp(-3);
  CHECK(std::abs(beyond - draws * tail) < 5 * std::sqrt(draws * tail * (1 - tail)));
}

TEST_CASE("mix64 is the splitmix64 function") {
  // The first outputs of the published generator, seeded with 1234567.
  std::uint64_t state = 1234567;
  for (const std::uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                       4593380528125082431u, 16408922859458223821u}) {
    CHECK(mix64(state) == expected);
    state += 0x9e3779b97f4a7c15;
  }
}

TEST_CASE("hash_name is FNV-1a") {
  CHECK(hash_name("") == 0xcbf29ce484222325);
  CHECK(hash_name("a") == 0xaf63dc4c8601ec8c);
  CHECK(hash_name("foobar") == 0x85944171f73967e8);
}

}  // namespace
}  // namespace nandscape
