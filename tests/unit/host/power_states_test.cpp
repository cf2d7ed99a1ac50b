// SPDX-License-Identifier: Apache-2.0
// Tests the power states: the walk of an idle controller, the waiting of the first command, and the admin commands.
#include <algorithm>
#include <utility>
#include <vector>

#include "catch.h"
#include "unit/host/controller_harness.h"

using namespace nandscape;
using namespace nandscape::host;
using nvme::AdminOpcode;
using nvme::Feature;
using nvme::Status;

namespace {

// Two operational states and two non-operational ones. An idle controller enters state 2 after 10 ms, and leaves it for
// state 3 after another 40 ms.
std::vector<PowerStateParameters> four_states() {
  return {{.max_mw = 8000},
          {.max_mw = 4000},
          {.max_mw = 50, .operational = false, .entry_us = 200, .exit_us = 1000, .idle_mw = 40, .idle_before_ms = 10},
          {.max_mw = 5, .operational = false, .entry_us = 500, .exit_us = 9000, .idle_mw = 5, .idle_before_ms = 40}};
}

// The same states with idle times that are longer than the 10 ms that the harness takes for a command: 200 and 400 ms.
NvmeParameters parameters() {
  NvmeParameters p;
  p.power_states = four_states();
  p.power_states[2].idle_before_ms = 200;
  p.power_states[3].idle_before_ms = 400;
  return p;
}

PowerStateCounters counters_of(const PowerStates& states, std::uint32_t number, Tick now) {
  struct Taker final : StatisticsVisitor {
    void count(std::string_view name, std::uint64_t value, std::string_view) override {
      if (group != wanted) return;
      if (name == "entries") found.entries = value;
      if (name == "exits") found.exits = value;
    }
    void amount(std::string_view name, double value, std::string_view, std::string_view) override {
      if (group != wanted) return;
      if (name == "time_s") found.time = static_cast<Tick>(std::llround(value * 1e12));
      if (name == "rest_s") found.at_rest = static_cast<Tick>(std::llround(value * 1e12));
    }
    void ratio(std::string_view, double, double, std::string_view, std::string_view) override {}
    void sampled_ratio(std::string_view, double, double, std::uint64_t, std::string_view, std::string_view) override {}
    void level(std::string_view, std::uint64_t, std::string_view) override {}
    void level(std::string_view, double, std::string_view, std::string_view) override {}
    void latency(std::string_view, const LatencyHistogram&, std::string_view) override {}
    void enter_group(std::string_view name, std::string_view) override { group = name; }
    void leave_group() override { group.clear(); }
    std::string group;
    std::string wanted;
    PowerStateCounters found;
  } taker;
  taker.wanted = "ps" + std::to_string(number);
  states.describe_states(taker, now);
  return taker.found;
}

// Submits a command at the present time, and returns the time until its completion entry is in host memory.
Tick time_of(ControllerHarness& h, ControllerHarness::Queue& queue, nvme::SubmissionEntry entry) {
  entry.command_id = h.next_id++;
  h.push(queue, entry);
  const Tick begin = h.calendar.now();
  h.ring(queue);
  while (true) {
    const Tick next = h.calendar.next_time();
    if (next == never) throw std::runtime_error("the command was never completed");
    h.calendar.run_until(next);
    if (!h.reap(queue).empty()) return next - begin;
  }
}

Tick time_of_read(ControllerHarness& h, ControllerHarness::Queue& queue, std::uint64_t buffer) {
  return time_of(h, queue, ControllerHarness::io(nvme::IoOpcode::read, 0, 8, buffer));
}

}  // namespace

