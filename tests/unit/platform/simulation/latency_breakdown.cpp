// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/latency_breakdown.h"

#include <cmath>

#include "catch.h"

namespace nandscape {
namespace {

LatencyParts parts_of(Tick link, Tick array) {
  LatencyParts parts{};
  parts[static_cast<std::size_t>(LatencyPart::link)] = link;
  parts[static_cast<std::size_t>(LatencyPart::array)] = array;
  return parts;
}

double of(const MeanParts& parts, LatencyPart part) { return parts[static_cast<std::size_t>(part)]; }

TEST_CASE("latency breakdown: without records, all parts are zero") {
  const LatencyBreakdown breakdown;
  CHECK(of(breakdown.mean(), LatencyPart::array) == 0);
  CHECK(std::isnan(of(breakdown.mean_of_slowest(), LatencyPart::array)));
}

TEST_CASE("latency breakdown: the slowest hundredth is counted separately") {
  LatencyBreakdown breakdown;
  // 990 fast requests, and ten slow requests that wait for the flash array.
  for (int k = 0; k < 990; ++k) breakdown.record(parts_of(1000, 9000), 10'000);
  for (int k = 0; k < 10; ++k) breakdown.record(parts_of(2000, 98'000), 100'000);
  CHECK(of(breakdown.mean(), LatencyPart::link) == Approx(990 * 1.0 + 10 * 2.0));
  CHECK(of(breakdown.mean(), LatencyPart::array) == Approx(990 * 9.0 + 10 * 98.0));
  CHECK(of(breakdown.mean_of_slowest(), LatencyPart::link) == Approx(2000));
  CHECK(of(breakdown.mean_of_slowest(), LatencyPart::array) == Approx(98'000));
}

TEST_CASE("latency breakdown: the bucket where the slowest hundredth begins counts by its mean") {
  LatencyBreakdown breakdown;
  for (int k = 0; k < 992; ++k) breakdown.record(parts_of(0, 10), 10);
  for (int k = 0; k < 3; ++k) breakdown.record(parts_of(3 * k, 50 - 3 * k), 50);
  for (int k = 0; k < 9; ++k) breakdown.record(parts_of(0, 100), 100);
  // The slowest hundredth of 1004 requests consists of ten requests: the nine slowest, and one of the three with a
  // latency of 50.
  CHECK(of(breakdown.mean_of_slowest(), LatencyPart::link) == Approx(3 / 10.0));
  CHECK(of(breakdown.mean_of_slowest(), LatencyPart::array) == Approx((9 * 100 + 47) / 10.0));
}

TEST_CASE("latency breakdown: with fewer than a thousand requests, the slowest hundredth is unknown") {
  LatencyBreakdown breakdown;
  for (int k = 0; k < 999; ++k) breakdown.record(parts_of(5, 15), 20);
  CHECK(std::isnan(of(breakdown.mean_of_slowest(), LatencyPart::array)));
  CHECK(of(breakdown.mean(), LatencyPart::array) == Approx(15));
  breakdown.record(parts_of(5, 15), 20);
  CHECK(of(breakdown.mean_of_slowest(), LatencyPart::array) == Approx(15));
}

TEST_CASE("latency breakdown: survives an archive") {
  LatencyBreakdown breakdown;
  breakdown.record(parts_of(5, 15), 20);
  Archive out;
  out(breakdown);
  const std::vector<std::byte> bytes = out.take();
  LatencyBreakdown read;
  Archive in(bytes);
  in(read);
  in.finish();
  CHECK(read.mean() == breakdown.mean());
}

}  // namespace
}  // namespace nandscape
