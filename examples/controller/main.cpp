// SPDX-License-Identifier: Apache-2.0
// Sends the same commands to two drives: one with this example's controller in front of nandscape's channels, ECC
// engines and dies, and one with nandscape's controller. Prints the latency of each command on both drives. Fails if
// latencies differ or a read returns wrong data. Then runs a workload on the first drive.
//
//   controller [quantum_us [configuration]]
#include <array>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "log_controller.h"
#include "platform/config/configuration.h"
#include "platform/config/data_folder.h"
#include "platform/simulation/simulation.h"

namespace {

using namespace nandscape;

struct Step {
  bool write;  // else read
  std::uint64_t page;
};
constexpr std::array<Step, 7> steps{{{true, 0}, {true, 1}, {false, 0}, {false, 1}, {true, 0}, {false, 0}, {false, 7}}};
constexpr std::uint64_t page_sectors = 32;

std::vector<std::byte> pattern(std::size_t step) {
  return std::vector<std::byte>(page_sectors * sector_bytes, std::byte(step + 1));
}

Configuration configuration_of(const std::string& file, const std::string& quantum_us, const std::string& drive) {
  return load_configuration(file, {parse_override("simulation.quantum_us=" + quantum_us),
                                   parse_override("simulation.blocks.drive.kind=" + drive)});
}

// Runs the steps and returns the latency of each. Sets `right` to false if a read returns outdated data.
std::vector<Tick> latencies_of(const Configuration& configuration, bool& right) {
  Simulation simulation(configuration);
  std::vector<Tick> latencies;
  std::array<std::vector<std::byte>, 8> pages;  // the data that were last written to each page
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const std::uint64_t lba = steps[k].page * page_sectors;
    std::vector<std::byte>& expected = pages[steps[k].page];
    if (steps[k].write) {
      expected = pattern(k);
      latencies.push_back(simulation.write(lba, expected));
    } else {
      expected.resize(page_sectors * sector_bytes);
      std::vector<std::byte> data(expected.size());
      latencies.push_back(simulation.read(lba, data));
      right = right && data == expected;
    }
  }
  return latencies;
}

int compare(const std::string& quantum_us, const std::string& file) {
  set_data_folder(NANDSCAPE_DATA_FOLDER);
  drives().add<LogDrive>("log", "a controller that writes until the flash is full");
  bool right = true;
  const std::vector<Tick> theirs = latencies_of(configuration_of(file, quantum_us, "built_in"), right);
  const std::vector<Tick> ours = latencies_of(configuration_of(file, quantum_us, "log"), right);
  std::printf("%-8s %14s %14s\n", "step", "nandscape's ps", "this one's ps");
  for (std::size_t k = 0; k < ours.size(); ++k) {
    std::printf("%-5s %2llu %14llu %14llu\n", steps[k].write ? "write" : "read",
                static_cast<unsigned long long>(steps[k].page), static_cast<unsigned long long>(theirs[k]),
                static_cast<unsigned long long>(ours[k]));
  }
  if (!right) std::puts("What was read is not what was written.");
  std::puts(ours == theirs ? "The same ticks." : "The ticks differ.");

  Simulation simulation(configuration_of(file, quantum_us, "log"));
  simulation.run();
  std::printf("The workload: %.0f requests, mean latency %.3f us, %.0f pages programmed.\n",
              simulation.statistics().at("host.all.count").number(),
              simulation.statistics().at("host.all.latency_us.mean").number(),
              simulation.statistics().at("nand.page_programs").number());
  return right && ours == theirs ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char** argv) {
  try {
    return compare(argc > 1 ? argv[1] : "1000", argc > 2 ? argv[2] : "drive.yaml");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "controller: %s\n", error.what());
    return 1;
  }
}