TEST_CASE("an idle controller walks down its power states, and leaves them for a command") {
  BusyTime io;
  PowerStates states(four_states(), io, 0);
  states.enable(0);
  io.begin(0);
  io.end(millisecond);
  CHECK(states.state(10 * millisecond) == 0);
  // Idle since 1 ms: state 2 is entered at 11 ms, which takes 0.2 ms. 40 ms later, leaving it for state 3 takes 1.5 ms.
  const Tick in_2 = 11'200 * microsecond;
  const Tick in_3 = in_2 + 40 * millisecond + 1500 * microsecond;
  CHECK(states.state(11 * millisecond) == 2);
  CHECK(counters_of(states, 2, in_2).time == 0);
  CHECK(counters_of(states, 2, in_2 + millisecond).time == millisecond);
  CHECK(states.state(in_3 + second) == 3);
  CHECK(counters_of(states, 0, in_3 + second).time == 11 * millisecond);
  CHECK(counters_of(states, 2, in_3 + second).time == 40 * millisecond);
  CHECK(counters_of(states, 3, in_3 + second).time == second);

  const PowerStates::Rest rest = states.rest(in_3 + second);
  CHECK(rest.time == 40 * millisecond + second);
  CHECK(rest.joules == Approx(0.040 * 0.040 + 0.005));

  const Tick arrival = in_3 + second;
  CHECK(states.wake(arrival) == arrival + 9 * millisecond);
  CHECK(states.wake(arrival + millisecond) == arrival + 9 * millisecond);
  CHECK(states.wake(arrival + 9 * millisecond) == arrival + 9 * millisecond);
  CHECK(states.state(arrival + 9 * millisecond) == 0);
  CHECK(counters_of(states, 3, arrival + 9 * millisecond).exits == 1);
  CHECK(counters_of(states, 0, arrival + 9 * millisecond).entries == 1);
}

TEST_CASE("a command that arrives while a state is entered waits for the entry and the exit") {
  const BusyTime io;
  PowerStates states(four_states(), io, 0);
  states.enable(0);
  const Tick arrival = 10 * millisecond + 50 * microsecond;
  const Tick operational = 10 * millisecond + 200 * microsecond + millisecond;
  CHECK(states.wake(arrival) == operational);
  CHECK(states.state(operational) == 0);
  // The exit begins again to count idle time.
  CHECK(states.state(operational + 10 * millisecond - 1) == 0);
  CHECK(states.state(operational + 10 * millisecond) == 2);
}

TEST_CASE("no state is left or entered for idle time while a command is outstanding") {
  BusyTime io;
  PowerStates states(four_states(), io, 0);
  states.enable(0);
  io.begin(0);
  CHECK(states.state(second) == 0);
  states.choose(3, second);
  CHECK(states.state(2 * second) == 0);
  io.end(3 * second);
  CHECK(states.state(3 * second) == 3);
  CHECK(counters_of(states, 3, 3 * second + 500 * microsecond).time == 0);
}

TEST_CASE("a state that the host chooses, or a new table, takes effect at the time of the command") {
  const BusyTime io;
  PowerStates states(four_states(), io, 0);
  states.enable(0);
  CHECK(states.set_transitions(false, {}, 0));
  states.choose(3, second);
  CHECK(counters_of(states, 0, 2 * second).time == second);
  CHECK(counters_of(states, 3, 2 * second).time == second - 500 * microsecond);
  PowerStates others(four_states(), io, 0);
  others.enable(0);
  CHECK(others.set_transitions(false, {}, 0));
  TransitionTable table{};
  table[0] = 100u << 8 | 3u << 3;
  CHECK(others.set_transitions(true, table, second));
  CHECK(counters_of(others, 0, 2 * second).time == second);
}

TEST_CASE("work in the background draws the power of an operational state") {
  const BusyTime io;
  PowerStates states(four_states(), io, 0);
  states.enable(0);
  states.choose(3, 0);
  const Tick in_3 = 500 * microsecond;
  states.background_work(true, in_3 + second);
  states.background_work(false, in_3 + 3 * second);
  const Tick now = in_3 + 4 * second;
  CHECK(states.state(now) == 3);
  CHECK(counters_of(states, 3, now).time == 4 * second);
  CHECK(counters_of(states, 3, now).at_rest == 2 * second);
  CHECK(states.rest(now).joules == Approx(0.010));
}

TEST_CASE("operational states set the limit of the drive's power, and survive a non-operational state") {
  struct Limit final : PowerLimit {
    void set_limit(double milliwatts, Tick) override { limits.push_back(milliwatts); }
    std::vector<double> limits;
  } limit;
  const BusyTime io;
  PowerStates states(four_states(), io, 0);
  states.enable(0);
  states.set_limit(limit);
  states.choose(1, 0);
  states.choose(2, millisecond);
  const Tick operational = states.wake(5 * millisecond);
  CHECK(operational == 6 * millisecond);
  CHECK(states.state(operational) == 1);
  CHECK(limit.limits == std::vector<double>{4000});

  Archive saved;
  states.persist(saved, operational);
  const std::vector<std::byte> bytes = saved.take();
  Archive archive(bytes);
  Limit limit_of_restored;
  PowerStates restored(four_states(), io, operational);
  restored.set_limit(limit_of_restored);
  restored.persist(archive, operational);
  CHECK(limit_of_restored.limits == std::vector<double>{4000});

  states.reset(operational);
  CHECK(states.state(operational) == 0);
  CHECK(limit.limits == std::vector<double>{4000, 8000});
}

