// SPDX-License-Identifier: Apache-2.0
// Measures how much faster two independent simulations run in two threads than one after the other.
//
// bench_threads [<requests>]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "platform/simulation/simulation.h"

namespace {

using Simulations = std::vector<std::unique_ptr<nandscape::Simulation>>;

Simulations two_drives(int requests) {
  Simulations made;
  for (int seed = 1; seed <= 2; ++seed) {
    made.push_back(std::make_unique<nandscape::Simulation>(
        nandscape::load_configuration("retry_tlc_512g", {{"simulation.seed", seed},
                                                         {"simulation.request_log", false},
                                                         {"controller.precondition.occupancy", 1.0},
                                                         {"host.workload.block_bytes", 16384},
                                                         {"host.workload.queue_depth", 64},
                                                         {"host.workload.requests", requests}})));
  }
  return made;
}

template <class Run>
double seconds(const Run& run) {
  const auto begin = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  const int requests = argc > 1 ? std::atoi(argv[1]) : 1'000'000;
  const Simulations first = two_drives(requests), second = two_drives(requests);
  const double in_turn = seconds([&] {
    for (const auto& simulation : first) simulation->run();
  });
  const double together = seconds([&] {
    std::vector<std::thread> threads;
    for (const auto& simulation : second) threads.emplace_back([&simulation] { simulation->run(); });
    for (std::thread& thread : threads) thread.join();
  });
  std::printf("in turn %.2f s, in two threads %.2f s: %.2f times as fast\n", in_turn, together, in_turn / together);
}
