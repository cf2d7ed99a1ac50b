// SPDX-License-Identifier: Apache-2.0
// Tests the request sizes that are derived only from means and class shares, and compares them with closed forms.
#include <cmath>
#include <stdexcept>

#include "catch.h"
#include "host/workloads/profile/request_sizes.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

constexpr int samples = 100'000;

double mean_of(const SizeDistribution& sizes) {
  double sum = 0;
  for (int k = 0; k < samples; ++k) sum += static_cast<double>(sizes.at((k + 0.5) / samples));
  return sum / samples;
}

double share_up_to(const SizeDistribution& sizes, std::uint64_t size) {
  int count = 0;
  for (int k = 0; k < samples; ++k) count += sizes.at((k + 0.5) / samples) <= size ? 1 : 0;
  return static_cast<double>(count) / samples;
}

SizeStatistics statistics(double mean_read, double mean_write, std::vector<double> shares = {}) {
  return {0.5, mean_read, mean_write, std::move(shares), {4096, 8192, 16'384}, 4096, 1 << 20};
}

}  // namespace

// If only the mean is known, the distribution must be geometric, since it has the greatest entropy for a given mean.
// The maximum size of 256 steps is so far away that it does not matter.
TEST_CASE("sizes of a known mean are geometric", "[workload]") {
  const SizeDistribution sizes = request_sizes(statistics(5 * 4096, 4096)).reads;
  CHECK(mean_of(sizes) == Approx(5 * 4096).epsilon(1e-3));
  for (const int steps : {1, 2, 10}) {
    CHECK(share_up_to(sizes, 4096ULL * steps) == Approx(1 - std::pow(1 - 1 / 5.0, steps)).margin(1e-4));
  }
}

TEST_CASE("a mean equal to the least or the largest size leaves one size", "[workload]") {
  const RequestSizes sizes = request_sizes(statistics(1 << 20, 4096));
  CHECK(sizes.reads.at(1e-5) == 1 << 20);
  CHECK(sizes.writes.at(1 - 1e-5) == 4096);
}

// Half of all requests are small, and half of all requests are reads. Given the means, all writes must be small and all
// reads large.
TEST_CASE("classes are divided between reads and writes according to their means", "[workload]") {
  const RequestSizes sizes = request_sizes(statistics(65'536, 4096, {0.5, 0, 0, 0.5}));
  CHECK(share_up_to(sizes.writes, 4096) == Approx(1).margin(1e-3));
  CHECK(share_up_to(sizes.reads, 16'384) == Approx(0).margin(1e-3));
  CHECK(mean_of(sizes.reads) == Approx(65'536).epsilon(1e-3));
}

TEST_CASE("reads and writes with the same mean have the same sizes", "[workload]") {
  const RequestSizes sizes = request_sizes(statistics(20'000, 20'000, {0.4, 0.3, 0.1, 0.2}));
  const double shares[] = {0.4, 0.7, 0.8};
  for (int k = 0; k < 3; ++k) {
    CHECK(share_up_to(sizes.reads, 4096ULL << k) == Approx(shares[k]).margin(1e-3));
    CHECK(share_up_to(sizes.writes, 4096ULL << k) == Approx(shares[k]).margin(1e-3));
  }
}

TEST_CASE("statistics without a solution are refused with the nearest possible means", "[workload]") {
  const auto refused = [](const SizeStatistics& s) { CHECK_THROWS_AS(request_sizes(s), std::domain_error); };
  refused(statistics(5000, 4096, {1, 0, 0, 0}));  // all requests are small, so the mean of reads cannot exceed 4 KiB
  // With these class shares, the mean of all requests would be larger.
  refused(statistics(8192, 8192, {0.1, 0, 0, 0.9}));
  refused(statistics(40'000, 40'000, {0.25, 0.5, 0.25, 0}));  // with these class shares, the mean would be smaller
  refused(statistics(2 << 20, 4096));                         // larger than the maximum size
  refused(statistics(2048, 4096));                            // smaller than one step
  CHECK_THROWS_WITH(request_sizes(statistics(5000, 4096, {1, 0, 0, 0})),
                    ContainsSubstring("reads of 4096 instead of 5000 bytes on average and writes of 4096 instead"));
}

TEST_CASE("a direction without requests is unconstrained", "[workload]") {
  SizeStatistics none = statistics(5000, 4096, {1, 0, 0, 0});
  none.read_share = 0;
  CHECK(mean_of(request_sizes(none).writes) == 4096);
}
