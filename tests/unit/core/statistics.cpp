// SPDX-License-Identifier: Apache-2.0
#include "core/statistics.h"

#include <cmath>

#include "catch.h"

namespace nandscape {
namespace {

struct Inner {
  std::uint64_t hits = 3;
};
void describe(const Inner& c, StatisticsVisitor& v) { v.count("hits", c.hits, "hits"); }

struct Outer {
  Inner inner;
  double part = 1, whole = 2, busy = 10;
  std::uint64_t depth = 4;
  LatencyHistogram latency;
};
void describe(const Outer& c, StatisticsVisitor& v) {
  v.group("inner", c.inner, "an inner block");
  v.ratio("share", c.part, c.whole, "", "a share");
  v.amount("busy_us", c.busy, "us", "a time");
  v.level("depth", c.depth, "a state");
  v.latency("latency_us", c.latency, "a latency");
}

TEST_CASE("a snapshot of statistics is nested like the blocks") {
  Outer outer;
  for (int k = 0; k < 100; ++k) outer.latency.record(2 * microsecond);
  StatisticsSnapshot snapshot;
  describe(outer, snapshot);
  const Value result = snapshot.result();
  CHECK(*result.at("inner.hits").integer() == 3);
  CHECK(*result.at("share").real() == 0.5);
  CHECK(*result.at("latency_us.count").integer() == 100);
  for (const char* figure : {"mean", "p50", "p90", "max"}) {
    CHECK(*result.at("latency_us").find(figure)->real() == Approx(2));
  }
}

TEST_CASE("a window holds increments and their ratios, and levels at its end") {
  Outer outer;
  for (int k = 0; k < 100; ++k) outer.latency.record(2 * microsecond);
  StatisticsSnapshot begin;
  describe(outer, begin);
  outer.inner.hits += 7;
  outer.part += 3;
  outer.whole += 4;
  outer.busy += 5;
  outer.depth = 1;
  for (int k = 0; k < 20; ++k) outer.latency.record(8 * microsecond);
  StatisticsSnapshot end;
  describe(outer, end);
  const Value window = end.since(begin);
  CHECK(*window.at("latency_us.count").integer() == 20);
  CHECK(*window.at("inner.hits").integer() == 7);
  CHECK(*window.at("share").real() == 0.75);
  CHECK(*window.at("busy_us").real() == 5);
  CHECK(*window.at("depth").integer() == 1);
  for (const char* figure : {"mean", "p50", "max"})
    CHECK(*window.at("latency_us").find(figure)->real() == Approx(8).epsilon(0.004));
  CHECK(*end.result().at("inner.hits").integer() == 10);
  // Nothing was recorded between the two snapshots, so the ratio is 0.
  CHECK(*end.since(end).at("share").real() == 0);
}

TEST_CASE("a quantile needs ten samples beyond it, a mean one sample") {
  struct Limit {
    const char* figure;
    int samples;
  };
  for (const auto& [figure, needed] : {Limit{"mean", 1}, Limit{"max", 1}, Limit{"p50", 20}, Limit{"p90", 100},
                                       Limit{"p99", 1000}, Limit{"p999", 10'000}, Limit{"p9999", 100'000}}) {
    Outer outer;
    for (int k = 0; k < needed - 1; ++k) outer.latency.record(microsecond);
    StatisticsSnapshot few;
    describe(outer, few);
    INFO(figure << " of " << needed << " samples");
    CHECK(std::isnan(*few.result().at("latency_us").find(figure)->real()));
    outer.latency.record(microsecond);
    StatisticsSnapshot enough;
    describe(outer, enough);
    CHECK(*enough.result().at("latency_us").find(figure)->real() == Approx(1));
    CHECK(*enough.result().at("latency_us.count").integer() == needed);
    // Samples that were recorded before the window do not count.
    CHECK(std::isnan(*enough.since(few).at("latency_us").find("p50")->real()));
  }
}

struct Written {
  double programmed = 0, host = 0;
  std::uint64_t pages = 0;
};
void describe(const Written& c, StatisticsVisitor& v) {
  v.sampled_ratio("amplification", c.programmed, c.host, c.pages, "", "a ratio");
}

TEST_CASE("a sampled ratio needs ten samples in the window, and a denominator other than 0") {
  const auto snapshot = [](const Written& counters) {
    StatisticsSnapshot taken;
    describe(counters, taken);
    return taken;
  };
  const auto figure = [](const Value& statistics) { return *statistics.at("amplification").real(); };
  CHECK(std::isnan(figure(snapshot({}).result())));
  CHECK(std::isnan(figure(snapshot({30, 20, 9}).result())));
  CHECK(figure(snapshot({30, 20, 10}).result()) == 1.5);
  CHECK(std::isnan(figure(snapshot({30, 0, 10}).result())));
  CHECK(std::isnan(figure(snapshot({60, 30, 19}).since(snapshot({30, 20, 10})))));
  CHECK(figure(snapshot({60, 30, 20}).since(snapshot({30, 20, 10}))) == 3);
}

}  // namespace
}  // namespace nandscape
