// SPDX-License-Identifier: Apache-2.0
// Tests how fairly a scheduling policy treats two streams on one die, when one stream sends many more requests than the
// other.
#include <algorithm>

#include "catch.h"
#include "scheduler_bench.h"

namespace nandscape {
namespace {

using namespace small_times;

struct Shared {
  double light_us = 0;  // mean latency of each stream
  double heavy_us = 0;
  int done = 0;
};

// Runs both streams. The light stream sends one read per millisecond; the heavy stream always has `heavy_depth` reads
// outstanding.
Shared share(const std::string& policy, int light_reads, int heavy_depth) {
  FlashDeviceParameters p = small_device();
  p.controller.scheduler.policy.name = policy;
  p.controller.scheduler.multi_plane = false;
  SchedulerBench h(p);
  Shared result;
  int light = 0, heavy = 0;
  constexpr Tick end = 200 * millisecond;
  h.on_done = [&](SchedulerBench::Asked& asked) {
    const bool is_light = asked.stream == 1;
    (is_light ? result.light_us : result.heavy_us) += us_from_ticks(asked.latency());
    ++(is_light ? light : heavy);
    ++result.done;
    if (!is_light && h.calendar.now() < end) h.again(asked);
  };
  for (int k = 0; k < heavy_depth; ++k) h.at(0, OpKind::host_read, 0, 3, 0, 0);
  for (int k = 0; k < light_reads; ++k) h.at((k + 1) * millisecond, OpKind::host_read, 0, 4, 0, 1);
  h.run();
  result.light_us /= std::max(light, 1);
  result.heavy_us /= std::max(heavy, 1);
  return result;
}

// Runs each stream separately and both together, and compares their slowdowns. Returns the smaller slowdown divided by
// the larger one, so 1 is perfectly fair.
double fairness(const std::string& policy) {
  const Shared both = share(policy, 190, 32);
  const double light = both.light_us / share(policy, 190, 0).light_us;
  const double heavy = both.heavy_us / share(policy, 0, 32).heavy_us;
  return std::min(light, heavy) / std::max(light, heavy);
}

TEST_CASE("flin slows a light stream down little more than a heavy one, at the same throughput") {
  const double unfair = fairness("out_of_order");
  const double fair = fairness("flin");
  CAPTURE(unfair, fair);
  CHECK(unfair < 0.1);
  CHECK(fair > 4 * unfair);
  CHECK(share("flin", 190, 32).done > 0.98 * share("out_of_order", 190, 32).done);
}

}  // namespace
}  // namespace nandscape
