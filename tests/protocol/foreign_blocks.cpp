// SPDX-License-Identifier: Apache-2.0
// Tests the whole drive with external blocks in place of the built-in ones; they are selected in the configuration. If
// an external block behaves like the built-in block, all requests must have the same times at any quantum. If it breaks
// a rule, the error must be clear.
#include "foreign_blocks.h"

#include "foreign_channel.h"
#include "foreign_front.h"

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "platform/simulation/simulation.h"
#include "unit/platform/drives.h"
#include "unit/platform/temporary_folder.h"

namespace nandscape {
namespace {

using Settings = std::vector<std::string>;

void register_blocks() {
  if (ecc_engine_blocks().contains("threaded")) return;
  ecc_engine_blocks().add<ThreadedEngine>("threaded", "an engine of threads");
  die_blocks().add<RelayedDie>("relayed", "the built-in die behind a process");
  channel_blocks().add<ThreadedChannel>("threaded", "a bus that is a thread");
  front_end_blocks().add<RelayedFrontEnd>("relayed", "the built-in front end behind processes");
  host_blocks().add<RelayedHost>("relayed", "the built-in host behind processes");
}

Configuration drive(Settings settings) {
  register_blocks();
  settings.insert(settings.begin(),
                  {"host.workload.read_percent=70", "host.workload.requests=600", "controller.scheduler.suspend=none"});
  return small_drive(settings);
}

const Settings every_block = {"simulation.blocks.ecc_engine.kind=threaded", "simulation.blocks.die.kind=relayed",
                              "simulation.blocks.channel.kind=threaded", "simulation.blocks.front_end.kind=relayed",
                              "simulation.blocks.host.kind=relayed"};

// The times of all requests and the number of decoded pages. The end time of the run is left out, because a block that
// has work but no transactions is polled only once per millisecond.
struct Outcome {
  std::vector<Tick> starts;
  std::vector<Tick> latencies;
  double decoded;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(const Settings& settings) {
  Simulation simulation(drive(settings));
  // Waits until bring-up has ended. Its duration depends on the way in which registers are accessed, so it is not
  // compared.
  simulation.run_until(10 * millisecond);
  CHECK(simulation.run());
  const RequestLog log = simulation.requests();
  return {log.start, log.latency, simulation.statistics().at("ecc.decoded_pages").number()};
}

// Checks that the drive has the same outcome with the external blocks as with the built-in blocks, at several quanta.
void check_at_every_quantum(const Settings& both, const Settings& foreign) {
  const Outcome ours = outcome_of(both);
  REQUIRE(ours.decoded > 300);
  for (const char* quantum : {"0", "1", "1000"}) {
    CAPTURE(quantum);
    Settings settings = both;
    settings.insert(settings.end(), foreign.begin(), foreign.end());
    settings.push_back(std::string("simulation.quantum_us=") + quantum);
    CHECK(outcome_of(settings) == ours);
  }
}

TEST_CASE("foreign blocks: an engine of threads gives the same ticks as ours, at every quantum") {
  check_at_every_quantum({"ecc.decode_fifo_pages=1", "ecc.t_decode_us=30", "ecc.decode_mb_s=400"},
                         {"simulation.blocks.ecc_engine.kind=threaded"});
}

TEST_CASE("foreign blocks: a die behind a process gives the same ticks as ours, at every quantum") {
  // The test uses one plane because of an order that differs otherwise. With several planes, the built-in die sends its
  // next response within the call that ends the previous response. A die behind a process sends the next response later
  // at the same time, when another die may already have the bus.
  check_at_every_quantum({"nand.geometry.planes_per_die=1"}, {"simulation.blocks.die.kind=relayed"});
}

TEST_CASE("foreign blocks: a channel that is a thread gives the same ticks as ours, at every quantum") {
  // The test uses one die because of an order that differs otherwise. The thread notifies the controller of the end of
  // a request in a separate process. With several dies, the thread may already have granted the bus to another die when
  // the controller requests it again.
  const Settings one_die = {"nand.geometry.planes_per_die=1", "nand.geometry.dies_per_chip=1"};
  check_at_every_quantum(one_die, {"simulation.blocks.channel.kind=threaded"});
}

TEST_CASE("foreign blocks: a front end behind processes gives the same ticks as ours, at every quantum") {
  check_at_every_quantum({}, {"simulation.blocks.front_end.kind=relayed"});
}

TEST_CASE("foreign blocks: a host behind processes gives the same ticks as ours, at every quantum") {
  check_at_every_quantum({}, {"simulation.blocks.host.kind=relayed"});
}

// Some external blocks report only a part of their contribution to the latency, and others report none.
TEST_CASE("foreign blocks: the parts of a latency add up to it, and recording them changes nothing") {
  const auto part_of = [](const RequestLog& log, LatencyPart part, std::size_t request) {
    return log.parts[static_cast<std::size_t>(part)][request];
  };
  std::vector<Settings> drives = {{}, every_block};
  for (const std::string& block : every_block) drives.push_back({block});
  for (Settings& settings : drives) {
    CAPTURE(settings);
    settings.push_back("nand.geometry.planes_per_die=1");
    const Outcome alone = outcome_of(settings);
    settings.push_back("simulation.breakdown=true");
    CHECK(outcome_of(settings) == alone);
    Simulation simulation(drive(settings));
    REQUIRE(simulation.run());
    const RequestLog log = simulation.requests();
    REQUIRE(log.size() == 600);
    bool all_at_the_host = true;
    for (std::size_t k = 0; k < log.size(); ++k) {
      Tick sum = 0;
      for (const auto& part : log.parts) sum += part[k];
      REQUIRE(sum == log.latency[k]);
      all_at_the_host &= part_of(log, LatencyPart::queue, k) == log.latency[k];
    }
    const auto has = [&](const char* kind) {
      return std::find(settings.begin(), settings.end(), std::string("simulation.blocks.") + kind) != settings.end();
    };
    CHECK(all_at_the_host == (has("front_end.kind=relayed") || has("host.kind=relayed")));
  }
}

TEST_CASE("foreign blocks: several at once, with bytes") {
  Settings settings = every_block;
  settings.push_back("simulation.data=stored");
  Simulation simulation(drive(settings));
  simulation.write(64, page_of(7));
  simulation.flush();
  std::vector<std::byte> data(16384);
  simulation.read(64, data);
  CHECK(data == page_of(7));
  CHECK(simulation.run());
}

TEST_CASE("foreign blocks: the watchdog ends a run in which a block never answers, and names the link") {
  Simulation simulation(drive({"simulation.blocks.ecc_engine.kind=threaded", "simulation.blocks.ecc_engine.deaf=true",
                               "simulation.blocks.watchdog_us=20000"}));
  CHECK_THROWS_WITH(simulation.run(), ContainsSubstring("simulation.blocks.watchdog_us") &&
                                          ContainsSubstring("checker_decode_ecc_0") && ContainsSubstring("BEGIN_REQ"));
}

TEST_CASE("foreign blocks: the error for an announcement later than the stated lookahead names the process") {
  Simulation simulation(
      drive({"simulation.blocks.ecc_engine.kind=threaded", "simulation.blocks.ecc_engine.lookahead_us=100000"}));
  CHECK_THROWS_WITH(simulation.run(),
                    ContainsSubstring("comes too late") && ContainsSubstring("ecc_") && ContainsSubstring("lookahead"));
}

TEST_CASE("foreign blocks: with a correct lookahead the calendar runs ahead, with the same ticks") {
  // A link carries one response at a time. A response that has been announced already occupies the link, so the
  // requests must run one at a time.
  const Settings slow = {"ecc.t_decode_us=30", "ecc.t_encode_us=30", "ecc.decode_fifo_pages=0",
                         "ecc.encode_fifo_pages=0", "host.workload.queue_depth=1"};
  check_at_every_quantum(slow,
                         {"simulation.blocks.ecc_engine.kind=threaded", "simulation.blocks.ecc_engine.lookahead_us=25",
                          "simulation.blocks.ecc_engine.announces=true"});
}

TEST_CASE("foreign blocks: a checkpoint without their state is refused, and the error names the block") {
  const TemporaryFolder folder;
  Simulation simulation(drive({"simulation.blocks.ecc_engine.kind=threaded"}));
  CHECK_THROWS_WITH(simulation.checkpoint((folder.path() / "c").string()),
                    ContainsSubstring("threaded") && ContainsSubstring("simulation.blocks.ecc_engine"));
}

TEST_CASE("foreign blocks: power cycles work") {
  const Settings blocks = GENERATE(
      Settings{"simulation.blocks.ecc_engine.kind=threaded"}, Settings{"simulation.blocks.die.kind=relayed"},
      Settings{"simulation.blocks.channel.kind=threaded"}, Settings{"simulation.blocks.front_end.kind=relayed"},
      Settings{"simulation.blocks.host.kind=relayed"}, every_block);
  CAPTURE(blocks);
  Settings settings = blocks;
  settings.push_back("simulation.data=stored");
  Simulation simulation(drive(settings));
  simulation.write(64, page_of(3));
  simulation.flush();
  for (int k = 0; k < 2; ++k) {
    simulation.start_read(64, 16384);  // the power is cut during this read
    simulation.power_cut();
    simulation.power_on();
    std::vector<std::byte> data(16384);
    simulation.read(64, data);
    CHECK(data == page_of(3));
  }
}

TEST_CASE("foreign blocks: objects on their threads' stacks are destroyed with the power, and with the simulation") {
  constexpr int threads = 2 * 2 * 2;  // two threads for each of the two sides of two engines
  Counted::alive = 0;  // ignores threads that were left over when an earlier run ended in a SystemC error
  {
    Simulation simulation(drive({"simulation.blocks.ecc_engine.kind=threaded"}));
    simulation.write(64, page_of(3));
    for (int k = 0; k < 3; ++k) {
      CHECK(Counted::alive == threads);
      simulation.power_cut();
      CHECK(Counted::alive == 0);
      simulation.power_on();
    }
    CHECK(simulation.run());
    CHECK(Counted::alive == threads);
  }
  CHECK(Counted::alive == 0);
  // A simulation that is destroyed before it has run must destroy these objects too.
  { const Simulation simulation(drive({"simulation.blocks.ecc_engine.kind=threaded"})); }
  CHECK(Counted::alive == 0);
}

TEST_CASE("foreign blocks: the program's actions for SystemC reports are kept") {
  const auto exchange = [](sc_core::sc_actions actions) {
    return sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, actions);
  };
  const sc_core::sc_actions before = exchange(sc_core::SC_DISPLAY);
  {
    Simulation simulation(drive({"simulation.blocks.ecc_engine.kind=threaded"}));
    CHECK(simulation.run());
    CHECK(exchange(sc_core::SC_DISPLAY) == sc_core::SC_DISPLAY);
  }
  CHECK(exchange(before) == sc_core::SC_DISPLAY);
}

TEST_CASE("foreign blocks: an engine that is not a pool is refused as one, and a pool obeys the protocol") {
  CHECK_THROWS_WITH(Simulation(drive({"simulation.blocks.ecc_engine.kind=threaded", "ecc.engines=pool"})),
                    ContainsSubstring("simulation.blocks.ecc_engine.kind: is threaded") &&
                        ContainsSubstring("a pool has several (ecc.engines"));
  const Settings pool = {"ecc.engines=pool", "ecc.pool_engines=2", "ecc.decode_mb_s=50"};
  Settings checked = pool;
  checked.emplace_back("simulation.check_protocol=true");
  CHECK(outcome_of(checked) == outcome_of(pool));
}

TEST_CASE("foreign blocks: an unregistered name is an error in the configuration") {
  CHECK_THROWS_WITH(drive({"simulation.blocks.channel.kind=mine"}),
                    ContainsSubstring("simulation.blocks.channel.kind") && ContainsSubstring("built_in"));
}

}  // namespace
}  // namespace nandscape
