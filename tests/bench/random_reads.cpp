// SPDX-License-Identifier: Apache-2.0
// Measures the simulation speed of random reads on the whole path from host to cells. This is the random-read figure of
// `nandscape bench`, here without Python so that it can be profiled.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "platform/simulation/simulation.h"

int main(int argc, char** argv) {
  using namespace nandscape;
  const int read_percent = argc > 1 ? std::atoi(argv[1]) : 100;
  const int requests = argc > 2 ? std::atoi(argv[2]) : 1'000'000;
  const std::string cells = argc > 3 ? argv[3] : "ideal";
  Simulation simulation(load_configuration("retry_tlc_512g", {{"controller.precondition.occupancy", 1.0},
                                                              {"simulation.request_log", false},
                                                              {"simulation.cells", cells},
                                                              {"nand.condition.pe_cycles", 0},
                                                              {"nand.condition.retention_days", 0},
                                                              {"host.workload.block_bytes", 16384},
                                                              {"host.workload.read_percent", read_percent},
                                                              {"host.workload.queue_depth", 64},
                                                              {"host.workload.requests", requests}}));
  simulation.run();
  const Value statistics = simulation.statistics();
  const double wall_s = statistics.at("simulation.wall_s").number();
  std::printf("%.0f pages/s, %.0f ns and %.2f events per page; simulated %.0f pages/s\n", requests / wall_s,
              wall_s / requests * 1e9, statistics.at("simulation.events").number() / requests,
              statistics.at("host.iops").number());
}
