// SPDX-License-Identifier: Apache-2.0
#include "protocol/time_sheet.h"

#include <numeric>

#include "catch.h"
#include "core/random.h"
#include "protocol/command_times.h"

namespace nandscape {
namespace {

Tick of(const TimeSheet& sheet, LatencyPart part) { return sheet.parts()[static_cast<std::size_t>(part)]; }

Tick sum(const TimeSheet& sheet) { return std::accumulate(sheet.parts().begin(), sheet.parts().end(), Tick{0}); }

TEST_CASE("time sheet: time belongs to the part entered last") {
  TimeSheet sheet;
  sheet.begin(LatencyPart::queue, 100);
  sheet.enter(LatencyPart::link, 130);
  sheet.enter(LatencyPart::firmware, 130);
  sheet.enter(LatencyPart::link, 150);
  sheet.end(190);
  CHECK(of(sheet, LatencyPart::queue) == 30);
  CHECK(of(sheet, LatencyPart::firmware) == 20);
  CHECK(of(sheet, LatencyPart::link) == 40);
  CHECK(sum(sheet) == 90);
}

TEST_CASE("time sheet: at most the elapsed part of a wait is set apart") {
  TimeSheet sheet;
  sheet.begin(LatencyPart::die, 0);
  sheet.set_apart(LatencyPart::collection, 30, 100);
  sheet.set_apart(LatencyPart::channel, 90, 100);
  sheet.enter(LatencyPart::transfer, 100);
  CHECK(of(sheet, LatencyPart::collection) == 30);
  CHECK(of(sheet, LatencyPart::channel) == 70);
  CHECK(of(sheet, LatencyPart::die) == 0);
}

TEST_CASE("time sheet: after a failed decode all time counts as retries") {
  TimeSheet sheet;
  sheet.begin(LatencyPart::ecc, 0);
  sheet.enter_retries(10);
  sheet.enter(LatencyPart::die, 20);
  sheet.set_apart(LatencyPart::collection, 5, 40);
  sheet.enter(LatencyPart::array, 40);
  sheet.end(100);
  CHECK(of(sheet, LatencyPart::ecc) == 10);
  CHECK(of(sheet, LatencyPart::retries) == 90);
}

TEST_CASE("time sheet: a wait is divided according to the sheet of the awaited work") {
  TimeSheet access;
  access.begin(LatencyPart::firmware, 0);
  TimeSheet read;
  read.begin(LatencyPart::die, 10);
  read.enter(LatencyPart::array, 40);
  access.add(read, LatencyPart::link, 100);
  access.end(120);
  CHECK(of(access, LatencyPart::firmware) == 10);
  CHECK(of(access, LatencyPart::die) == 30);
  CHECK(of(access, LatencyPart::array) == 60);
  CHECK(of(access, LatencyPart::link) == 20);

  SECTION("but not for work that began earlier") {
    TimeSheet late;
    late.begin(LatencyPart::firmware, 20);
    late.add(read, LatencyPart::link, 100);
    CHECK(of(late, LatencyPart::firmware) == 80);
    CHECK(sum(late) == 80);
  }
}

TEST_CASE("time sheet: in any sequence, the parts add up to the time") {
  RandomStream random(1, "time sheet");
  for (int round = 0; round < 2000; ++round) {
    TimeSheet sheet;
    TimeSheet work;
    const Tick begin = random.below(1000);
    Tick now = begin;
    const auto part = [&] { return static_cast<LatencyPart>(random.below(latency_parts)); };
    sheet.begin(part(), begin);
    work.begin(part(), begin);
    for (int step = 0; step < 20; ++step) {
      now += random.below(50);
      switch (random.below(6)) {
        case 0: sheet.enter(part(), now); break;
        case 1: sheet.set_apart(part(), random.below(100), now); break;
        case 2: work.begin(part(), now); break;
        case 3: work.enter(part(), now); break;
        case 4: sheet.add(work, part(), now); break;
        case 5:
          if (random.below(10) == 0) sheet.enter_retries(now);
          break;
      }
    }
    sheet.end(now);
    REQUIRE(sum(sheet) == now - begin);
  }
}

TEST_CASE("command times: a command can be found from open to close") {
  CommandTimes times;
  times.reserve(2, 8);
  CHECK(times.find(0, 3) == nullptr);
  CHECK(times.find(2, 3) == nullptr);
  CHECK(times.find(2, 8) == nullptr);
  CHECK(times.find(3, 0) == nullptr);
  times.open(2, 3, 50);
  TimeSheet* const sheet = times.find(2, 3);
  REQUIRE(sheet != nullptr);
  sheet->enter(LatencyPart::link, 70);
  times.close(2, 3);
  CHECK(times.find(2, 3) == nullptr);
  CHECK(of(*sheet, LatencyPart::queue) == 20);
  times.open(2, 3, 90);
  CHECK(of(*times.find(2, 3), LatencyPart::queue) == 0);
}

}  // namespace
}  // namespace nandscape
