// SPDX-License-Identifier: Apache-2.0
// Tests that a simulation restored from a checkpoint behaves like the original simulation.
#include <cstdio>
#include <filesystem>

#include "catch.h"
#include "core/error.h"
#include "unit/platform/drives.h"
#include "unit/platform/temporary_folder.h"

namespace nandscape {
namespace {

// Returns all statistics as a string, with the wall-clock time set to zero.
std::string told(const Simulation& simulation) {
  Value statistics = simulation.statistics();
  statistics["simulation"]["wall_s"] = Value(0.0);
  return statistics.to_json();
}

void check_same(const Simulation& a, const Simulation& b) {
  CHECK(told(a) == told(b));
  CHECK(a.now() == b.now());
  CHECK(a.requests().start == b.requests().start);
  CHECK(a.requests().latency == b.requests().latency);
  CHECK(a.requests().first_lba == b.requests().first_lba);
  CHECK(a.requests().kind == b.requests().kind);
  CHECK(a.requests().status == b.requests().status);
}

// Runs a simulation, saves and restores it, and checks that the original and the restored simulation behave the same
// from then on.
void check_goes_on_the_same(const std::vector<std::string>& assignments) {
  CAPTURE(assignments);
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "drive").string();
  Simulation first(small_drive(assignments));
  REQUIRE(first.run());
  const std::size_t before = first.requests().size();
  first.checkpoint(file);
  Simulation second = Simulation::restore(file);
  check_same(first, second);
  for (Simulation* simulation : {&first, &second}) REQUIRE(simulation->run());
  CHECK(first.requests().size() == 2 * before);
  check_same(first, second);
}

TEST_CASE("a restored drive behaves like the original, with every victim policy") {
  const char* policy = GENERATE("greedy", "random", "random_p", "random_pp", "d_choices", "fifo", "cost_benefit");
  check_goes_on_the_same(
      {"host.workload.read_percent=20", std::string("controller.garbage_collection.policy=") + policy});
  Simulation simulation(small_drive({"host.workload.read_percent=20"}));
  simulation.run();
  CHECK(simulation.statistics().at("controller.gc.victims").number() > 0);  // checks that garbage collection has run
}

TEST_CASE("a restored drive behaves like the original, with cells that err") {
  check_goes_on_the_same({"simulation.cells=statistical", "nand.condition.pe_cycles=3000",
                          "nand.condition.retention_days=300", "host.workload.read_percent=50"});
}

TEST_CASE("a restored drive behaves like the original, with single cells and stored data") {
  check_goes_on_the_same({"simulation.cells=per_cell", "simulation.data=stored", "host.workload.read_percent=50",
                          "host.workload.requests=60", "nand.geometry.blocks_per_plane=12",
                          "nand.geometry.pages_per_block=24", "controller.mapping.over_provisioning=1"});
}

TEST_CASE("a restored drive behaves like the original, with cache, firmware, streams and all policies") {
  check_goes_on_the_same({"host.workload.read_percent=40", "controller.cache.policy=read_write",
                          "controller.cache.capacity_bytes=4194304", "controller.firmware.read_cycles=2000",
                          "controller.streams.policy=hot_cold", "controller.scheduler.policy=flin",
                          "controller.wear_levelling.static_threshold=2", "controller.read_disturb.limit_reads=500",
                          "controller.power_loss.protection=none", "controller.scheduler.cache_program=true"});
}

TEST_CASE("a drive can be saved after an earlier power cut") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "drive").string();
  Simulation first(small_drive({"simulation.data=stored", "host.workload.read_percent=30"}));
  for (int k = 0; k < 20; ++k) first.write(32u * static_cast<unsigned>(k), page_of(k));
  first.trim(32 * 5, 32);
  first.power_cut();
  first.power_on();
  first.checkpoint(file);
  Simulation second = Simulation::restore(file);
  check_same(first, second);
  for (Simulation* simulation : {&first, &second}) REQUIRE(simulation->run());
  check_same(first, second);
}

TEST_CASE("a restored drive holds the data written before") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "drive").string();
  Simulation first(small_drive({"simulation.data=stored"}));
  for (int k = 0; k < 20; ++k) first.write(32u * static_cast<unsigned>(k), page_of(k));
  first.trim(32 * 5, 32);
  first.checkpoint(file);
  Simulation second = Simulation::restore(file);
  for (Simulation* simulation : {&first, &second}) {
    for (int k = 0; k < 20; ++k) {
      std::vector<std::byte> data(16384);
      simulation->read(32u * static_cast<unsigned>(k), data);
      CHECK(data == page_of(k == 5 ? 0 : k));
    }
  }
  check_same(first, second);
}

TEST_CASE("workloads and policies of a restored drive may change, parameters of its state may not") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "drive").string();
  Simulation first(small_drive());
  first.run();
  first.checkpoint(file);
  Simulation second = Simulation::restore(
      file, {parse_override("host.workload.read_percent=100"), parse_override("controller.scheduler.policy=fifo"),
             parse_override("controller.garbage_collection.policy=d_choices")});
  CHECK(second.run());
  CHECK(second.requests().size() == 6000);
  CHECK_THROWS_WITH(Simulation::restore(file, {parse_override("nand.geometry.pages_per_block=192")}),
                    ContainsSubstring("nand.geometry.pages_per_block") && ContainsSubstring("saved with 96"));
}

TEST_CASE("a checkpoint needs a drive at rest") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "drive").string();
  Simulation simulation(small_drive());
  const CommandHandle write = simulation.start_write(0, page_of(1));
  CHECK_THROWS_AS(simulation.checkpoint(file), RequestError);
  simulation.wait(write);
  simulation.checkpoint(file);
  CHECK_THROWS_AS(Simulation::restore((folder.path() / "none").string()), InputError);
}

TEST_CASE("a checkpoint of a large drive with little data is small") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "drive").string();
  Simulation simulation(load_configuration("bare"));
  for (unsigned k = 0; k < 20; ++k) simulation.write(32 * k, page_of(1));
  simulation.checkpoint(file);
  CHECK(std::filesystem::file_size(file) < std::uintmax_t{4} << 20);
}

}  // namespace
}  // namespace nandscape