namespace {

struct RecordedLimit final : PowerLimit {
  void set_limit(double milliwatts, Tick now) override { limits.emplace_back(milliwatts, now); }
  std::vector<std::pair<double, Tick>> limits;
};

// Three operational states with latencies, and a non-operational one.
std::vector<PowerStateParameters> states_with_latencies() {
  return {{.max_mw = 8000, .entry_us = 10, .exit_us = 20},
          {.max_mw = 4000, .entry_us = 100, .exit_us = 200},
          {.max_mw = 3000, .entry_us = 1000, .exit_us = 2000},
          {.max_mw = 50, .operational = false, .entry_us = 500, .exit_us = 5000}};
}

}  // namespace

TEST_CASE("between operational states the old limit holds until the change has ended, and commands do not wait") {
  const BusyTime io;
  RecordedLimit limit;
  PowerStates states(states_with_latencies(), io, 0);
  states.set_limit(limit);
  states.enable(0);
  const Tick in_1 = 120 * microsecond;  // leaving 0 and entering 1
  CHECK(states.choose(1, 0) == in_1);
  CHECK(states.state(in_1 - 1) == 0);
  CHECK(states.wake(in_1 - 1) == in_1 - 1);
  CHECK(states.rest(in_1 + second).time == 0);
  CHECK(limit.limits.empty());  // reading statistics changes nothing
  CHECK(states.state(in_1) == 1);
  CHECK(limit.limits == std::vector<std::pair<double, Tick>>{{4000, in_1}});
  CHECK(counters_of(states, 1, in_1 + second).time == second);

  // A choice during a change waits for its end.
  const Tick again = in_1 + second, in_2 = again + 1200 * microsecond, in_0 = in_2 + 2010 * microsecond;
  CHECK(states.choose(2, again) == in_2);
  CHECK(states.choose(0, again + 1) == in_0);
  CHECK(states.state(in_2) == 2);
  CHECK(states.state(in_0) == 0);
  CHECK(limit.limits.back() == std::pair<double, Tick>{8000, in_0});
  CHECK(states.choose(0, in_0) == in_0);

  // A non-operational state is entered from the new one.
  const Tick later = in_0 + second;
  CHECK(states.choose(1, later) == later + in_1);
  CHECK(states.choose(3, later + 1) == later + 1);
  CHECK(states.state(later + in_1) == 3);
  CHECK(counters_of(states, 3, later + in_1 + 700 * microsecond + second).time == second);
}

TEST_CASE("a reset ends a change between operational states at once") {
  const BusyTime io;
  RecordedLimit limit;
  PowerStates states(states_with_latencies(), io, 0);
  states.set_limit(limit);
  states.enable(0);
  const Tick at = GENERATE(50 * microsecond, 150 * microsecond);  // during the change, and in the new state
  states.choose(1, 0);
  states.reset(at);
  CHECK(states.state(at) == 0);
  CHECK(limit.limits.back() == std::pair<double, Tick>{8000, at});
  CHECK(states.state(second) == 0);
  CHECK(states.choose(1, second) == second + 120 * microsecond);
}

TEST_CASE("Set Features completes when the controller is in the operational state") {
  NvmeParameters p;
  p.power_states = states_with_latencies();
  ControllerHarness h(p);
  h.enable();
  const auto time_of_choice = [&](std::uint32_t state) {
    nvme::SubmissionEntry entry;
    entry.opcode = static_cast<std::uint8_t>(AdminOpcode::set_features);
    entry.cdw10 = id_of(Feature::power_management);
    entry.cdw11 = state;
    const Tick taken = time_of(h, h.admin, entry);
    CHECK(h.controller.power().state(h.calendar.now()) == state);
    return taken;
  };
  const Tick without_change = time_of_choice(0);
  CHECK(time_of_choice(1) == without_change + 120 * microsecond);
  CHECK(time_of_choice(2) == without_change + 1200 * microsecond);
  CHECK(time_of_choice(0) == without_change + 2010 * microsecond);
}

