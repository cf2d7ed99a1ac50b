// SPDX-License-Identifier: Apache-2.0
// Tests power losses, and the simulation of long times, with and without power.
#include "catch.h"
#include "core/error.h"
#include "unit/platform/drives.h"

namespace nandscape {
namespace {

double figure(const Simulation& simulation, const char* path) { return simulation.statistics().at(path).number(); }

TEST_CASE("commands pending at a power cut are lost") {
  Simulation simulation(small_drive({"simulation.data=stored"}));
  const CommandHandle done = simulation.start_write(0, page_of(1));
  simulation.wait(done);
  std::vector<CommandHandle> commands;
  for (unsigned k = 0; k < 40; ++k) commands.push_back(simulation.start_write(32 * k, page_of(2)));
  commands.push_back(simulation.start_read(0, 16384));
  simulation.run_until(simulation.now() + 20 * microsecond);
  simulation.power_cut();
  CHECK(done->status() == RequestStatus::ok);
  for (const CommandHandle& command : commands) {
    REQUIRE(command->done());
    CHECK(command->status() == RequestStatus::power_lost);
  }
  CHECK_FALSE(simulation.has_power());
  CHECK_THROWS_WITH(simulation.start_read(0, 512), ContainsSubstring("has no power"));
  CHECK_THROWS_AS(simulation.run(), RequestError);
  CHECK_THROWS_AS(simulation.power_cut(), RequestError);
  CHECK_THROWS_AS(simulation.checkpoint("nowhere"), RequestError);
  CHECK(simulation.requests().size() == commands.size() + 1);
  CHECK(figure(simulation, "host.all.errors") == static_cast<double>(commands.size()));
  CHECK(figure(simulation, "controller.power_loss.cuts") == 1);
  CHECK(figure(simulation, "controller.power_loss.unsafe_shutdowns") == 1);
}

TEST_CASE("requests of workloads end at a power cut, including those waiting in the driver") {
  Simulation simulation(
      small_drive({"host.workload.pacing=open", "host.workload.rate_iops=1000000", "host.workload.requests=2000000"}));
  std::uint64_t completed = 0;
  CHECK_FALSE(simulation.run([&](const Progress& progress) {
    completed = progress.completed;
    return false;
  }));
  simulation.power_cut();
  CHECK(simulation.requests().size() >= completed);
  const std::vector<std::uint8_t>& status = simulation.requests().status;
  const auto lost = std::count(status.begin(), status.end(), static_cast<std::uint8_t>(RequestStatus::power_lost));
  CHECK(figure(simulation, "host.all.errors") == static_cast<double>(lost));
}

TEST_CASE("a capacitor holds until answered writes are in the cells, within its hold-up time") {
  const std::string hold_up = GENERATE("50", "0.1");
  Simulation simulation(small_drive({"controller.cache.policy=write_back", "controller.cache.backup=capacitor",
                                     "controller.power_loss.hold_up_ms=" + hold_up}));
  for (unsigned k = 0; k < 50; ++k) simulation.write(32 * k, page_of(1));
  CHECK(figure(simulation, "controller.cache.dirty_units") > 0);
  const Tick cut = simulation.now();
  simulation.power_cut();
  const double held = figure(simulation, "controller.power_loss.hold_up_us");
  CHECK(held == Approx(us_from_ticks(simulation.now() - cut)));
  if (hold_up == "50") {
    CHECK(figure(simulation, "controller.cache.dirty_units") == 0);
    CHECK(held > 100);
    CHECK(held < 50'000);
  } else {
    CHECK(figure(simulation, "controller.cache.dirty_units") > 0);
    CHECK(held == Approx(100));
  }
}

TEST_CASE("without a capacitor the power is lost at once") {
  Simulation simulation(small_drive({"controller.power_loss.protection=none"}));
  simulation.write(0, page_of(1));
  const Tick cut = simulation.now();
  simulation.power_cut();
  CHECK(simulation.now() == cut);
  CHECK(figure(simulation, "controller.power_loss.hold_up_us") == 0);
}

TEST_CASE("a drive that is shut down has nothing left to write") {
  Simulation simulation(small_drive({"controller.cache.policy=write_back"}));
  for (unsigned k = 0; k < 50; ++k) simulation.write(32 * k, page_of(1));
  const CommandHandle write = simulation.start_write(0, page_of(2));
  CHECK_THROWS_AS(simulation.shut_down(), RequestError);
  simulation.wait(write);
  simulation.shut_down();
  CHECK_FALSE(simulation.has_power());
  CHECK(figure(simulation, "controller.cache.dirty_units") == 0);
  CHECK(figure(simulation, "controller.power_loss.cuts") == 1);
  CHECK(figure(simulation, "controller.power_loss.unsafe_shutdowns") == 0);
}

TEST_CASE("data age on the shelf, and a powered drive refreshes them in time") {
  const std::string policy = GENERATE("none", "period");
  const bool powered = GENERATE(false, true);
  const bool refreshes = powered && policy == "period";
  Simulation simulation(small_drive({"simulation.cells=statistical", "nand.condition.pe_cycles=1000",
                                     "controller.refresh.policy=" + policy, "host.workload.read_percent=100"}));
  const Tick before = simulation.now();
  constexpr double year = 365 * 24;
  simulation.advance(year, 30, powered);
  CHECK((simulation.now() > before) == refreshes);
  CHECK((figure(simulation, "controller.gc.refreshed_blocks") > 0) == refreshes);
  const double until_then = figure(simulation, "ecc.corrected_bits");
  REQUIRE(simulation.run());
  const double errors_after = figure(simulation, "ecc.corrected_bits") - until_then;
  Simulation young(
      small_drive({"simulation.cells=statistical", "nand.condition.pe_cycles=1000", "host.workload.read_percent=100"}));
  REQUIRE(young.run());
  const double errors_before = figure(young, "ecc.corrected_bits");
  CHECK((errors_after < 1.5 * errors_before) == refreshes);
}

TEST_CASE("heat makes data age faster") {
  const auto errors_at = [](double temperature_c) {
    Simulation simulation(small_drive(
        {"simulation.cells=statistical", "nand.condition.pe_cycles=1000", "host.workload.read_percent=100"}));
    simulation.advance(24 * 30, temperature_c, false);
    REQUIRE(simulation.run());
    return figure(simulation, "ecc.corrected_bits");
  };
  CHECK(errors_at(55) > 1.1 * errors_at(30));
  CHECK_THROWS_AS(Simulation(small_drive()).advance(-1, 30, false), RequestError);
}

TEST_CASE("much older data have more errors") {
  const auto errors = [](const std::string& ages) {
    Simulation simulation(
        small_drive({"simulation.cells=statistical", "nand.condition.pe_cycles=1000", "host.workload.read_percent=100",
                     "controller.precondition.ages=" + ages, "controller.precondition.distribution=steady_state",
                     "controller.precondition.drive_writes_per_day=0.01"}));
    REQUIRE(simulation.run());
    return figure(simulation, "ecc.corrected_bits");
  };
  CHECK(errors("spread") > 1.05 * errors("uniform"));
}

TEST_CASE("flushed data survive a power loss, and with a capacitor unflushed data too") {
  const std::string protection = GENERATE("none", "capacitor");
  const std::string cache = GENERATE("none", "write_back");
  Simulation simulation(small_drive({"simulation.data=stored", "controller.power_loss.protection=" + protection,
                                     "controller.cache.policy=" + cache, "controller.cache.backup=capacitor"}));
  for (unsigned k = 0; k < 40; ++k) simulation.write(32 * k, page_of(static_cast<int>(k)));
  simulation.trim(32 * 3, 32);
  if (protection == "none") simulation.flush();
  for (unsigned k = 0; k < 8; ++k) simulation.start_write(32 * (100 + k), page_of(9));
  simulation.run_until(simulation.now() + 50 * microsecond);
  const Tick before = simulation.now();
  simulation.power_cut();
  simulation.power_on();
  CHECK(simulation.now() > before);
  CHECK(figure(simulation, "controller.power_loss.recovery_us") > 0);
  std::vector<std::byte> data(16384);
  for (unsigned k = 0; k < 40; ++k) {
    simulation.read(32 * k, data);
    CHECK(data == page_of(k == 3 ? 0 : static_cast<int>(k)));
  }
  CHECK(simulation.smart_log().at("power_cycles").number() == 2);
  CHECK(simulation.smart_log().at("unsafe_shutdowns").number() == 1);
  CHECK(simulation.smart_log().at("host_write_commands").number() >= 40);
  REQUIRE(simulation.run());
}

TEST_CASE("a drive that was shut down returns with all its data, aged by its time on the shelf") {
  Simulation simulation(small_drive({"simulation.data=stored", "simulation.cells=statistical"}));
  for (unsigned k = 0; k < 40; ++k) simulation.write(32 * k, page_of(static_cast<int>(k)));
  simulation.shut_down();
  CHECK_THROWS_AS(simulation.advance(24, 30, true), RequestError);
  simulation.advance(24 * 7, 40, false);
  simulation.power_on();
  CHECK_THROWS_AS(simulation.power_on(), RequestError);
  std::vector<std::byte> data(16384);
  for (unsigned k = 0; k < 40; ++k) {
    simulation.read(32 * k, data);
    CHECK(data == page_of(static_cast<int>(k)));
  }
  CHECK(simulation.smart_log().at("unsafe_shutdowns").number() == 0);
  CHECK(simulation.smart_log().at("power_cycles").number() == 2);
}

TEST_CASE("a drive whose block fails keeps its data") {
  Simulation simulation(small_drive({"simulation.data=stored"}));
  CHECK_THROWS_AS(simulation.media()->fail_next(DieId(99), NandOperation::program, 1), RequestError);
  CHECK_THROWS_AS(simulation.media()->fail_block(BlockId(1'000'000)), RequestError);
  simulation.media()->fail_next(DieId(0), NandOperation::program, 1);
  for (unsigned k = 0; k < 200; ++k) simulation.write(32 * k, page_of(static_cast<int>(k)));
  CHECK(figure(simulation, "controller.failed_programs") == 1);
  std::vector<std::byte> data(16384);
  for (unsigned k = 0; k < 200; ++k) {
    simulation.read(32 * k, data);
    CHECK(data == page_of(static_cast<int>(k)));
  }
}

}  // namespace
}  // namespace nandscape
