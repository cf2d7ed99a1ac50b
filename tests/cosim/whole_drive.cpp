// SPDX-License-Identifier: Apache-2.0
// Compares two whole drives: one has its ECC decoder and encoder in SystemVerilog, the other has the codec in C++. Both
// must read the same bytes and make the same read-retry decisions. Only the latencies may differ, by the clock cycles
// of the designs.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "core/random.h"
#include "platform/simulation/simulation.h"
#include "unit/platform/drives.h"
#include "unit/platform/temporary_folder.h"

namespace nandscape {
namespace {

constexpr std::size_t page = 16384;

// Returns a drive with worn cells. Many of its reads need retries, and many others have dozens of errors to correct.
Configuration worn_drive(const std::string& engine, std::vector<std::string> settings = {}) {
  const std::vector<std::string> all = {"simulation.data=stored",
                                        "simulation.cells=statistical",
                                        "ecc.decoder=bit_true",
                                        "ecc.codec=bch",
                                        "ecc.codeword_bytes=1024",
                                        "ecc.correctable_bits=72",
                                        "nand.geometry.page_bytes=16384",
                                        "nand.condition.pe_cycles=1000",
                                        "controller.precondition.occupancy=0",
                                        "simulation.blocks.ecc_engine.kind=" + engine};
  settings.insert(settings.begin(), all.begin(), all.end());
  return small_drive(settings);
}

struct Read {
  std::vector<std::byte> data;
  bool failed;
  bool operator==(const Read&) const = default;
};

struct Outcome {
  std::vector<Read> reads;
  double retry_steps;
  double corrected_bits;
  double failed_decodes;
  double page_reads;
  bool operator==(const Outcome&) const = default;
};

// The outcome of a run, and the latency of each of its reads.
struct Run {
  Outcome outcome;
  std::vector<Tick> latencies;
};

Run run_of(const Configuration& configuration, int requests) {
  Simulation simulation(configuration);
  RandomStream random(7, "cosim");
  const std::uint64_t pages = 64;
  std::vector<std::byte> data(page);
  for (std::uint64_t p = 0; p < pages; ++p) {
    for (std::byte& byte : data) byte = static_cast<std::byte>(random.below(256));
    simulation.write(p * page / sector_bytes, data);
  }
  simulation.flush();
  simulation.advance(12, 40, false);
  Run run{};
  Outcome& outcome = run.outcome;
  for (int k = 0; k < requests; ++k) {
    Read& read = outcome.reads.emplace_back(Read{std::vector<std::byte>(1024), false});
    const std::uint64_t lba = 2 * random.below(pages * page / 1024);
    const Tick begin = simulation.now();
    try {
      simulation.read(lba, read.data);
    } catch (const RequestError&) {
      read.failed = true;
    }
    run.latencies.push_back(simulation.now() - begin);
  }
  const Value statistics = simulation.statistics();
  outcome.retry_steps = statistics.at("controller.read_retry.steps").number();
  outcome.corrected_bits = statistics.at("ecc.corrected_bits").number();
  outcome.failed_decodes = statistics.at("ecc.failed_decodes").number();
  outcome.page_reads = statistics.at("nand.page_reads").number();
  return run;
}

// Runs the drive with the codec in C++, which is set to need almost no simulated time.
Run run_of_codec(int requests) {
  return run_of(worn_drive("built_in", {"ecc.t_decode_us=0", "ecc.decode_mb_s=1000000"}), requests);
}

Run run_of_designs(const std::string& clock_mhz, int requests) {
  return run_of(worn_drive("rtl", {"simulation.blocks.ecc_engine.clock_mhz=" + clock_mhz}), requests);
}

TEST_CASE("the drive with the RTL engine gives the same bytes and retries on 10,000 requests") {
  constexpr int requests = 10'000;
  const Run codec = run_of_codec(requests);
  CHECK(codec.outcome.retry_steps > 0.3);
  CHECK(codec.outcome.retry_steps < 2);
  CHECK(codec.outcome.failed_decodes > 3000);
  CHECK(codec.outcome.corrected_bits > 3 * requests);
  const Run designs = run_of_designs("400", requests);
  CHECK(designs.outcome == codec.outcome);

  // Each request reads one codeword. A decode lasts as long as one frame needs in the decoder: 273 cycles without
  // errors, up to 1400 cycles with 72 errors.
  const double decodes = requests + codec.outcome.failed_decodes;
  double cycles = 0;
  for (int k = 0; k < requests; ++k)
    cycles += static_cast<double>(designs.latencies[k] - codec.latencies[k]) / microsecond * 400;
  CHECK(cycles / decodes > 273);
  CHECK(cycles / decodes < 1450);
}

TEST_CASE("the time of reads with their retries differs only by the cycles of the designs") {
  constexpr int requests = 2000;
  const Run codec = run_of_codec(requests);
  const Run fast = run_of_designs("400", requests);
  const Run slow = run_of_designs("100", requests);
  REQUIRE(fast.outcome == codec.outcome);
  REQUIRE(slow.outcome == codec.outcome);
  // The latency of a read minus the clock cycles of the designs must be the same at both frequencies, and equal to the
  // latency with the C++ codec.
  int with_retries = 0;
  for (int k = 0; k < requests; ++k) {
    const auto cycles = static_cast<Tick>(
        std::llround(static_cast<double>(slow.latencies[k] - fast.latencies[k]) / (10 - 2.5) / nanosecond));
    const Tick at_400 = fast.latencies[k] - cycles * 5 * nanosecond / 2;
    const Tick at_100 = slow.latencies[k] - cycles * 10 * nanosecond;
    REQUIRE(at_400 == at_100);
    REQUIRE(cycles >= 273);
    // The C++ codec is set to need about a nanosecond per decode.
    REQUIRE(at_400 <= codec.latencies[k]);
    REQUIRE(codec.latencies[k] - at_400 < 30 * nanosecond);
    with_retries += cycles > 1500 ? 1 : 0;  // more cycles than one decode needs
  }
  CHECK(with_retries > requests / 20);
}

TEST_CASE("the time of the RTL engine is its clock cycles") {
  // Reads one codeword without errors, so the latency contains the cycles of decoding one frame without errors.
  const auto latency = [](const char* engine, const char* mhz) {
    std::vector<std::string> settings = {"simulation.cells=ideal", "ecc.t_decode_us=0", "ecc.decode_mb_s=1000000"};
    if (std::string(engine) == "rtl") settings.push_back(std::string("simulation.blocks.ecc_engine.clock_mhz=") + mhz);
    Simulation simulation(worn_drive(engine, settings));
    simulation.write(0, page_of(1));
    simulation.flush();
    std::vector<std::byte> data(1024);
    return simulation.read(0, data);
  };
  const Tick none = latency("built_in", "");
  const Tick at_100 = latency("rtl", "100") - none, at_200 = latency("rtl", "200") - none;
  CHECK(at_100 > 2 * microsecond);
  CHECK(static_cast<double>(at_100) / static_cast<double>(at_200) == Approx(2).epsilon(0.02));
}

TEST_CASE("a setting that wires cannot carry is refused with its key") {
  const auto drive = [](std::vector<std::string> settings) {
    return Simulation(worn_drive("rtl", std::move(settings)));
  };
  CHECK_THROWS_WITH(drive({"ecc.decoder=threshold"}),
                    ContainsSubstring("ecc.decoder") && ContainsSubstring("bit_true"));
  CHECK_THROWS_WITH(drive({"ecc.decoder=threshold", "simulation.data=none"}), ContainsSubstring("simulation.data"));
  CHECK_THROWS_WITH(drive({"ecc.correctable_bits=60"}), ContainsSubstring("72 bits"));
}

TEST_CASE("a drive with RTL survives power cycles and refuses checkpoints") {
  const TemporaryFolder folder;
  Simulation simulation(worn_drive("rtl"));
  simulation.write(64, page_of(3));
  simulation.flush();
  CHECK_THROWS_WITH(simulation.checkpoint((folder.path() / "c").string()),
                    ContainsSubstring("rtl") && ContainsSubstring("simulation.blocks.ecc_engine"));
  std::vector<std::byte> data(page);
  simulation.start_read(64, page);
  simulation.run_until(simulation.now() + 90 * microsecond);  // the decoder may be busy at this time
  simulation.power_cut();
  simulation.power_on();
  simulation.read(64, data);
  CHECK(data == page_of(3));
}

TEST_CASE("the waves of each design are written to its own file, within their window") {
  const TemporaryFolder folder;
  const std::string waves = (folder.path() / "run.fst").string();
  {
    Simulation simulation(worn_drive("rtl", {"simulation.waves.file=" + waves, "simulation.waves.end_us=1000000"}));
    simulation.write(0, page_of(1));
    simulation.flush();
  }
  CHECK(std::filesystem::file_size(folder.path() / "run.ecc_0_encoder.fst") > 1000);
  CHECK_THROWS_WITH(Simulation(worn_drive("rtl", {"simulation.waves.file=run.txt"})),
                    ContainsSubstring("run.txt") && ContainsSubstring(".fst"));
}

TEST_CASE("the error for a misspelt key of the engine suggests the right key") {
  CHECK_THROWS_WITH(worn_drive("rtl", {"simulation.blocks.ecc_engine.clock_mzh=1"}), ContainsSubstring("clock_mhz"));
}

}  // namespace
}  // namespace nandscape
