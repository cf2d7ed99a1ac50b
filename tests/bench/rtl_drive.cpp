// SPDX-License-Identifier: Apache-2.0
// Measures how much slower a whole drive is with the ECC engine in SystemVerilog than with the codec in C++, on a
// random workload of 70 % reads and 30 % writes. Processor time is measured, so that other programs have little
// influence.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "platform/simulation/simulation.h"

namespace {

using namespace nandscape;

// Returns the processor time per request in microseconds.
double time_of(const std::string& engine, int pe_cycles, int requests) {
  Simulation simulation(load_configuration("bare", {{"simulation.data", "stored"},
                                                    {"simulation.cells", "statistical"},
                                                    {"simulation.request_log", false},
                                                    {"simulation.blocks.ecc_engine.kind", engine},
                                                    {"ecc.decoder", "bit_true"},
                                                    {"ecc.codec", "bch"},
                                                    {"ecc.codeword_bytes", 1024},
                                                    {"ecc.correctable_bits", 72},
                                                    {"channel.count", 2},
                                                    {"nand.geometry.chips_per_channel", 1},
                                                    {"nand.geometry.blocks_per_plane", 24},
                                                    {"nand.geometry.pages_per_block", 96},
                                                    {"nand.geometry.page_bytes", 16384},
                                                    {"nand.condition.pe_cycles", pe_cycles},
                                                    {"controller.mapping.over_provisioning", 0.5},
                                                    {"host.workload.read_percent", 70},
                                                    {"host.workload.pattern", "uniform"},
                                                    {"host.workload.block_bytes", 4096},
                                                    {"host.workload.queue_depth", 16},
                                                    {"host.workload.requests", requests}}));
  const std::clock_t start = std::clock();
  simulation.run();
  return 1e6 * static_cast<double>(std::clock() - start) / static_cast<double>(CLOCKS_PER_SEC) / requests;
}

}  // namespace

int main(int argc, char** argv) {
  const int requests = argc > 1 ? std::atoi(argv[1]) : 2000;
  for (const int pe_cycles : {0, 1000}) {
    const double codec = time_of("built_in", pe_cycles, requests);
    const double designs = time_of("rtl", pe_cycles, requests);
    std::printf("%4d program-erase cycles: codec %7.1f us a request, designs %8.1f us, %.1f times as much\n", pe_cycles,
                codec, designs, designs / codec);
  }
  return 0;
}
