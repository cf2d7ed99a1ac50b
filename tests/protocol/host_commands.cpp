// SPDX-License-Identifier: Apache-2.0
// Tests single commands that are given to the Simulation class while other commands are outstanding.
#include <optional>

#include "catch.h"
#include "platform/simulation/simulation.h"

namespace nandscape {
namespace {

Configuration small_drive(std::vector<std::string> assignments = {}) {
  std::vector<Override> overrides;
  for (const char* assignment :
       {"simulation.data=stored", "channel.count=2", "nand.geometry.chips_per_channel=1",
        "nand.geometry.blocks_per_plane=64", "nand.geometry.pages_per_block=96",
        "controller.mapping.over_provisioning=0.25", "host.workload.requests=300000", "host.workload.queue_depth=8"}) {
    overrides.push_back(parse_override(assignment));
  }
  for (const std::string& assignment : assignments) overrides.push_back(parse_override(assignment));
  return load_configuration("bare", overrides);
}

std::vector<std::byte> page_of(int value) { return std::vector<std::byte>(16384, static_cast<std::byte>(value)); }

TEST_CASE("commands run concurrently, and waiting for one runs no further than its end") {
  Simulation simulation(small_drive());
  simulation.flush();
  const Tick began = simulation.now();
  std::vector<CommandHandle> writes;
  for (int k = 0; k < 16; ++k) writes.push_back(simulation.start_write(32u * static_cast<unsigned>(k), page_of(k)));
  CHECK(simulation.now() == began);
  const Tick latency = simulation.wait(writes[0]);
  CHECK(simulation.now() == began + latency);
  simulation.wait_all();
  Tick last = 0;
  for (const CommandHandle& write : writes) {
    REQUIRE(write->done());
    CHECK(write->status() == RequestStatus::ok);
    CHECK(write->data().empty());
    last = std::max(last, write->latency());
  }
  CHECK(simulation.now() == began + last);
  for (int k = 0; k < 16; ++k) {
    const CommandHandle read = simulation.start_read(32u * static_cast<unsigned>(k), 16384);
    simulation.wait(read);
    CHECK(std::ranges::equal(read->data(), page_of(k)));
  }
}

TEST_CASE("commands under way when a simulation ends have lost their power") {
  std::optional<Simulation> simulation(small_drive());
  const CommandHandle done = simulation->start_flush();
  simulation->wait(done);
  const CommandHandle write = simulation->start_write(0, page_of(1));
  const CommandHandle read = simulation->start_read(0, 512);
  simulation->run_until(simulation->now() + microsecond);
  CHECK_FALSE(write->done());
  simulation.reset();
  CHECK(done->status() == RequestStatus::ok);
  for (const CommandHandle& command : {write, read}) {
    CHECK(command->done());
    CHECK(command->status() == RequestStatus::power_lost);
    CHECK(command->latency() == microsecond);
  }
}

TEST_CASE("workloads outlive a reset of the controller") {
  Simulation simulation(small_drive({"simulation.data=none"}));
  CHECK_FALSE(simulation.run([](const Progress&) { return false; }));
  const auto completed = [&] {
    return static_cast<std::size_t>(simulation.statistics().at("host.all.count").number());
  };
  for (int round = 0; round < 20; ++round) {
    simulation.run_until(simulation.now() + 777 * microsecond);
    const CommandHandle command = simulation.start_write(0, page_of(round));
    simulation.reset();
    CHECK(command->done());
    CHECK_THROWS_AS(simulation.wait(command), RequestError);
    CHECK(command->status() == RequestStatus::aborted);
  }
  simulation.run_until(simulation.now() + 1000 * second);
  CHECK(completed() == 300'000 + 20);
  const auto errors = simulation.statistics().at("host.all.errors").number();
  CHECK(errors == 20 * 8 + 20);  // each reset aborts the 8 outstanding commands of the workload and the single write
  std::vector<std::byte> data(512);
  simulation.read(0, data);
}

}  // namespace
}  // namespace nandscape
