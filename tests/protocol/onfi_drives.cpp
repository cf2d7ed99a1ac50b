// SPDX-License-Identifier: Apache-2.0
// Tests whole drives whose dies are connected at ONFI pins. They must return the same data as the built-in drive in any
// timing mode, through garbage collection and power losses. After a power loss, the drive rebuilds its state from the
// spare bytes. A setting that cannot be transferred over the pins must be refused, with its key, when the drive is
// built.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "platform/simulation/simulation.h"
#include "unit/platform/temporary_folder.h"

namespace nandscape {
namespace {

using Settings = std::vector<std::string>;

// Returns a drive with small pages, because the pins are simulated byte by byte. The spare bytes of a page hold 14
// bytes of parity, 8 bytes of CRCs, and 20 bytes of the tag.
Configuration drive(const Settings& settings) {
  std::vector<Override> overrides;
  for (const char* assignment : {"channel.count=1",
                                 "nand.geometry.chips_per_channel=1",
                                 "nand.geometry.dies_per_chip=2",
                                 "nand.geometry.planes_per_die=2",
                                 "nand.geometry.blocks_per_plane=12",
                                 "nand.geometry.pages_per_block=6",
                                 "nand.geometry.page_bytes=1024",
                                 "nand.geometry.spare_bytes=44",
                                 "controller.mapping.over_provisioning=1.1",
                                 "controller.scheduler.suspend=none",
                                 "controller.power_loss.protection=none",
                                 "controller.power_loss.mapping_checkpoints=false",
                                 "ecc.codec=bch",
                                 "ecc.decoder=bit_true",
                                 "ecc.codeword_bytes=512",
                                 "ecc.correctable_bits=4",
                                 "simulation.data=stored",
                                 "simulation.request_log=true",
                                 "host.workload.block_bytes=1024",
                                 "host.workload.read_percent=70",
                                 "host.workload.requests=400",
                                 "host.workload.queue_depth=4"}) {
    overrides.push_back(parse_override(assignment));
  }
  for (const std::string& assignment : settings) overrides.push_back(parse_override(assignment));
  return load_configuration("bare", overrides);
}

Settings at_pins(Settings settings = {}) {
  settings.insert(settings.begin(), "simulation.blocks.die.kind=onfi_pins");
  return settings;
}

std::vector<std::byte> page_of(int value) { return std::vector<std::byte>(1024, static_cast<std::byte>(value)); }

// Reads the whole drive and returns its data.
std::vector<std::byte> contents(Simulation& simulation) {
  std::vector<std::byte> data(simulation.capacity_bytes());
  simulation.read(0, data);
  return data;
}

double statistic(const Simulation& simulation, const char* path) { return simulation.statistics().at(path).number(); }

// All data of the drive after a load that causes garbage collection, and again after a power loss.
struct Outcome {
  std::vector<std::byte> before, after;
  double erases = 0;
  double scanned_pages = 0;
};

Outcome outcome_of(const Settings& settings) {
  Outcome outcome;
  Simulation simulation(drive(settings));
  CHECK(simulation.run());
  outcome.erases = statistic(simulation, "nand.block_erases");
  for (int page = 0; page < 5; ++page) simulation.write(2 * page, page_of(page + 1));
  simulation.flush();
  outcome.before = contents(simulation);
  simulation.power_cut();
  simulation.power_on();
  outcome.scanned_pages = statistic(simulation, "controller.recovery.scanned_pages");
  outcome.after = contents(simulation);
  return outcome;
}

TEST_CASE("onfi drives: a load with collection gives the same bytes as on the built-in dies") {
  const Outcome ours = outcome_of({});
  REQUIRE(ours.erases > 20);
  const Outcome pins = outcome_of(at_pins());
  CHECK((pins.before == ours.before));
  CHECK((pins.after == pins.before));
  CHECK(pins.erases > 20);
  CHECK(pins.scanned_pages > 100);
}

TEST_CASE("onfi drives: every interface, and both ways to find a die ready") {
  const Settings few = {"host.workload.requests=60"};
  const Outcome ours = outcome_of(few);
  Settings settings = at_pins(few);
  SECTION("SDR") {
    settings.emplace_back("simulation.blocks.die.interface=sdr");
    settings.emplace_back("simulation.blocks.die.timing_mode=4");
  }
  SECTION("READ STATUS") {
    settings.emplace_back("simulation.blocks.die.ready=status");
    settings.emplace_back("simulation.blocks.die.poll_interval_us=2");
  }
  SECTION("another decoder, so that only tags are in the spare bytes") {
    settings.emplace_back("ecc.decoder=threshold");
  }
  SECTION("copyback") { settings.emplace_back("controller.garbage_collection.copyback=true"); }
  const Outcome pins = outcome_of(settings);
  CHECK((pins.before == ours.before));
  CHECK((pins.after == pins.before));
}

// After a power loss in the middle of writes, flushed data must be intact. A page whose write had not completed must
// hold its old data or its new data.
TEST_CASE("onfi drives: power losses in the middle of programs and erases") {
  Simulation simulation(drive(at_pins()));
  std::vector<int> flushed(20, 0);
  int value = 0;
  for (int cut = 0; cut < 4; ++cut) {
    for (int page = 0; page < 20; ++page) {
      flushed[page] = ++value;
      simulation.start_write(2 * page, page_of(value));
    }
    simulation.wait_all();
    simulation.flush();
    std::vector<int> asked = flushed;
    for (int page = 0; page < 20; page += 3) {
      asked[page] = ++value;
      simulation.start_write(2 * page, page_of(value));
    }
    simulation.run_until(simulation.now() + (137 + 293 * cut) * microsecond);
    simulation.power_cut();
    simulation.power_on();
    for (int page = 0; page < 20; ++page) {
      std::vector<std::byte> data(1024);
      simulation.read(2 * page, data);
      CAPTURE(cut, page);
      CHECK((data == page_of(flushed[page]) || data == page_of(asked[page])));
    }
  }
}

TEST_CASE("onfi drives: trims are durable, in pages whose tag is longer than the spare bytes") {
  Simulation simulation(drive(at_pins()));
  for (int page = 0; page < 6; ++page) simulation.write(2 * page, page_of(7));
  simulation.trim(2, 4);
  simulation.flush();
  REQUIRE(statistic(simulation, "controller.recovery.journal_pages") > 0);
  const std::vector<std::byte> before = contents(simulation);
  CHECK(std::all_of(before.begin() + 1024, before.begin() + 3072, [](std::byte byte) { return byte == std::byte{}; }));
  simulation.power_cut();
  simulation.power_on();
  CHECK((contents(simulation) == before));
}

TEST_CASE("onfi drives: cells with errors and a bit-true decoder") {
  const Settings errors = {"simulation.cells=statistical",  "nand.cells.read_levels.retry_steps=0",
                           "nand.condition.pe_cycles=2500", "host.workload.requests=60",
                           "ecc.correctable_bits=16",       "nand.geometry.spare_bytes=80"};
  Simulation simulation(drive(at_pins(errors)));
  CHECK(simulation.run());
  CHECK(statistic(simulation, "ecc.corrected_bits") > 100);
  CHECK(statistic(simulation, "ecc.failed_decodes") == 0);
  simulation.write(8, page_of(9));
  std::vector<std::byte> data(1024);
  simulation.read(8, data);
  CHECK((data == page_of(9)));
}

TEST_CASE("onfi drives: data survive a shutdown") {
  Simulation simulation(drive(at_pins({"host.workload.requests=40"})));
  CHECK(simulation.run());
  const std::vector<std::byte> before = contents(simulation);
  simulation.shut_down();
  simulation.power_on();
  CHECK((contents(simulation) == before));
}

// Returns the latency of an access to one page on an idle drive. Several accesses are made and only the last is
// measured, because the first command to each die waits for RESET and SET FEATURES.
double idle_us(const Settings& settings, bool write) {
  Simulation simulation(drive(settings));
  std::vector<std::byte> page = page_of(1);
  Tick latency = 0;
  for (int k = 0; k < 8; ++k) {
    latency = write ? simulation.write(2 * k, page) : simulation.read(2 * k, page);
  }
  return us_from_ticks(latency);
}

// The channel in this comparison has the rates of NV-DDR mode 5: 200 MT/s, and one command or address cycle every 5
// periods of CLK. At the pins, a read needs about 100 more CLK cycles of 10 ns. The player selects and deselects the
// die at each of its turns, sends the column address again when a page is ready (06h-E0h, tCCS), and transfers the tag.
TEST_CASE("onfi drives: idle latencies are those of a channel of the same rate, except for overhead of the pins") {
  const Settings as_fast = {"channel.interface=nv_ddr2", "channel.rate_mt_s=200", "channel.t_cycle_ns=50",
                            "channel.t_adl_ns=400"};
  const double read = idle_us(at_pins(), false) - idle_us(as_fast, false);
  const double write = idle_us(at_pins(), true) - idle_us(as_fast, true);
  CAPTURE(read, write);
  CHECK(read > 0.5);
  CHECK(read < 1.5);
  CHECK(write > -0.3);
  CHECK(write < 0.7);
}

TEST_CASE("onfi drives: cache reads of one plane return the data written") {
  const Settings settings = at_pins({"controller.scheduler.cache_read=true", "controller.scheduler.multi_plane=false"});
  const Outcome pins = outcome_of(settings);
  const Outcome built_in = outcome_of({});
  CHECK(pins.before == built_in.before);
  CHECK(pins.after == built_in.after);
}

TEST_CASE("onfi drives: a setting that wires do not carry is refused with its key") {
  const auto refused = [](const Settings& settings, const char* key, const char* what) {
    CAPTURE(key);
    const Configuration configuration = drive(at_pins(settings));
    CHECK_THROWS_WITH(Simulation(configuration), ContainsSubstring(std::string(key) + ":") && ContainsSubstring(what));
  };
  refused({"simulation.data=none", "ecc.decoder=threshold"}, "simulation.data", "set simulation.data to stored");
  refused({"controller.scheduler.suspend=erase"}, "controller.scheduler.suspend", "suspend to none");
  refused({"controller.scheduler.cache_read=true"}, "controller.scheduler.cache_read", "multi_plane to false");
  refused({"nand.geometry.spare_bytes=41"}, "nand.geometry.spare_bytes", "make it 42 or more");
  const Settings aged = {"simulation.cells=statistical"};
  const auto with = [&](std::initializer_list<const char*> more) {
    Settings settings = aged;
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
  };
  refused(with({"ecc.decoder=threshold"}), "ecc.decoder", "set ecc.decoder to bit_true");
  refused(aged, "nand.cells.read_levels.retry_steps", "retry_steps to 0");
  refused(with({"controller.read_retry.policy=none"}), "controller.read_retry.policy", "best levels");
  refused(with({"nand.cells.read_levels.retry_steps=0", "nand.cells.failures.factory_bad_fraction=0.1"}),
          "nand.cells.failures.factory_bad_fraction", "factory_bad_fraction to 0");
}

// Returns the times of all changes in a VCD file.
std::vector<Tick> times_of(const std::filesystem::path& path) {
  std::vector<Tick> times;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) times.push_back(std::stoull(line.substr(1)));
  }
  return times;
}

