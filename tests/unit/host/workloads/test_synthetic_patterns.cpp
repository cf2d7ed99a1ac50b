// SPDX-License-Identifier: Apache-2.0
// Tests the addresses of synthetic requests: their frequencies must match the probabilities that define each pattern.
#include <algorithm>
#include <cmath>

#include "host/workloads/synthetic/permutation.h"
#include "host/workloads/synthetic/zipf_distribution.h"
#include "workload_harness.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

// Checks counts by Pearson's chi-squared statistic, which has the mean `cells - 1` and twice this as its variance. The
// limit is five standard deviations above the mean. The seeds are fixed, so each check always passes or always fails.
// With random seeds, a correct distribution would fail about once in a million runs.
void check_chi_squared(const std::vector<double>& counts, const std::vector<double>& expected) {
  double statistic = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    REQUIRE(expected[k] >= 5);
    statistic += (counts[k] - expected[k]) * (counts[k] - expected[k]) / expected[k];
  }
  const double freedom = static_cast<double>(counts.size()) - 1;
  INFO("chi squared " << statistic << " at " << freedom << " degrees of freedom");
  CHECK(statistic < freedom + 5 * std::sqrt(2 * freedom));
}

std::vector<double> slot_counts(const Keys& keys, std::size_t slots) {
  std::vector<double> counts(slots);
  for (const HostRequest& request : requests_of(keys, slots * 8)) {
    REQUIRE(request.first.value % 8 == 0);
    ++counts.at(request.first.value / 8);
  }
  return counts;
}

}  // namespace

TEST_CASE("uniform: all slots are equally frequent", "[workload]") {
  const auto counts = slot_counts({{"pattern", "uniform"}, {"requests", "200000"}}, 1000);
  check_chi_squared(counts, std::vector<double>(1000, 200));
}

TEST_CASE("sequential: each request follows the previous one, then wraps to the start", "[workload]") {
  const auto requests = requests_of({{"pattern", "sequential"},
                                     {"block_bytes", "8192"},
                                     {"footprint_start_bytes", "16384"},
                                     {"footprint_bytes", "40960"},
                                     {"requests", "6"}});
  const std::vector<std::uint64_t> expected{32, 48, 64, 80, 96, 32};
  for (std::size_t k = 0; k < expected.size(); ++k) CHECK(requests[k].first.value == expected[k]);
}

TEST_CASE("zipf: frequencies fall with the power of the rank", "[workload]") {
  constexpr std::uint64_t n = 100;
  constexpr int samples = 1'000'000;
  for (const double theta : {0.0, 0.5, 0.99, 1.0, 1.2, 2.0}) {
    INFO("theta " << theta);
    const ZipfDistribution zipf(n, theta);
    RandomStream random(7, "zipf");
    std::vector<double> counts(n);
    for (int k = 0; k < samples; ++k) ++counts.at(zipf(random) - 1);
    double harmonic = 0;
    for (std::uint64_t rank = 1; rank <= n; ++rank) harmonic += std::pow(rank, -theta);
    std::vector<double> expected;
    for (std::uint64_t rank = 1; rank <= n; ++rank) expected.push_back(samples * std::pow(rank, -theta) / harmonic);
    check_chi_squared(counts, expected);
  }
}

TEST_CASE("zipf: works for one rank, for two and for 10^12", "[workload]") {
  RandomStream random(7, "zipf");
  const ZipfDistribution one(1, 0.99);
  CHECK(one(random) == 1);
  const ZipfDistribution two(2, 1);
  int firsts = 0;
  for (int k = 0; k < 90'000; ++k) firsts += two(random) == 1 ? 1 : 0;
  CHECK(std::abs(firsts - 60'000) < 5 * std::sqrt(90'000 * 2.0 / 3 / 3));
  // With theta = 1, the rank is at most m with a probability of H(m) / H(n). H(x) is about ln x + Euler's constant.
  const ZipfDistribution huge(1'000'000'000'000, 1);
  int up_to_million = 0;
  for (int k = 0; k < 100'000; ++k) up_to_million += huge(random) <= 1'000'000 ? 1 : 0;
  const double share = (std::log(1e6) + 0.5772157) / (std::log(1e12) + 0.5772157);
  CHECK(std::abs(up_to_million - 1e5 * share) < 5 * std::sqrt(1e5 * share * (1 - share)));
}

TEST_CASE("zipf: scattering spreads the popular slots and keeps their popularity", "[workload]") {
  const Keys zipf{{"pattern", "zipf"}, {"zipf_theta", "1"}, {"requests", "200000"}};
  Keys ordered_keys = zipf;
  ordered_keys["zipf_scatter"] = "false";
  const auto ordered = slot_counts(ordered_keys, 1000);
  auto scattered = slot_counts(zipf, 1000);
  CHECK(std::ranges::max_element(ordered) == ordered.begin());
  const double front = scattered[0] + scattered[1] + scattered[2] + scattered[3];
  CHECK(front < ordered[0]);
  // The same ranks must have been drawn, so the counts are the same numbers in a different order.
  auto sorted = ordered;
  std::ranges::sort(sorted);
  std::ranges::sort(scattered);
  CHECK(scattered == sorted);
}

TEST_CASE("a permutation reaches every element once", "[workload]") {
  for (const std::uint64_t n : {1, 2, 3, 4, 5, 1000, 1024, 1025}) {
    const Permutation permutation(n, 42);
    std::vector<bool> reached(n);
    for (std::uint64_t k = 0; k < n; ++k) {
      REQUIRE(permutation(k) < n);
      CHECK(!reached[permutation(k)]);
      reached[permutation(k)] = true;
    }
  }
}

TEST_CASE("hot_cold: shares of space and of requests", "[workload]") {
  const auto counts = slot_counts(
      {{"pattern", "hot_cold"}, {"hot_space_percent", "10"}, {"hot_access_percent", "90"}, {"requests", "200000"}},
      1000);
  std::vector<double> expected(1000, 200'000 * 0.1 / 900);
  std::fill(expected.begin(), expected.begin() + 100, 200'000 * 0.9 / 100);
  check_chi_squared(counts, expected);
}
