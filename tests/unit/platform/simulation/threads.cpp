// SPDX-License-Identifier: Apache-2.0
// Runs several simulations in different threads at the same time. `make sanitize-threads` checks these tests for data
// races.
#include <thread>
#include <vector>

#include "catch.h"
#include "unit/platform/drives.h"

namespace nandscape {
namespace {

// Returns the statistics as a string. The wall-clock time is set to zero, since it differs between equal runs.
std::string result_of(const Simulation& simulation) {
  Value statistics = simulation.statistics();
  statistics["simulation"]["wall_s"] = 0.0;
  return statistics.to_json();
}

std::string result_of_a_run(int seed) {
  Simulation simulation(small_drive({"host.workload.requests=300", "simulation.seed=" + std::to_string(seed)}));
  simulation.run();
  return result_of(simulation);
}

std::string result_of_commands(int seed) {
  Simulation simulation(small_drive({"simulation.data=stored", "simulation.seed=" + std::to_string(seed)}));
  for (unsigned k = 0; k < 20; ++k) simulation.start_write(32 * k, page_of(seed));
  simulation.wait_all();
  simulation.power_cut();
  simulation.power_on();
  std::vector<std::byte> page(16384);
  simulation.read(0, page);
  REQUIRE(page == page_of(seed));
  return result_of(simulation);
}

TEST_CASE("simulations in several threads give the same results as each alone") {
  constexpr int threads = 4;
  std::vector<std::string> alone, together(threads);
  const auto result = [](int k) { return k % 2 == 0 ? result_of_a_run(k + 1) : result_of_commands(k + 1); };
  for (int k = 0; k < threads; ++k) alone.push_back(result(k));
  std::vector<std::thread> running;
  for (int k = 0; k < threads; ++k) {
    running.emplace_back([&, k] { together[static_cast<std::size_t>(k)] = result(k); });
  }
  for (std::thread& thread : running) thread.join();
  CHECK(together == alone);
}

TEST_CASE("a simulation can be continued in another thread") {
  Simulation simulation(small_drive({"simulation.data=stored"}));
  simulation.write(0, page_of(1));
  std::thread([&] { simulation.write(32, page_of(2)); }).join();
  std::vector<std::byte> pages(2 * 16384);
  simulation.read(0, pages);
  CHECK(pages[0] == std::byte{1});
  CHECK(pages[16384] == std::byte{2});
  std::thread([other = std::move(simulation)]() mutable { other.write(0, page_of(3)); }).join();
}

TEST_CASE("configurations can be read in several threads at a time") {
  const std::string alone = small_drive().to_yaml();
  std::vector<std::string> texts(4);
  std::vector<std::thread> reading;
  for (std::string& text : texts) {
    reading.emplace_back([&text] { text = small_drive().to_yaml(); });
  }
  for (std::thread& thread : reading) thread.join();
  for (const std::string& text : texts) CHECK(text == alone);
}

}  // namespace
}  // namespace nandscape
