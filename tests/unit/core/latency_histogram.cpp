// SPDX-License-Identifier: Apache-2.0
#include "core/latency_histogram.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "catch.h"
#include "core/random.h"

namespace nandscape {
namespace {

struct Distribution {
  std::string name;
  std::function<double(RandomStream&)> draw;
};

std::vector<Distribution> distributions() {
  return {
      {"uniform over a microsecond", [](RandomStream& r) { return r.uniform() * 1e6; }},
      {"exponential with a mean of 80 us", [](RandomStream& r) { return r.exponential(80e6); }},
      {"log-uniform from 1 ps to 1000 s", [](RandomStream& r) { return std::exp(r.uniform() * std::log(1e15)); }},
      {"two peaks, 60 us and 3 ms", [](RandomStream& r) { return r.uniform() < 0.95 ? 60e6 + r.below(9) : 3e9; }},
      {"small numbers", [](RandomStream& r) { return static_cast<double>(r.below(300)); }},
  };
}

// Returns the quantile by its definition: the smallest sample such that at least `fraction` of the samples do not
// exceed it.
Tick nearest_rank(const std::vector<Tick>& sorted, double fraction) {
  const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

void check_quantiles(const LatencyHistogram& histogram, std::vector<Tick> samples) {
  std::sort(samples.begin(), samples.end());
  for (const double fraction : {0.0, 0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const Tick exact = nearest_rank(samples, fraction);
    INFO("quantile " << fraction);
    CHECK(static_cast<double>(histogram.quantile(fraction)) == Approx(static_cast<double>(exact)).epsilon(0.004));
  }
  double sum = 0;
  for (const Tick sample : samples) sum += static_cast<double>(sample);
  CHECK(histogram.count() == samples.size());
  CHECK(histogram.mean() == Approx(sum / static_cast<double>(samples.size())).epsilon(1e-9));
  CHECK(histogram.minimum() == samples.front());
  CHECK(histogram.maximum() == samples.back());
}

TEST_CASE("quantiles are accurate to 0.4 % over any range") {
  for (const Distribution& distribution : distributions()) {
    INFO(distribution.name);
    RandomStream random(1, distribution.name);
    LatencyHistogram histogram;
    std::vector<Tick> samples;
    for (int k = 0; k < 20001; ++k) {
      samples.push_back(static_cast<Tick>(distribution.draw(random)));
      histogram.record(samples.back());
    }
    check_quantiles(histogram, samples);
  }
}

TEST_CASE("a merged histogram equals the histogram of all samples") {
  RandomStream random(2, "merge");
  LatencyHistogram all, empty;
  std::vector<Tick> samples;
  for (int part = 0; part < 3; ++part) {
    LatencyHistogram histogram;
    for (int k = 0; k < 1000; ++k) {
      samples.push_back(static_cast<Tick>(random.exponential(1e6 * std::pow(10, part))));
      histogram.record(samples.back());
    }
    all.merge(histogram);
    all.merge(empty);
  }
  check_quantiles(all, samples);
}

TEST_CASE("a histogram without samples returns 0") {
  LatencyHistogram histogram;
  histogram.record(5);
  histogram.clear();
  CHECK(histogram.count() == 0);
  CHECK(histogram.mean() == 0);
  CHECK(histogram.minimum() == 0);
  CHECK(histogram.maximum() == 0);
  CHECK(histogram.quantile(0.5) == 0);
}

TEST_CASE("the extremes of the range are counted") {
  LatencyHistogram histogram;
  for (const Tick sample : {Tick{0}, Tick{1}, never - 1, never}) histogram.record(sample);
  CHECK(histogram.minimum() == 0);
  CHECK(histogram.maximum() == never);
  CHECK(histogram.quantile(0.25) == 0);
  CHECK(histogram.quantile(0.5) == 1);
  CHECK(static_cast<double>(histogram.quantile(1)) == Approx(0x1p64).epsilon(0.004));
}

TEST_CASE("a quantile never leaves the range of the samples") {
  LatencyHistogram histogram;
  for (int k = 0; k < 10; ++k) histogram.record(1'000'003);
  for (const double fraction : {0.0, 0.5, 1.0}) CHECK(histogram.quantile(fraction) == 1'000'003);
}

}  // namespace
}  // namespace nandscape
