// SPDX-License-Identifier: Apache-2.0
// Tests the calendar driven by SystemC.
#include "platform/wiring/calendar_module.h"

#include <memory>
#include <stdexcept>
#include <vector>

#include "catch.h"
#include "kernel.h"
#include "protocol/simulated_time.h"

namespace nandscape {
namespace {

struct Bench {
  explicit Bench(Tick quantum = 0) : driver("calendar", calendar, quantum) {}

  void at(Tick time) { calendar.schedule<&Bench::ran>(time, *this); }
  void fail_at(Tick time) { calendar.schedule<&Bench::fail>(time, *this); }
  void stop(std::uint64_t) { calendar.stop(); }
  void ran(std::uint64_t) {
    runs.push_back(calendar.now());
    kernel_times.push_back(to_ticks(sc_core::sc_time_stamp()));
    const sc_core::sc_time delay = annotated_delay(calendar);
    called_at.push_back(call_time(calendar, delay));
  }
  void fail(std::uint64_t) { throw std::runtime_error("an event fails"); }

  Kernel kernel;
  Calendar calendar;
  CalendarModule driver;
  std::vector<Tick> runs;          // the calendar's time at each event
  std::vector<Tick> kernel_times;  // SystemC's time at each event
  std::vector<Tick> called_at;     // time that the target of a call from the event would see
};

TEST_CASE("events run at their times, and with a quantum SystemC follows later") {
  const Tick quantum = GENERATE(Tick{0}, Tick{50}, Tick{1000});
  Bench b(quantum);
  const std::vector<Tick> times = {10, 20, 55, 61, 500, 2000};
  for (const Tick time : times) b.at(time);
  b.driver.run(never);
  CHECK(b.runs == times);
  CHECK(b.called_at == times);
  for (std::size_t k = 0; k < times.size(); ++k) {
    CHECK(b.kernel_times[k] <= times[k]);
    CHECK(times[k] - b.kernel_times[k] <= quantum);
  }
}

TEST_CASE("a run includes its limit, and its clock ends there") {
  Bench b(GENERATE(Tick{0}, Tick{1000}));
  for (const Tick time : {10, 20, 30}) b.at(time);
  b.driver.run(20);
  CHECK(b.runs == std::vector<Tick>{10, 20});
  CHECK(b.calendar.now() == 20);
  b.driver.run(25);
  CHECK(b.calendar.now() == 25);
  b.at(27);
  b.driver.run(100);
  CHECK(b.runs == std::vector<Tick>{10, 20, 27, 30});
  CHECK(b.calendar.now() == 100);
  b.driver.run(never);
  CHECK(b.calendar.now() == 100);
  b.at(100);
  b.driver.run(never);
  CHECK(b.runs.back() == 100);
}

TEST_CASE("an event that throws ends the run and is reported once, and the next run continues") {
  Bench b;
  b.at(1);
  b.fail_at(2);
  b.at(3);
  b.driver.run(never);
  CHECK_THROWS_WITH(b.driver.rethrow(), "an event fails");
  CHECK_NOTHROW(b.driver.rethrow());
  CHECK(b.runs == std::vector<Tick>{1});
  b.driver.run(never);
  CHECK_NOTHROW(b.driver.rethrow());
  CHECK(b.runs == std::vector<Tick>{1, 3});
}

TEST_CASE("a stop and a watch end a run") {
  Bench b;
  for (Tick k = 1; k <= 10; ++k) b.at(k);
  b.driver.set_watch([&] { return b.runs.size() < 4; });
  b.driver.run(never);
  CHECK(b.runs.size() == 4);
  b.driver.set_watch({});
  b.calendar.schedule<&Bench::stop>(6, b);
  b.driver.run(never);
  CHECK(b.runs.size() == 6);
  b.driver.run(never);
  CHECK(b.runs.size() == 10);
}

// A SystemC process that does not belong to the calendar's driver, and schedules an event when it runs.
struct Foreign final : sc_core::sc_module {
  Foreign(sc_core::sc_module_name name, Bench& b, Tick time) : sc_module(name), bench(b), at(time) {
    SC_HAS_PROCESS(Foreign);
    SC_METHOD(run);
    sensitive << event;
    dont_initialize();
    event.notify(to_sc_time(time));
  }
  void run() { bench.at(at + 5); }

  Bench& bench;
  Tick at;
  sc_core::sc_event event;
};

TEST_CASE("an event that another process schedules runs before later ones") {
  Bench b;
  Foreign foreign("foreign", b, 40);
  b.at(10);
  b.at(100);
  b.driver.run(never);
  CHECK(b.runs == std::vector<Tick>{10, 45, 100});
  CHECK(b.kernel_times == b.runs);
}

// A SystemC process that works for some time outside of the calendar, and schedules an event when the work ends.
struct OutsideWork final : sc_core::sc_module {
  SC_HAS_PROCESS(OutsideWork);
  OutsideWork(const sc_core::sc_module_name& name, Calendar& c, Tick long_work) : sc_module(name), calendar(c) {
    SC_METHOD(end);
    dont_initialize();
    sensitive << ended;
    takes = long_work;
  }
  void begin() {
    calendar.hold();
    ended.notify(to_sc_time(takes));
  }
  void end() {
    calendar.schedule<&OutsideWork::hear>(to_ticks(sc_core::sc_time_stamp()), *this);
    calendar.release();
  }
  void hear() { heard = calendar.now(); }

  Calendar& calendar;
  Tick takes = 0;
  sc_core::sc_event ended;
  Tick heard = never;
};

TEST_CASE("a run waits for work outside of the calendar, up to its limit") {
  Kernel kernel;
  Calendar calendar;
  CalendarModule driver("calendar", calendar, 0);
  OutsideWork work("work", calendar, 30 * microsecond);
  calendar.schedule<&OutsideWork::begin>(microsecond, work);
  SECTION("without a limit") {
    driver.run(never);
    CHECK(work.heard == 31 * microsecond);
  }
  SECTION("with a limit before its end") {
    driver.run(20 * microsecond);
    CHECK(work.heard == never);
    CHECK(calendar.now() == 20 * microsecond);
    driver.run(never);
    CHECK(work.heard == 31 * microsecond);
  }
}

// A SystemC thread with an object on its stack. `count`, the number of living objects, shows whether the stack is
// unwound when the thread is killed.
struct Sleeper final : sc_core::sc_module {
  SC_HAS_PROCESS(Sleeper);
  Sleeper(const sc_core::sc_module_name& name, int& count) : sc_module(name), alive(count) { SC_THREAD(sleep); }
  void sleep() {
    const auto one = std::make_unique<Alive>(alive);
    for (;;) wait(to_sc_time(microsecond));
  }
  struct Alive {
    explicit Alive(int& c) : count(c) { ++count; }
    ~Alive() { --count; }
    int& count;
  };
  int& alive;
};

TEST_CASE("threads are killed on demand, and the objects on their stacks are destroyed") {
  int alive = 0;
  Bench b;
  const Sleeper first("first", alive), second("second", alive);
  SECTION("before they have run there is nothing to do") { b.driver.kill_processes(); }
  SECTION("in the middle of a run that can go on") {
    b.at(10 * microsecond);
    b.driver.run(5 * microsecond);
    CHECK(alive == 2);
    b.driver.kill_processes();
    CHECK(b.runs.empty());
  }
  SECTION("after a run started by the user") {
    sc_core::sc_start(to_sc_time(3 * microsecond));
    CHECK(alive == 2);
    b.driver.kill_processes();
  }
  CHECK(alive == 0);
}

}  // namespace
}  // namespace nandscape
