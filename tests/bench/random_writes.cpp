// SPDX-License-Identifier: Apache-2.0
// Measures the simulation speed of random writes with garbage collection in its steady state. This is the figure of
// `nandscape bench`, here without Python so that it can be profiled. Over-provisioning is an argument, because it
// determines how many pages are moved for each page that the host writes.
#include <cstdio>
#include <cstdlib>

#include "platform/simulation/simulation.h"

int main(int argc, char** argv) {
  using namespace nandscape;
  const int requests = argc > 1 ? std::atoi(argv[1]) : 500'000;
  const double over_provisioning = argc > 2 ? std::atof(argv[2]) : 0.07;
  Simulation simulation(load_configuration("bare", {{"controller.precondition.occupancy", 1.0},
                                                    {"controller.precondition.distribution", "steady_state"},
                                                    {"controller.mapping.over_provisioning", over_provisioning},
                                                    {"simulation.request_log", false},
                                                    {"host.driver.memory_page_bytes", 16384},
                                                    {"host.workload.block_bytes", 16384},
                                                    {"host.workload.read_percent", 0},
                                                    {"host.workload.queue_depth", 64},
                                                    {"host.workload.requests", requests}}));
  simulation.run();
  const Value statistics = simulation.statistics();
  const double wall_s = statistics.at("simulation.wall_s").number();
  const double flash_pages = statistics.at("nand.page_reads").number() + statistics.at("nand.page_programs").number();
  std::printf("%.0f pages of the host/s at a write amplification of %.2f: %.0f flash pages/s, %.2f events each\n",
              requests / wall_s, statistics.at("controller.write_amplification").number(), flash_pages / wall_s,
              statistics.at("simulation.events").number() / flash_pages);
}
