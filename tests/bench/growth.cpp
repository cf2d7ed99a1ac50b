// SPDX-License-Identifier: Apache-2.0
// Measures whether the cost of an event grows with the amount of waiting work or stored state. Each sweep increases one
// size by a factor of about a thousand (queue depth, dies, blocks per plane or cache size) and prints the processor
// time per event.
//
//   bench_growth                        prints the table
//   bench_growth NAME VALUE REQUESTS    makes one run and prints its number of events, for tests/bench/count_growth
//   bench_growth list                   lists the runs of the table: name, value and requests
//
// Processor time also grows because of cache misses. The number of instructions does not, so it shows the cost of the
// algorithm alone. tests/bench/count_growth counts the instructions.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "platform/simulation/simulation.h"

namespace {

using namespace nandscape;

using Keys = std::vector<Override>;

struct Sweep {
  std::string name;
  std::string preset;
  std::vector<int> values;
  int requests;
  bool depth;  // true if the values are queue depths
  Keys (*keys)(int value);
};

// Adds the settings that all runs share: no request log, and queues large enough for every depth. The runs of a sweep
// then differ only in the swept value.
Keys with(Keys keys) {
  Keys all = {{"simulation.request_log", false},
              {"host.nvme.queue_entries", 16384},
              {"host.driver.queue_entries", 16384},
              {"host.driver.memory_page_bytes", 16384}};
  all.insert(all.end(), keys.begin(), keys.end());
  return all;
}

Keys deep_writes(int depth) {
  return with({{"channel.count", 16},
               {"host.link.generation", 4},
               {"controller.cache.writes_in_flight", 4096},
               {"controller.precondition.order", "sequential"},
               {"host.workload.read_percent", 0},
               {"host.workload.block_bytes", 131072},
               {"host.workload.queue_depth", depth}});
}

Keys deep_mix(int depth) { return with({{"host.workload.block_bytes", 16384}, {"host.workload.queue_depth", depth}}); }

// Returns the settings of a drive with `dies` dies on up to 64 channels. The planes have few blocks, so that
// preconditioning the largest drive is fast.
Keys many_dies(int dies) {
  const int channels = dies < 64 ? dies : 64;
  return with({{"channel.count", channels},
               {"nand.geometry.chips_per_channel", dies / channels},
               {"nand.geometry.dies_per_chip", 1},
               {"nand.geometry.blocks_per_plane", 64},
               {"nand.geometry.pages_per_block", 48},
               {"controller.mapping.over_provisioning", 0.28},
               {"host.workload.block_bytes", 16384},
               {"host.workload.queue_depth", 64}});
}

// Returns the settings for random writes with garbage collection in its steady state. Blocks have few pages, so a plane
// selects a victim once every few writes.
Keys many_blocks(int blocks) {
  return with({{"channel.count", 1},
               {"nand.geometry.chips_per_channel", 1},
               {"nand.geometry.dies_per_chip", 2},
               {"nand.geometry.blocks_per_plane", blocks},
               {"nand.geometry.pages_per_block", 48},
               {"controller.mapping.over_provisioning", 0.28},
               {"controller.precondition.distribution", "steady_state"},
               {"host.workload.block_bytes", 16384},
               {"host.workload.read_percent", 0},
               {"host.workload.queue_depth", 64}});
}

Keys large_cache(int megabytes) {
  return with({{"controller.cache.capacity_bytes", megabytes * 1024.0 * 1024.0},
               {"host.workload.block_bytes", 4096},
               {"host.workload.queue_depth", 64}});
}

const std::vector<Sweep>& sweeps() {
  static const std::vector<Sweep> all = {
      {"queue_depth_of_large_writes", "cached", {1, 4, 16, 64, 256, 1024, 4096}, 8000, true, deep_writes},
      {"queue_depth_of_pages", "bare", {1, 4, 16, 64, 256, 1024, 4096}, 40000, true, deep_mix},
      {"dies", "bare", {1, 4, 16, 64, 256, 1024}, 40000, false, many_dies},
      {"blocks_per_plane", "bare", {32, 128, 512, 2048, 8192, 32768}, 40000, false, many_blocks},
      {"cache_megabytes", "cached", {1, 4, 16, 64, 256, 1024}, 40000, false, large_cache},
  };
  return all;
}

// Returns the number of requests of a run. This is at least three times the queue depth, so that the queue is full for
// most of the run.
int requests_of(const Sweep& sweep, int value) { return std::max(sweep.requests, sweep.depth ? 3 * value : 0); }

struct Cost {
  double events;
  double cpu_s;
};

Cost run(const Sweep& sweep, int value, int requests) {
  Keys keys = sweep.keys(value);
  keys.push_back({"host.workload.requests", requests});
  Simulation simulation(load_configuration(sweep.preset, keys));
  const std::clock_t begin = std::clock();
  simulation.run();
  const double cpu_s = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return {simulation.statistics().at("simulation.events").number(), cpu_s};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  for (const Sweep& sweep : sweeps()) {
    if (name.empty()) std::printf("%s\n", sweep.name.c_str());
    for (const int value : sweep.values) {
      if (name == "list") {
        std::printf("%s %d %d\n", sweep.name.c_str(), value, requests_of(sweep, value));
      } else if (name.empty()) {
        const Cost cost = run(sweep, value, requests_of(sweep, value));
        std::printf("%10d  %6.0f ns per event\n", value, cost.cpu_s / cost.events * 1e9);
        std::fflush(stdout);
      } else if (argc > 3 && name == sweep.name && std::atoi(argv[2]) == value) {
        std::printf("%.0f\n", run(sweep, value, std::atoi(argv[3])).events);
      }
    }
  }
}