TEST_CASE("drives at ONFI pins write the waves of a window, in new files after each power-up") {
  const TemporaryFolder folder;
  const Settings waves = {"simulation.waves.file=" + (folder.path() / "run.vcd").string(),
                          "simulation.waves.begin_us=400", "simulation.waves.end_us=900"};
  Simulation simulation(drive(at_pins(waves)));
  simulation.write(0, page_of(1));
  simulation.flush();
  REQUIRE(simulation.now() > 500 * microsecond);
  simulation.power_cut();
  const Tick cut = simulation.now();
  simulation.power_on();
  std::vector<std::byte> data(1024);
  simulation.read(0, data);

  const std::vector<Tick> times = times_of(folder.path() / "run.nand_0_0.vcd");
  REQUIRE(times.size() > 1000);
  CHECK(times.front() == 400 * microsecond);
  CHECK(times.back() < std::min(cut, 900 * microsecond));
  CHECK(std::is_sorted(times.begin(), times.end()));
  const auto written = std::distance(std::filesystem::directory_iterator(folder.path()), {});
  CHECK(written == (cut < 900 * microsecond ? 4 : 2));
}

TEST_CASE("waves that no block can write are refused, and so is an empty window") {
  const auto build = [](const Settings& settings) { Simulation simulation(drive(settings)); };
  CHECK_THROWS_WITH(build({"simulation.waves.file=run.vcd"}),
                    ContainsSubstring("simulation.waves.file") && ContainsSubstring("onfi_pins"));
  CHECK_THROWS_WITH(build(at_pins({"simulation.waves.file=run.fst"})), ContainsSubstring("run.fst"));
  CHECK_THROWS_WITH(build(at_pins({"simulation.waves.file=run.vcd", "simulation.waves.end_us=0"})),
                    ContainsSubstring("simulation.waves.end_us"));
  CHECK_THROWS_WITH(build(at_pins({"simulation.waves.file=/nowhere/run.vcd"})),
                    ContainsSubstring("/nowhere/run.nand_0_0.vcd"));
}

}  // namespace
}  // namespace nandscape
