// SPDX-License-Identifier: Apache-2.0
// Compares the whole machine with another simulator, MQSim: mean latencies and throughput at three queue depths, for
// three mixes of reads and writes, in three families of parameters. The folder mqsim/ contains the simulated device and
// MQSim's results. scenarios/validation/mqsim_agreement.py prints the figures of both simulators.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.h"
#include "scenario.h"

namespace nandscape {
namespace {

const std::filesystem::path folder = std::filesystem::path(NANDSCAPE_SOURCE_FOLDER) / "tests/fidelity/mqsim";

struct Figures {
  unsigned queue_depth = 0;
  unsigned read_percent = 0;
  double mean_read_us = 0;   // 0 if there are no reads
  double mean_write_us = 0;  // 0 if there are no writes
  double iops = 0;
};

// Returns the lines of figures.csv that start with `begin`. These lines are the figures of one family of parameters.
std::vector<Figures> figures_of(const std::string& begin) {
  std::ifstream file(folder / "figures.csv");
  std::vector<Figures> found;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(begin)) continue;
    std::istringstream columns(line.substr(begin.size()));
    Figures f;
    char comma = 0;
    columns >> f.queue_depth >> comma >> f.read_percent >> comma >> f.mean_read_us >> comma >> f.mean_write_us >>
        comma >> f.iops;
    REQUIRE(!columns.fail());
    found.push_back(f);
  }
  REQUIRE(found.size() == 9);
  return found;
}

// In longer runs, with four times as many requests, every figure agrees with MQSim within 0.6 %. The runs of this test
// are shorter to save time, so chance has more influence. It is largest for the writes of a mixed workload at queue
// depth 64, whose sampling error is below 1.5 % in 95 of 100 runs (1.1 % was measured). The tolerance is twice this
// bound.
constexpr double tolerance = 0.03;

void compare(const char* name, double ours, double theirs) {
  const double deviation = ours / theirs - 1;
  char text[128];
  std::snprintf(text, sizeof text, "%-18s ours %10.3f   MQSim %10.3f   %+.2f %%", name, ours, theirs, 100 * deviation);
  INFO(text);
  CHECK(std::abs(deviation) < tolerance);
}

void compare_family(const std::string& begin, const std::string& planes, const std::string& t_read_us) {
  const Value device = read_yaml_file(folder / "device.yaml");
  for (const Figures& theirs : figures_of(begin)) {
    DYNAMIC_SECTION("queue depth " << theirs.queue_depth << ", " << theirs.read_percent << " % reads") {
      // Leaves out the requests at the start and at the end, while the queue fills or drains.
      const std::size_t requests = theirs.queue_depth == 1 ? 20'000 : 100'000;
      const std::size_t settled = theirs.queue_depth * std::size_t{20};
      std::vector<Override> overrides;
      for (const std::string& assignment :
           {"nand.geometry.planes_per_die=" + planes, "nand.timing.t_read_us=" + t_read_us,
            "host.workload.queue_depth=" + std::to_string(theirs.queue_depth),
            "host.workload.read_percent=" + std::to_string(theirs.read_percent),
            "host.workload.requests=" + std::to_string(requests)}) {
        overrides.push_back(parse_override(assignment));
      }
      Simulation simulation(resolve_configuration(device, overrides));
      REQUIRE(simulation.run());

      const SteadyState ours(simulation.requests(), settled, requests - theirs.queue_depth);
      if (theirs.mean_read_us != 0) compare("mean read, us", ours.mean_read_us, theirs.mean_read_us);
      if (theirs.mean_write_us != 0) compare("mean write, us", ours.mean_write_us, theirs.mean_write_us);
      compare("throughput, 1/s", ours.iops, theirs.iops);
      CHECK(simulation.statistics().at("controller.gc.victims") == Value(0));
    }
  }
}

TEST_CASE("agreement with MQSim, pages of three read times on two planes") {
  compare_family("2,78 117 78,", "2", "[78, 117, 78]");
}

TEST_CASE("agreement with MQSim, pages of one read time on two planes") {
  compare_family("2,90 90 90,", "2", "[90, 90, 90]");
}

TEST_CASE("agreement with MQSim, pages of one read time on one plane") {
  compare_family("1,90 90 90,", "1", "[90, 90, 90]");
}

}  // namespace
}  // namespace nandscape
