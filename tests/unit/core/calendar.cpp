// SPDX-License-Identifier: Apache-2.0
#include "core/calendar.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "catch.h"
#include "core/random.h"

namespace nandscape {
namespace {

// Schedules numbered events, and records the number and time of each event that runs.
class Recorder {
 public:
  explicit Recorder(Calendar& c) : calendar(c) {}

  void at(Tick time) {
    calendar.schedule<&Recorder::ran>(time, *this, scheduled.size());
    scheduled.push_back(time);
  }

  // Returns the expected runs: the number and time of each event, in the order of a stable sort by time.
  std::vector<std::pair<std::uint64_t, Tick>> expected() const {
    std::vector<std::pair<std::uint64_t, Tick>> order;
    for (std::size_t k = 0; k < scheduled.size(); ++k) order.emplace_back(k, scheduled[k]);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return order;
  }

  Calendar& calendar;
  std::vector<Tick> scheduled;
  std::vector<std::pair<std::uint64_t, Tick>> runs;
  std::uint64_t followers = 0;  // how many more events may be scheduled by running events
  Tick span = 0;
  RandomStream random{7, "followers"};

 private:
  void ran(std::uint64_t number) {
    runs.emplace_back(number, calendar.now());
    for (int k = 0; k < 2 && followers > 0; ++k, --followers) at(calendar.now() + random.below(span));
  }
};

TEST_CASE("events run in the order of a stable sort by time") {
  // With the shortest span, almost all events have the same times as others. With the longest, they are spread over
  // weeks.
  const Tick span = GENERATE(Tick{3}, Tick{1000}, microsecond, 20 * millisecond, 100 * second, Tick{1} << 62);
  Calendar calendar;
  Recorder recorder(calendar);
  RandomStream random(1, "calendar");
  for (int k = 0; k < 5000; ++k) recorder.at(random.below(span));
  calendar.run_until(never);
  CHECK(recorder.runs == recorder.expected());
  CHECK(calendar.empty());
  CHECK(calendar.events_run() == 5000);
}

TEST_CASE("events scheduled by running events keep the same order") {
  const Tick span = GENERATE(Tick{2}, Tick{500}, millisecond, 30 * millisecond, second);
  Calendar calendar;
  Recorder recorder(calendar);
  recorder.followers = 20000;
  recorder.span = span;
  for (Tick k = 0; k < 20; ++k) recorder.at(k * span / 7);
  calendar.run_until(never);
  CHECK(recorder.runs.size() == 20020);
  CHECK(recorder.runs == recorder.expected());
}

TEST_CASE("a run in slices is the same run") {
  const Tick span = GENERATE(Tick{1000}, 10 * microsecond, millisecond, 30 * millisecond);
  Calendar whole_calendar, sliced_calendar;
  Recorder whole(whole_calendar), sliced(sliced_calendar);
  RandomStream random(2, "slices");
  for (Recorder* recorder : {&whole, &sliced}) {
    recorder->followers = 3000;
    recorder->span = span;
    for (Tick k = 0; k < 10; ++k) recorder->at(k * span / 27);
  }
  whole_calendar.run_until(never);
  Tick limit = 0;
  while (!sliced_calendar.empty()) {
    limit += random.below(span / 20);
    sliced_calendar.run_until(limit);
    REQUIRE(sliced_calendar.now() <= limit);
    REQUIRE(sliced_calendar.next_time() > limit);
  }
  CHECK(whole.runs == sliced.runs);
}

TEST_CASE("the limit of a run is included") {
  Calendar calendar;
  Recorder recorder(calendar);
  recorder.at(10);
  recorder.at(11);
  calendar.run_until(9);
  CHECK(recorder.runs.empty());
  CHECK(calendar.next_time() == 10);
  calendar.run_until(10);
  CHECK(recorder.runs.size() == 1);
  CHECK(calendar.now() == 10);
  CHECK(calendar.next_time() == 11);
  calendar.run_until(11);
  CHECK(recorder.runs.size() == 2);
  CHECK(calendar.next_time() == never);
}

TEST_CASE("events scheduled between runs keep their order") {
  Calendar calendar;
  Recorder recorder(calendar);
  recorder.at(100);
  recorder.at(200);
  calendar.run_until(100);
  recorder.at(200);
  recorder.at(100);
  recorder.at(150);
  calendar.run_until(never);
  CHECK(recorder.runs == recorder.expected());
}

TEST_CASE("an event may be scheduled before the next one, at any distance") {
  const Tick distance = GENERATE(Tick{1}, microsecond, millisecond, 5 * millisecond, second);
  Calendar calendar;
  Recorder recorder(calendar);
  recorder.at(3 * distance);
  CHECK(calendar.next_time() == 3 * distance);
  recorder.at(distance);
  recorder.at(2 * distance);
  recorder.at(distance);
  recorder.at(3 * distance);
  CHECK(calendar.next_time() == distance);
  calendar.run_until(2 * distance);
  recorder.at(2 * distance);
  recorder.at(3 * distance);
  calendar.run_until(never);
  CHECK(recorder.runs == recorder.expected());
}

TEST_CASE("advance moves the clock, and events can be scheduled from there") {
  Calendar calendar;
  Recorder recorder(calendar);
  recorder.at(1000);
  calendar.advance(700);
  CHECK(calendar.now() == 700);
  recorder.at(700);
  recorder.at(1000);
  calendar.run_until(never);
  CHECK(recorder.runs == recorder.expected());
}

struct Stopper {
  Calendar& calendar;
  int ran = 0;
  void stop(std::uint64_t) {
    ++ran;
    calendar.stop();
  }
  void fail(std::uint64_t) { throw std::runtime_error("an event fails"); }
};

TEST_CASE("stop ends a run after the event that calls it") {
  Calendar calendar;
  Stopper stopper{calendar};
  for (int k = 0; k < 3; ++k) calendar.schedule<&Stopper::stop>(5, stopper);
  calendar.run_until(never);
  CHECK(stopper.ran == 1);
  CHECK(calendar.stopped());
  CHECK(calendar.pending() == 2);
  CHECK(calendar.next_time() == 5);
  calendar.run_until(never);
  calendar.run_until(never);
  CHECK(stopper.ran == 3);
  calendar.run_until(never);
  CHECK_FALSE(calendar.stopped());
}

struct CountingDriver final : Calendar::Driver {
  std::vector<Tick> wakes;
  void wake(Tick at) override { wakes.push_back(at); }
};

TEST_CASE("after an event throws, the calendar can continue") {
  Calendar calendar;
  CountingDriver driver;
  calendar.set_driver(&driver);
  Recorder recorder(calendar);
  Stopper stopper{calendar};
  recorder.at(1);
  calendar.schedule<&Stopper::fail>(1, stopper);
  recorder.at(1);
  recorder.at(2);
  CHECK_THROWS_AS(calendar.run_until(never), std::runtime_error);
  CHECK(recorder.runs.size() == 1);
  CHECK(calendar.pending() == 2);
  // The run has ended with an error, so the driver must be notified of new events again.
  driver.wakes.clear();
  recorder.at(3);
  CHECK(driver.wakes == std::vector<Tick>{3});
  calendar.run_until(never);
  CHECK(recorder.runs == recorder.expected());
}

TEST_CASE("the driver is only notified of events from outside a run") {
  Calendar calendar;
  CountingDriver driver;
  calendar.set_driver(&driver);
  Recorder recorder(calendar);
  recorder.followers = 10;
  recorder.span = 5;
  recorder.at(4);
  calendar.run_until(never);
  CHECK(recorder.runs.size() == 11);
  CHECK(driver.wakes == std::vector<Tick>{4});
}

}  // namespace
}  // namespace nandscape
