// SPDX-License-Identifier: Apache-2.0
// Tests workloads that a program supplies, and wait_any(), which runs until a command or the workloads have ended.
#include <memory>
#include <stdexcept>
#include <utility>

#include "catch.h"
#include "core/error.h"
#include "host/workloads/given/pulled_requests.h"
#include "host/workloads/given/request_columns.h"
#include "unit/platform/drives.h"
#include "unit/platform/temporary_folder.h"

namespace nandscape {
namespace {

using host::Pulled;
using host::RequestKind;

Configuration drive_that_plays_mine(const std::string& more = "simulation.seed=1") {
  return small_drive({"host.workload.kind=requests", "host.workload.source=mine", "host.workload.requests=0", more});
}

std::shared_ptr<host::ColumnSupply> writes(std::size_t count) {
  host::RequestColumns columns;
  for (std::size_t k = 0; k < count; ++k) {
    columns.operation.push_back(RequestKind::write);
    columns.offset_bytes.push_back(4096 * (k % 50));
    columns.size_bytes.push_back(4096);
  }
  return std::make_shared<host::ColumnSupply>(std::move(columns));
}

// A workload that supplies `after` writes, and then throws an exception.
class Failing final : public host::RequestSupply {
 public:
  explicit Failing(int after) : after_(after) {}

  std::unique_ptr<host::WorkloadSource> open(const host::WorkloadContext& context) const override {
    return std::make_unique<host::PulledSource>(
        [left = after_]() mutable -> Pulled {
          if (left-- == 0) throw std::domain_error("error in the program");
          return {Pulled::What::request, {RequestKind::write, 0, 4096}, 0, {}};
        },
        context);
  }
  bool calls_back() const override { return true; }

 private:
  int after_;
};

TEST_CASE("a simulation plays the requests supplied under a workload's name") {
  Simulation simulation(drive_that_plays_mine(), {{"mine", writes(200)}});
  CHECK(simulation.run());
  CHECK(simulation.requests().size() == 200);
  CHECK_THROWS_AS(Simulation(drive_that_plays_mine(), {{"yours", writes(1)}}), ConfigError);
}

TEST_CASE("an exception in user code ends the run, and the simulation can continue") {
  const int after = GENERATE(0, 1, 20);
  Simulation simulation(drive_that_plays_mine(), {{"mine", std::make_shared<Failing>(after)}});
  CHECK_THROWS_AS(simulation.run(), std::domain_error);
  simulation.run_until(simulation.now() + second);
  CHECK_FALSE(simulation.workloads_under_way());
  CHECK(simulation.requests().size() == static_cast<std::size_t>(after));
  std::vector<std::byte> page(16384);
  simulation.read(0, page);
}

TEST_CASE("supplied requests are not saved in a checkpoint, but a restored drive accepts them") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "drive.checkpoint").string();
  Simulation simulation(drive_that_plays_mine(), {{"mine", writes(10)}});
  CHECK_THROWS_AS(simulation.checkpoint(file), ConfigError);
  CHECK(simulation.has_power());
  Simulation plain(small_drive());
  plain.checkpoint(file);
  Simulation restored =
      Simulation::restore(file,
                          {parse_override("host.workload.kind=requests"), parse_override("host.workload.source=mine"),
                           parse_override("host.workload.requests=0")},
                          {}, {{"mine", writes(10)}});
  CHECK(restored.run());
  CHECK(restored.requests().size() == 10);
}

TEST_CASE("a workload ends after its duration") {
  Simulation simulation(drive_that_plays_mine("host.workload.duration_ms=1"), {{"mine", writes(100'000)}});
  CHECK(simulation.run());
  const RequestLog log = simulation.requests();
  CHECK(log.size() > 0);
  CHECK(log.size() < 10'000);
  for (const std::uint64_t start : log.start) CHECK(start - log.start.front() < millisecond);
}

TEST_CASE("time runs until a command ends, the workloads end, or the limit is reached") {
  Simulation simulation(small_drive({"host.workload.requests=20"}));
  simulation.wait_any(never);  // nothing is pending
  CHECK(simulation.now() == 0);
  const CommandHandle write = simulation.start_write(0, page_of(1));
  const CommandHandle read = simulation.start_read(0, 512);
  simulation.wait_any(simulation.now() + 1);
  CHECK_FALSE(write->done());
  CHECK_FALSE(read->done());
  simulation.wait_any(never);
  CHECK(write->done() != read->done());
  simulation.wait_any(never);
  CHECK(write->done());
  CHECK(read->done());

  simulation.start_workloads();
  CHECK(simulation.workloads_under_way());
  simulation.wait_any(never);
  CHECK_FALSE(simulation.workloads_under_way());
  CHECK(simulation.requests().size() == 22);
  const Tick later = simulation.now() + second;
  simulation.wait_any(later);
  CHECK(simulation.now() == later);
}

}  // namespace
}  // namespace nandscape
