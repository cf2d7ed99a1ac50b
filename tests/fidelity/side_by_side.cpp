// SPDX-License-Identifier: Apache-2.0
// Tests that several simulations in one process do not affect one another, whatever the order in which they run.
#include <algorithm>
#include <memory>
#include <thread>

#include "busy_device.h"

namespace nandscape {
namespace {

// Two devices with different seeds, geometries and times, so that state shared by mistake would change the results.
const std::vector<std::vector<std::string>> devices = {
    {"simulation.seed=1"},
    {"simulation.seed=2", "channel.count=1", "nand.geometry.pages_per_block=32", "nand.timing.t_prog_us=555",
     "host.link.lanes=2"},
};

std::unique_ptr<Simulation> build(std::size_t k) {
  return std::make_unique<Simulation>(configure(busy_device, devices[k]));
}

TEST_CASE("single commands to two simulations in turn, during garbage collection") {
  constexpr int commands = 1500;
  std::vector<Outcome> alone;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto simulation = build(k);
    SingleCommands driver(*simulation, k);
    for (int n = 0; n < commands; ++n) driver.next();
    alone.emplace_back(*simulation);
    CHECK(alone.back().statistics.at("controller.gc.victims").number() > 100);
  }

  const auto first = build(0), second = build(1);
  SingleCommands first_driver(*first, 0), second_driver(*second, 1);
  for (int n = 0; n < commands; ++n) {
    first_driver.next();
    second_driver.next();
  }
  check_same(Outcome(*first), alone[0]);
  check_same(Outcome(*second), alone[1]);
}

TEST_CASE("workloads of two simulations in turn, by slices of simulated time") {
  // Begins a workload and stops it midway. The progress callback is called every 100 ms of real time, so the simulated
  // time at that point depends on the speed of this computer. All runs therefore first continue to a common simulated
  // time.
  const auto begin = [](std::size_t k) {
    std::vector<std::string> assignments = devices[k];
    assignments.push_back("host.workload.requests=1000000");
    auto simulation = std::make_unique<Simulation>(configure(busy_device, assignments));
    REQUIRE_FALSE(simulation->run([](const Progress&) { return false; }));
    return simulation;
  };
  const std::unique_ptr<Simulation> alone[] = {begin(0), begin(1)}, in_turn[] = {begin(0), begin(1)};
  Tick start = 0;
  for (std::size_t k = 0; k < 2; ++k) start = std::max({start, alone[k]->now(), in_turn[k]->now()});
  const Tick end = start + second;

  for (const auto& simulation : alone) simulation->run_until(end);
  for (Tick now = start; now < end; now += millisecond) {
    for (const auto& simulation : in_turn) simulation->run_until(now);
  }
  for (std::size_t k = 0; k < 2; ++k) {
    in_turn[k]->run_until(end);
    check_same(Outcome(*in_turn[k]), Outcome(*alone[k]));
  }
}

TEST_CASE("simulations run at the same time on two threads") {
  std::vector<Outcome> alone;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto simulation = build(k);
    REQUIRE(simulation->run());
    alone.emplace_back(*simulation);
  }
  const auto first = build(0), second = build(1);
  bool second_ended = false;
  std::thread other([&] { second_ended = second->run(); });
  const bool first_ended = first->run();
  other.join();
  CHECK(first_ended);
  CHECK(second_ended);
  check_same(Outcome(*first), alone[0]);
  check_same(Outcome(*second), alone[1]);
}

}  // namespace
}  // namespace nandscape
