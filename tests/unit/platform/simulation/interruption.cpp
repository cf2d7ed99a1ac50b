// SPDX-License-Identifier: Apache-2.0
// Tests that long calls end when they are cancelled, and that the simulation can be used afterwards.
#include "core/interruption.h"

#include <chrono>
#include <filesystem>
#include <thread>

#include "catch.h"
#include "unit/platform/drives.h"
#include "unit/platform/temporary_folder.h"

namespace nandscape {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// Cancels the current call when it has asked the given number of times whether it should continue.
class AskedTimes {
 public:
  explicit AskedTimes(int times) : left_(times), interruptible_([this] { return left_-- > 0; }) {}

 private:
  int left_;
  Interruptible interruptible_;
};

const std::vector<std::string> endless = {"host.workload.requests=1000000000", "simulation.request_log=false"};

std::vector<std::string> with(std::vector<std::string> first, const std::vector<std::string>& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

TEST_CASE("without an Interruptible, no call is cancelled") { CHECK(still_wanted()); }

TEST_CASE("the latest Interruptible is checked, and only on its own thread") {
  const Interruptible outer([] { return false; });
  {
    const Interruptible inner([] { return true; });
    std::this_thread::sleep_for(60ms);
    CHECK(still_wanted());
  }
  std::this_thread::sleep_for(60ms);
  CHECK_THROWS_AS(interruption_point(), Interrupted);
  std::thread([] {
    std::this_thread::sleep_for(60ms);
    CHECK(still_wanted());
  }).join();
}

TEST_CASE("interrupted calls end soon, and the simulation can continue") {
  Simulation simulation(small_drive(with(endless, {"simulation.data=stored"})));
  const CommandHandle write = simulation.start_write(0, page_of(5));
  {
    const AskedTimes twice(2);
    const Clock::time_point begin = Clock::now();
    CHECK_THROWS_AS(simulation.run(), Interrupted);
    CHECK(Clock::now() - begin < 1s);
  }
  CHECK(simulation.workloads_under_way());
  const Tick now = simulation.now();
  {
    const AskedTimes once(1);
    CHECK_THROWS_AS(simulation.run_until(never >> 1), Interrupted);
  }
  CHECK(simulation.now() > now);
  CHECK(simulation.wait(write) > 0);
  CHECK_NOTHROW(simulation.smart_log());
  simulation.power_cut();
  simulation.power_on();
  simulation.checkpoint((TemporaryFolder().path() / "drive").string());
}

// The running workload keeps the calendar busy, so that each of these calls takes long enough to be interrupted.
TEST_CASE("an interrupted call does not stop a later one") {
  Simulation simulation(small_drive(endless));
  {
    const AskedTimes once(1);
    CHECK_THROWS_AS(simulation.run(), Interrupted);
  }
  for (int k = 0; k < 3; ++k) {
    // The call is cancelled from its beginning, so it must give up while it waits.
    const AskedTimes never_wanted(0);
    std::this_thread::sleep_for(60ms);
    CHECK_THROWS_AS(simulation.smart_log(), Interrupted);
    std::this_thread::sleep_for(60ms);
    CHECK_THROWS_AS(simulation.reset(), Interrupted);
  }
  const Tick later = simulation.now() + 20 * millisecond;
  simulation.run_until(later);
  CHECK(simulation.now() >= later - millisecond);
  CHECK_NOTHROW(simulation.smart_log());
  CHECK(simulation.wait(simulation.start_read(0, 512)) > 0);
}

TEST_CASE("an interrupted start-up is continued") {
  Simulation simulation(small_drive());
  {
    const AskedTimes never_wanted(0);
    std::this_thread::sleep_for(60ms);
    CHECK_THROWS_AS(simulation.start_flush(), Interrupted);
  }
  simulation.flush();
  CHECK(simulation.run());
}

TEST_CASE("a power cut takes place in spite of an interruption") {
  Simulation simulation(small_drive({"controller.power_loss.protection=capacitor", "simulation.data=stored"}));
  for (unsigned k = 0; k < 64; ++k) simulation.write(32 * k, page_of(1));
  {
    const AskedTimes never_wanted(0);
    std::this_thread::sleep_for(60ms);
    try {
      simulation.power_cut();
    } catch (const Interrupted&) {
    }
  }
  CHECK_FALSE(simulation.has_power());
  simulation.power_on();
  simulation.write(0, page_of(2));
}

TEST_CASE("an interrupted power-on has no effect") {
  Simulation simulation(small_drive({"simulation.data=stored"}));
  simulation.write(0, page_of(9));
  simulation.flush();
  simulation.power_cut();
  const Tick now = simulation.now();
  {
    const AskedTimes never_wanted(0);
    std::this_thread::sleep_for(60ms);
    CHECK_THROWS_AS(simulation.power_on(), Interrupted);
  }
  CHECK_FALSE(simulation.has_power());
  CHECK(simulation.now() == now);
  simulation.power_on();
  std::vector<std::byte> page(16384);
  simulation.read(0, page);
  CHECK(page == page_of(9));
}

TEST_CASE("an interrupted shutdown is a power cut") {
  Simulation simulation(small_drive({"simulation.data=stored"}));
  simulation.write(0, page_of(9));
  simulation.flush();
  {
    const AskedTimes never_wanted(0);
    std::this_thread::sleep_for(60ms);
    CHECK_THROWS_AS(simulation.shut_down(), Interrupted);
  }
  CHECK_FALSE(simulation.has_power());
  simulation.power_on();
  std::vector<std::byte> page(16384);
  simulation.read(0, page);
  CHECK(page == page_of(9));
}

TEST_CASE("an interrupted checkpoint leaves no file, and the drive can continue") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "drive").string();
  Simulation simulation(small_drive({"simulation.data=stored"}));
  simulation.write(0, page_of(9));
  {
    const AskedTimes never_wanted(0);
    std::this_thread::sleep_for(60ms);
    CHECK_THROWS_AS(simulation.checkpoint(path), Interrupted);
  }
  CHECK(std::filesystem::is_empty(folder.path()));
  simulation.checkpoint(path);
  {
    const AskedTimes never_wanted(0);
    std::this_thread::sleep_for(60ms);
    CHECK_THROWS_AS(Simulation::restore(path), Interrupted);
  }
  std::vector<std::byte> page(16384);
  Simulation::restore(path).read(0, page);
  CHECK(page == page_of(9));
}

TEST_CASE("an interrupted advance ages the drive in part") {
  Simulation simulation(small_drive({"controller.refresh.policy=period", "controller.refresh.check_hours=0.001"}));
  simulation.write(0, page_of(1));
  {
    const AskedTimes once(1);
    CHECK_THROWS_AS(simulation.advance(87660, 30, true), Interrupted);
  }
  simulation.advance(1, 30, false);
  simulation.write(0, page_of(2));
}

}  // namespace
}  // namespace nandscape
