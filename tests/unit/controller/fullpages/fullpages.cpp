// SPDX-License-Identifier: Apache-2.0
#include "controller/fullpages/fullpages.h"

#include <vector>

#include "catch.h"
#include "fakes/fake_unit.h"

namespace nandscape::controller {
namespace {

constexpr Tick unit_wait = 10 * microsecond;
constexpr Tick fullpage_wait = millisecond;

struct Bench final : Fullpages::Client {
  // Constructs groups of three fullpages each, which are written for `planes_together` planes at the same time.
  explicit Bench(std::uint32_t planes_together = 1)
      : fullpages({3, planes_together, 2}, unit_wait, fullpage_wait, calendar, *this) {}

  FtlPlane plane_of_fullpage(Lpn first) override {
    return room ? FtlPlane(static_cast<std::uint32_t>(first.value / 4 % 2)) : FtlPlane();
  }
  bool takes_group(FtlPlane plane) override { return plane.value != full_plane; }
  void write_groups(std::span<const Fullpage> groups, std::span<const FtlPlane> planes, Tick) override {
    CHECK(groups.size() == 3 * planes.size());
    for (const FtlPlane plane : planes) planes_written.push_back(plane.value);
    for (const Fullpage& fullpage : groups) {
      for (std::uint64_t k = 0; k < 4; ++k) CHECK(fullpage[k]->lpn.value == fullpage.front()->lpn.value + k);
      together.push_back(fullpage.front()->lpn.value / 4);
    }
  }
  void write_alone(UnitWrite& unit, Tick) override { alone.push_back(unit.lpn.value); }

  void write(std::uint64_t lpn) {
    units.push_back(std::make_unique<PlainUnit>());
    units.back()->lpn = Lpn(lpn);
    fullpages.take(*units.back(), now);
  }
  void write_piece(std::uint64_t piece) {
    for (const std::uint64_t k : {2, 0, 3, 1}) write(4 * piece + k);
  }
  void wait(Tick time) { calendar.run_until(now += time); }

  Tick now = 0;
  bool room = true;
  std::uint32_t full_plane = 2;
  Calendar calendar;
  std::vector<std::unique_ptr<UnitWrite>> units;
  std::vector<std::uint64_t> together;
  std::vector<std::uint64_t> planes_written;
  std::vector<std::uint64_t> alone;
  Fullpages fullpages;
};

using Numbers = std::vector<std::uint64_t>;

TEST_CASE("fullpages of a plane are written together when there are enough") {
  Bench bench;
  for (const std::uint64_t piece : {0, 1, 2}) bench.write_piece(piece);
  CHECK(bench.together.empty());
  CHECK(bench.fullpages.waiting(FtlPlane(0)));
  bench.wait(fullpage_wait - 1);
  bench.write_piece(6);
  CHECK(bench.together == Numbers{0, 2, 6});
  CHECK(bench.planes_written == Numbers{0});
  CHECK_FALSE(bench.fullpages.waiting(FtlPlane(0)));
  bench.wait(2 * fullpage_wait);
  CHECK(bench.alone == Numbers{4, 5, 6, 7});
  CHECK(bench.fullpages.counters().written == 3);
  CHECK(bench.fullpages.counters().in_one_page == 1);
}

TEST_CASE("groups for all planes of a die are written together") {
  Bench bench(2);
  for (const std::uint64_t piece : {0, 2, 4, 1, 6}) bench.write_piece(piece);
  CHECK(bench.together.empty());
  CHECK(bench.fullpages.waiting(FtlPlane(1)));
  bench.write_piece(8);
  CHECK(bench.together == Numbers{0, 2, 4, 1, 6, 8});
  CHECK(bench.planes_written == Numbers{0, 1});
  CHECK(bench.fullpages.counters().written == 6);
}

TEST_CASE("when the wait ends, complete groups are written to as many planes as they fill") {
  Bench bench(2);
  for (const std::uint64_t piece : {0, 1, 2, 3}) bench.write_piece(piece);
  bench.wait(fullpage_wait);
  CHECK(bench.together == Numbers{0, 1, 2});
  CHECK(bench.alone == Numbers{12, 13, 14, 15});
  for (const std::uint64_t piece : {5, 4, 6}) bench.write_piece(piece);
  bench.fullpages.release(bench.now);
  CHECK(bench.planes_written == Numbers{0, 1});
  CHECK(bench.fullpages.counters().written == 6);
  CHECK(bench.fullpages.counters().in_one_page == 1);
}

TEST_CASE("a full plane is skipped") {
  Bench bench(2);
  bench.full_plane = 0;
  for (const std::uint64_t piece : {0, 1, 2, 3, 4, 5}) bench.write_piece(piece);
  CHECK(bench.planes_written == Numbers{1});
  CHECK(bench.together == Numbers{0, 1, 2});
  CHECK(bench.fullpages.counters().in_one_page == 3);
}

TEST_CASE("units of an incomplete piece are written alone") {
  Bench bench;
  for (const std::uint64_t lpn : {0, 1, 3, 9}) bench.write(lpn);
  bench.wait(unit_wait);
  bench.write(2);
  bench.wait(unit_wait);
  CHECK(bench.alone == Numbers{0, 1, 3, 9, 2});
  CHECK(bench.fullpages.counters().in_one_page == 0);
}

TEST_CASE("the wait of a group starts anew after an early group") {
  Bench bench;
  bench.write_piece(0);
  bench.wait(fullpage_wait / 2);
  for (const std::uint64_t piece : {2, 4, 6}) bench.write_piece(piece);
  CHECK(bench.together == Numbers{0, 2, 4});
  bench.wait(fullpage_wait / 2);
  CHECK(bench.alone.empty());
  bench.wait(fullpage_wait / 2);
  CHECK(bench.alone == Numbers{24, 25, 26, 27});
}

TEST_CASE("without room, or when nothing may wait, all units are written alone") {
  Bench bench;
  bench.room = false;
  bench.write_piece(0);
  CHECK(bench.alone == Numbers{0, 1, 2, 3});
  bench.room = true;
  bench.write_piece(2);
  bench.write(17);
  bench.fullpages.release(bench.now);
  CHECK(bench.alone == Numbers{0, 1, 2, 3, 17, 8, 9, 10, 11});
  bench.wait(2 * fullpage_wait);
  CHECK(bench.alone.size() == 9);
}

}  // namespace
}  // namespace nandscape::controller
