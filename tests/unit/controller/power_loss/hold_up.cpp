// SPDX-License-Identifier: Apache-2.0
// Tests the hold-up time that a drive expects to need from its capacitor, and which data it guarantees to save.
#include "controller/hold_up.h"

#include "catch.h"

namespace nandscape::controller {
namespace {

// Two channels with one die of two planes each. Wordlines have three pages.
constexpr Geometry geometry{.channels = 2, .planes_per_die = 2, .blocks_per_plane = 10, .page_bytes = 16384};
constexpr PageTimes times{.read = 50 * microsecond,
                          .program = 700 * microsecond,
                          .longest_program = 700 * microsecond,
                          .bus = 20 * microsecond,
                          .erase = 5 * millisecond,
                          .encode = 10 * microsecond,
                          .pages_per_wordline = 3};

constexpr Tick coalescing = 10 * microsecond;

ControllerParameters parameters(double hold_up_ms) {
  ControllerParameters p;
  p.streams.policy = {"single", nullptr};
  p.power_loss.hold_up_ms = hold_up_ms;
  p.garbage_collection.pages_in_flight = 4;
  p.mapping.write_coalescing_us = us_from_ticks(coalescing);
  return p;
}

// The sum of everything that the latches may need: the coalescing time; three erases, two programs and a read that must
// end first; on each plane, three pages of one stream and four moves; and three pages of the journal.
constexpr Tick latches = coalescing + 3 * times.erase + 2 * times.longest_program + times.read + times.bus +
                         2 * (3 + 4) * (times.program + times.bus + times.encode) +
                         3 * (times.program + times.bus + times.encode);

TEST_CASE("the longest hold-up is the sum of all operations that may have to be saved") {
  const HoldUp hold_up(parameters(50), geometry, times);
  CHECK(hold_up.most() == latches);
  CHECK(hold_up.latches_last());
  CHECK_FALSE(hold_up.cache_lasts());
}

TEST_CASE("with two passes, three wordlines may lack programs, and each page is sent twice") {
  PageTimes twice = times;
  twice.passes = 2;
  const Tick page = times.program + 2 * times.bus + times.encode;
  const Tick expected =
      coalescing + 3 * times.erase + 2 * times.longest_program + times.read + times.bus + 2 * (9 + 4) * page + 9 * page;
  CHECK(HoldUp(parameters(50), geometry, twice).most() == expected);
}

TEST_CASE("a drive guarantees exactly what its capacitor lasts for, to the tick") {
  const double most_ms = us_from_ticks(latches) / 1000;
  CHECK(HoldUp(parameters(most_ms), geometry, times).latches_last());
  CHECK_FALSE(HoldUp(parameters(most_ms - 1e-6), geometry, times).latches_last());
  CHECK_FALSE(HoldUp(parameters(0), geometry, times).latches_last());
  ControllerParameters none = parameters(50);
  none.power_loss.protection = PowerLossProtection::none;
  CHECK_FALSE(HoldUp(none, geometry, times).latches_last());
  CHECK(HoldUp(none, geometry, times).capacitor() == 0);
}

TEST_CASE("only a data cache with a backup takes hold-up time") {
  ControllerParameters p = parameters(1000);
  p.cache.policy = CachePolicy::write_back;
  p.cache.capacity_bytes = 64 * 16384;
  p.cache.writes_in_flight = 8;
  CHECK(HoldUp(p, geometry, times).most() == latches);
  CHECK(HoldUp(p, geometry, times).latches_last());
  CHECK_FALSE(HoldUp(p, geometry, times).cache_lasts());

  p.cache.backup = CacheBackup::capacitor;
  // The cache must save eight whole pages on one plane, and sixteen pages on each plane that are merged with old data.
  // For these, each bus transfers 32 pages.
  const Tick cached = 8 * (times.program + times.bus + times.encode) + 16 * (times.program + times.read + times.bus) +
                      32 * (times.bus + times.encode);
  const HoldUp backed_up(p, geometry, times);
  CHECK(backed_up.most() == latches + cached);
  CHECK(backed_up.cache_lasts());
  // Superpages spread the eight pages over all four planes, of which one may be behind by a wordline. Garbage
  // collection has a stream of its own then, so three more pages may be in the latches of each plane.
  ControllerParameters together = p;
  together.mapping.layout = BlockLayout::superpage;
  const Tick stream = 2 * 3 * (times.program + times.bus + times.encode);
  CHECK(HoldUp(together, geometry, times).most() ==
        latches + stream + cached - 3 * (times.program + times.bus + times.encode));
  // The same capacitor feeds the cache and the latches, so it must be sufficient for both.
  p.power_loss.hold_up_ms = us_from_ticks(latches + cached) / 1000 - 1;
  CHECK_FALSE(HoldUp(p, geometry, times).cache_lasts());
  CHECK_FALSE(HoldUp(p, geometry, times).latches_last());
  // The capacitor of the cache also saves data that have already left the cache.
  p.power_loss.hold_up_ms = 1000;
  p.power_loss.protection = PowerLossProtection::none;
  CHECK(HoldUp(p, geometry, times).cache_lasts());
  CHECK_FALSE(HoldUp(p, geometry, times).latches_last());
}

}  // namespace
}  // namespace nandscape::controller
