// SPDX-License-Identifier: Apache-2.0
// Tests that the same configuration always gives the same results, for any quantum and any number of threads, and with
// or without protocol checks.
#include "busy_device.h"

namespace nandscape {
namespace {

constexpr std::size_t requests = 6000;

// Runs the configured workload, and then single commands.
Outcome run(const std::vector<std::string>& assignments) {
  Simulation simulation(configure(busy_device, assignments));
  REQUIRE(simulation.run());
  SingleCommands commands(simulation, 1);
  for (int k = 0; k < 200; ++k) commands.next();
  Outcome outcome(simulation);
  // Checks that the run is worth comparing: every mechanism has been used.
  CHECK(outcome.log.size() == requests + commands.completed());
  for (const char* counter : {"controller.gc.victims", "controller.merge_reads", "nand.suspends", "host.other.count"}) {
    CAPTURE(counter);
    CHECK(outcome.statistics.at(counter).number() > 100);
  }
  return outcome;
}

TEST_CASE("the same seed gives the same run, and another seed a different one") {
  const Outcome first = run({"simulation.seed=7"});
  check_same(run({"simulation.seed=7"}), first);
  const Outcome other = run({"simulation.seed=8"});
  CHECK(other.log.first_lba != first.log.first_lba);
  CHECK(other.log.latency != first.log.latency);
}

TEST_CASE("results do not depend on how far the calendar runs ahead of the kernel") {
  // The open workload issues requests at fixed times, independently of completions, so they fall between the events of
  // the other workload.
  const std::string workload = GENERATE("simulation.seed=1",
                                        "host.workload=[{read_percent: 50, trim_percent: 5, block_bytes: 4096, "
                                        "alignment_bytes: 512, queue_depth: 12, requests: 3000}, "
                                        "{read_percent: 20, block_bytes: 8192, pacing: open, rate_iops: 5000, "
                                        "requests: 3000}]");
  const Outcome synchronous = run({workload, "simulation.quantum_us=0"});
  for (const char* quantum : {"1", "10", "1000"}) {
    CAPTURE(quantum);
    check_same(run({workload, "simulation.quantum_us=" + std::string(quantum)}), synchronous);
  }
}

TEST_CASE("results do not depend on the number of threads") {
  const std::vector<std::string> fidelity = GENERATE(
      std::vector<std::string>{"simulation.cells=statistical", "simulation.data=stored", "ecc.decoder=bit_true"},
      std::vector<std::string>{"simulation.cells=per_cell"},
      std::vector<std::string>{"simulation.cells=per_cell", "simulation.data=stored", "ecc.decoder=bit_true"});
  const auto run_by = [&](int threads) {
    std::vector<std::string> assignments = fidelity;
    assignments.insert(assignments.end(),
                       {"nand.geometry.pages_per_block=18", "ecc.correctable_bits=16", "nand.condition.pe_cycles=500",
                        "host.workload.requests=300", "host.workload.read_percent=70",
                        "simulation.threads=" + std::to_string(threads)});
    Simulation simulation(configure(busy_device, assignments));
    REQUIRE(simulation.run());
    return Outcome(simulation);
  };
  const Outcome alone = run_by(1);
  CHECK(alone.statistics.at("ecc.corrected_bits").number() > 100);
  for (const int threads : {2, 3, 5}) {
    CAPTURE(threads);
    check_same(run_by(threads), alone);
  }
}

TEST_CASE("a mixed load obeys the protocol on every link, and checking it changes nothing") {
  check_same(run({"simulation.check_protocol=true"}), run({"simulation.check_protocol=false"}));
}

}  // namespace
}  // namespace nandscape