TEST_CASE("a saved power state goes on as it would have without saving") {
  const BusyTime io;
  for (const Tick at : {5 * millisecond, 10'100 * microsecond, 30 * millisecond, 51 * millisecond, second}) {
    PowerStates states(four_states(), io, 0);
    states.enable(0);
    Archive saved;
    states.persist_counters(saved, at);
    states.persist(saved, at);
    const std::vector<std::byte> bytes = saved.take();
    Archive archive(bytes);
    PowerStates restored(four_states(), io, at);
    restored.persist_counters(archive, at);
    restored.persist(archive, at);
    archive.finish();
    const Tick end = 2 * second;
    for (std::uint32_t state = 0; state < 4; ++state) {
      CHECK(counters_of(restored, state, end).time == counters_of(states, state, end).time);
      CHECK(counters_of(restored, state, end).entries == counters_of(states, state, end).entries);
    }
    CHECK(restored.rest(end).joules == Approx(states.rest(end).joules));
    CHECK(restored.wake(end) == states.wake(end));
  }
}

TEST_CASE("lists of power states are checked") {
  const BusyTime io;
  const auto refused = [&](std::vector<PowerStateParameters> states, const std::string& key) {
    try {
      PowerStates made(states, io, 0);
    } catch (const ConfigError& error) {
      return std::string(error.what()).find(key) != std::string::npos;
    }
    return false;
  };
  CHECK(refused({{.operational = false}}, "power_states.0.operational"));
  CHECK(refused({{.max_mw = 1000}, {.max_mw = 2000}}, "power_states.1.max_mw"));
  CHECK(refused({{.max_mw = 1000}, {.max_mw = 10, .operational = false, .idle_mw = 20}}, "power_states.1.idle_mw"));
  CHECK(refused(std::vector<PowerStateParameters>(33), "33 states"));
}

TEST_CASE("the first command after a non-operational state takes the exit latency longer") {
  ControllerHarness h(parameters());
  h.enable();
  ControllerHarness::Queue queue = h.create_queue(1, 16);
  const std::uint64_t buffer = h.memory.reserve(4096, 4096);
  const Tick ordinary = time_of_read(h, queue, buffer);
  CHECK(time_of_read(h, queue, buffer) == ordinary);
  h.run_for(millisecond);
  CHECK(h.calendar.next_time() == never);  // transitions are due, but no event waits for them
  h.run_for(300 * millisecond);
  CHECK(h.controller.power().state(h.calendar.now()) == 2);
  CHECK(time_of_read(h, queue, buffer) == ordinary + millisecond);
  h.run_for(second);
  CHECK(time_of_read(h, queue, buffer) == ordinary + 9 * millisecond);
  CHECK(time_of_read(h, queue, buffer) == ordinary);
}

TEST_CASE("commands of several queues that arrive during an exit are all executed") {
  ControllerHarness h(parameters());
  h.enable();
  ControllerHarness::Queue one = h.create_queue(1, 16);
  ControllerHarness::Queue two = h.create_queue(2, 16);
  const std::uint64_t buffer = h.memory.reserve(4096, 4096);
  h.run_for(300 * millisecond);
  for (int k = 0; k < 5; ++k) {
    for (ControllerHarness::Queue* queue : {&one, &two}) {
      nvme::SubmissionEntry entry = ControllerHarness::io(nvme::IoOpcode::read, 0, 8, buffer);
      entry.command_id = h.next_id++;
      h.push(*queue, entry);
      h.ring(*queue);
      h.run_for(100 * microsecond);
    }
  }
  CHECK(h.reap(one).empty());
  h.run();
  CHECK(h.reap(one).size() == 5);
  CHECK(h.reap(two).size() == 5);
  CHECK(counters_of(h.controller.power(), 2, h.calendar.now()).exits == 1);
}

TEST_CASE("a state that the host chooses during an exit does not lose commands") {
  ControllerHarness h(parameters());
  h.enable();
  ControllerHarness::Queue queue = h.create_queue(1, 16);
  const std::uint64_t buffer = h.memory.reserve(4096, 4096);
  h.run_for(second);
  nvme::SubmissionEntry entry = ControllerHarness::io(nvme::IoOpcode::read, 0, 8, buffer);
  entry.command_id = h.next_id++;
  h.push(queue, entry);
  h.ring(queue);
  h.run_for(microsecond);
  h.controller.power().choose(3, h.calendar.now());
  h.run_for(100 * millisecond);
  CHECK(h.reap(queue).size() == 1);
}

TEST_CASE("a controller reset in a non-operational state leads to state 0") {
  ControllerHarness h(parameters());
  h.enable();
  h.run_for(second);
  CHECK(h.controller.power().state(h.calendar.now()) == 3);
  h.write(nvme::reg::cc, 0);
  h.run_for(9 * millisecond);
  h.enable();
  CHECK(h.controller.power().state(h.calendar.now()) == 0);
}

TEST_CASE("Identify describes the power states") {
  ControllerHarness h(parameters());
  h.enable();
  const std::uint64_t at = h.memory.reserve(4096, 4096);
  REQUIRE(status_of(h.command(AdminOpcode::identify, 1, 0, at)) == Status::success);
  const auto id = h.load<nvme::IdentifyController>(at);
  CHECK(id.npss == 3);
  CHECK(id.apsta == 1);
  CHECK(id.power_states[0].mp == 800);  // 10 mW
  CHECK(id.power_states[0].flags == 0);
  CHECK(id.power_states[1].mp == 40000);  // 0.1 mW
  CHECK(id.power_states[1].flags == 1);
  CHECK(id.power_states[3].mp == 50);
  CHECK(id.power_states[3].flags == 3);
  CHECK(id.power_states[3].enlat == 500);
  CHECK(id.power_states[3].exlat == 9000);
  CHECK(id.power_states[3].idlp == 50);
  CHECK(id.power_states[3].ips == 1 << 6);
}

TEST_CASE("Power Management and Autonomous Power State Transition are features") {
  ControllerHarness h(parameters());
  h.enable();
  const auto get = [&](Feature f, std::uint32_t select, std::uint64_t prp) {
    return h.command(AdminOpcode::get_features, id_of(f) | select << 8, 0, prp);
  };
  const auto set = [&](Feature f, std::uint32_t value, std::uint64_t prp = 0) {
    return h.command(AdminOpcode::set_features, id_of(f), value, prp);
  };
  const std::uint64_t at = h.memory.reserve(4096, 4096);
  const auto table = [&] { return h.load<TransitionTable>(at); };

  REQUIRE(status_of(get(Feature::autonomous_power_state_transition, 0, at)) == Status::success);
  const TransitionTable standard = {200u << 8 | 2u << 3, 200u << 8 | 2u << 3, 400u << 8 | 3u << 3};
  CHECK(table() == standard);
  CHECK(get(Feature::autonomous_power_state_transition, 0, at).dw0 == 1);

  TransitionTable other{};
  other[0] = 500u << 8 | 3u << 3;
  h.memory.write(at, std::as_bytes(std::span(other)));
  REQUIRE(status_of(set(Feature::autonomous_power_state_transition, 1, at)) == Status::success);
  h.memory.write(at, std::as_bytes(std::span(standard)));
  REQUIRE(status_of(get(Feature::autonomous_power_state_transition, 0, at)) == Status::success);
  CHECK(table() == other);
  REQUIRE(status_of(get(Feature::autonomous_power_state_transition, 1, at)) == Status::success);
  CHECK(table() == standard);
  for (const std::uint64_t wrong : {500u << 8 | 1u << 3, 500u << 8 | 0u << 3, 500u << 8 | 4u << 3}) {
    other[0] = wrong;
    h.memory.write(at, std::as_bytes(std::span(other)));
    CHECK(status_of(set(Feature::autonomous_power_state_transition, 1, at)) == Status::invalid_field);
  }
  other = {};
  h.memory.write(at, std::as_bytes(std::span(other)));
  REQUIRE(status_of(set(Feature::autonomous_power_state_transition, 0, at)) == Status::success);

  CHECK(get(Feature::power_management, 0, 0).dw0 == 0);
  CHECK(status_of(set(Feature::power_management, 3)) == Status::success);
  CHECK(get(Feature::power_management, 0, 0).dw0 == 3);  // admin commands do not leave the state
  CHECK(get(Feature::power_management, 1, 0).dw0 == 0);
  CHECK(status_of(set(Feature::power_management, 4)) == Status::invalid_field);
  CHECK(status_of(set(Feature::power_management, 1)) == Status::success);
  CHECK(get(Feature::power_management, 0, 0).dw0 == 1);

  ControllerHarness plain;
  plain.enable();
  CHECK(status_of(plain.command(AdminOpcode::set_features, id_of(Feature::power_management), 1)) ==
        Status::invalid_field);
  CHECK(status_of(plain.command(AdminOpcode::get_features, id_of(Feature::autonomous_power_state_transition), 0, at)) ==
        Status::invalid_field);
}
