// SPDX-License-Identifier: Apache-2.0
// Resets the controller at random times while commands are pending, by registers and by the driver over the link.
#include <algorithm>
#include <array>
#include <map>

#include "catch.h"
#include "core/random.h"
#include "unit/host/controller_harness.h"
#include "unit/host/host_bench.h"

using namespace nandscape;
using namespace nandscape::host;
using nvme::IoOpcode;
using nvme::Status;
namespace reg = nvme::reg;

TEST_CASE("once the controller is not ready it leaves host memory alone") {
  RandomStream random(1, "resets");
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    ControllerHarness h({}, 3 * microsecond);
    h.enable();
    auto queue = h.create_queue(1, 32);
    const std::uint64_t region = h.memory.reserve(1 << 20, 1 << 20);
    const std::uint64_t list = h.memory.reserve(4096, 4096);
    for (std::uint64_t k = 1; k < 16; ++k) {
      const std::uint64_t page = region + k * 4096;
      h.memory.write(list + (k - 1) * 8, std::as_bytes(std::span(&page, 1)));
    }
    const nvme::DatasetRange range = {0, 4096, 32};
    h.memory.write(region, std::as_bytes(std::span(&range, 1)));
    constexpr std::array opcodes = {IoOpcode::read, IoOpcode::write, IoOpcode::flush, IoOpcode::write_zeroes,
                                    IoOpcode::dataset_management};
    for (std::uint16_t id = 0; id < 30; ++id) {
      const IoOpcode opcode = opcodes[random.below(opcodes.size())];
      auto e = h.io(opcode, random.below(4000), 1 + static_cast<std::uint32_t>(random.below(128)), region, list);
      if (opcode == IoOpcode::dataset_management) e.cdw11 = nvme::deallocate_attribute;
      if (opcode == IoOpcode::dataset_management) e.cdw10 = 0;
      e.command_id = id;
      h.push(queue, e);
    }
    h.ring(queue);
    h.run_for(random.below(12 * microsecond));
    switch (round % 3) {
      case 0: h.write(reg::cc, 0); break;
      case 1: h.write(reg::nssr, nvme::subsystem_reset_signature); break;
      default: h.controller.reset_function();
    }
    while ((h.read(reg::csts) & nvme::csts::ready) != 0) h.run_for(10 * nanosecond);
    h.reap(queue, false);

    const std::vector<std::byte> mine(1 << 20, std::byte{0x5a});
    h.memory.write(region, mine);
    const auto interrupts = h.port.interrupts;
    h.run();
    CHECK(h.bytes_at(region, mine.size()) == mine);
    CHECK(h.reap(queue, false).empty());
    CHECK(h.port.interrupts == interrupts);

    h.enable();
    auto again = h.create_queue(1, 32);
    REQUIRE(h.status(again, h.io(IoOpcode::write, 96, 8, region)) == Status::success);
    REQUIRE(h.status(again, h.io(IoOpcode::read, 96, 8, region + 8192)) == Status::success);
    CHECK(h.bytes_at(region + 8192, 4096) == std::vector(mine.begin(), mine.begin() + 4096));
  }
}

TEST_CASE("a host that does not wait for the end of a reset still gets a working controller") {
  ControllerHarness h;
  h.enable();
  h.write(reg::cc, 0);
  h.write(reg::cc, ControllerHarness::enable_value);
  h.write(reg::cc, 0);
  h.enable();
  CHECK(h.read(reg::csts) == nvme::csts::ready);
  h.create_queue(1, 16);
}

TEST_CASE("a subsystem reset clears all registers and sets its status bit") {
  ControllerHarness h;
  h.enable();
  CHECK((h.read(reg::cap + 4) & 1u << 4) != 0);
  h.write(reg::nssr, 1);  // no signature
  CHECK(h.read(reg::cc) != 0);
  h.write(reg::nssr, nvme::subsystem_reset_signature);
  h.run();
  CHECK(h.read(reg::cc) == 0);
  CHECK(h.read(reg::aqa) == 0);
  CHECK(h.read(reg::asq) == 0);
  CHECK(h.read(reg::csts) == nvme::csts::subsystem_reset_occurred);
  h.enable();
  CHECK(h.read(reg::csts) == (nvme::csts::ready | nvme::csts::subsystem_reset_occurred));
  h.write(reg::csts, nvme::csts::subsystem_reset_occurred);
  CHECK(h.read(reg::csts) == nvme::csts::ready);
}

namespace {

// A workload of random reads and writes in one region, which never ends.
class RandomRequests final : public WorkloadSource {
 public:
  bool next(HostRequest& request) override {
    request = {};
    request.kind = random_.below(2) == 0 ? RequestKind::read : RequestKind::write;
    request.first = Lba(65536 + random_.below(4096));
    request.sectors = 1 + random_.below(600);  // some requests need two commands
    ++given;
    return true;
  }
  std::uint64_t given = 0;

 private:
  RandomStream random_{2, "requests"};
};

struct Counts final : RequestObserver {
  void completed(std::size_t, const DriverRequest& request, Tick now) override {
    CHECK(now >= request.start);
    ++by_status[request.status];
  }
  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const auto& [status, count] : by_status) sum += count;
    return sum;
  }
  std::map<Status, std::uint64_t> by_status;
};

}  // namespace

TEST_CASE("the driver resets under load: pending requests end once, as aborted, and all workloads continue") {
  constexpr std::uint32_t depth = 24;
  RandomStream random(3, "instants");
  HostBench bench;
  Driver& driver = bench.driver.driver();
  RandomRequests source;
  Counts counts;
  driver.add_workload(source, {IssueMode::closed_loop, depth}, counts);
  bench.start();
  driver.start_workloads();

  std::vector<std::byte> written = pattern(70'000 / 512 * 512, 4);
  const HostRequest write{RequestKind::write, Lba(10), written.size() / 512};
  const HostRequest read{RequestKind::read, Lba(10), written.size() / 512};
  int ended = 0;
  driver.submit(write, written.data(), [&](Status status, Tick) {
    CHECK(status == Status::success);
    ++ended;
  });
  bench.run_for(millisecond);
  REQUIRE(ended == 1);

  for (int round = 1; round <= 100; ++round) {
    CAPTURE(round);
    std::vector<std::byte> buffer(written.size());
    int aborted = 0;
    driver.submit(read, buffer.data(), [&](Status status, Tick) {
      CHECK((status == Status::abort_requested || status == Status::success));
      aborted += status == Status::abort_requested;
      ++ended;
    });
    bench.run_for(random.below(300 * microsecond));
    const std::uint64_t aborted_before = counts.by_status[Status::abort_requested];
    bool up = false;
    driver.reset([&] { up = true; });
    CHECK_FALSE(driver.ready());
    CHECK(ended == round + 1);
    CHECK(counts.by_status[Status::abort_requested] == aborted_before + depth);
    const std::vector<std::byte> as_left = buffer;
    bench.run_for(random.below(2 * millisecond) + millisecond);
    REQUIRE(up);
    CHECK(driver.ready());
    CHECK(buffer == as_left);
    if (aborted == 0) CHECK(buffer == written);
  }
  driver.stop_workloads();
  bench.run_for(second);
  CHECK(driver.workloads_done());
  CHECK(counts.total() == source.given);
  CHECK(counts.by_status[Status::success] + counts.by_status[Status::abort_requested] == source.given);
  CHECK(counts.by_status[Status::success] > 1000);

  std::vector<std::byte> buffer(written.size());
  driver.submit(read, buffer.data(), [&](Status status, Tick) { CHECK(status == Status::success); });
  bench.run_for(millisecond);
  CHECK(buffer == written);
}

TEST_CASE("writes of the driver carry force unit access, and log pages are read through the admin queue") {
  HostBench bench;
  bench.device.keep_log = true;
  Driver& driver = bench.driver.driver();
  bench.start();
  std::vector<std::byte> data(512);
  for (const bool forced : {true, false}) {
    driver.submit({RequestKind::write, Lba(0), 1, 0, forced}, data.data(), [](Status, Tick) {});
    bench.run_for(millisecond);
    REQUIRE_FALSE(bench.device.log.empty());
    CHECK(bench.device.log.back().force_unit_access == forced);
  }
  bench.device.state.power_cycles = 12;
  int answers = 0;
  for (int k = 0; k < 3; ++k) {
    driver.get_log_page(nvme::LogPage::smart, 512, [&](const nvme::CompletionEntry& entry, auto bytes) {
      nvme::SmartLog log;
      std::memcpy(&log, bytes.data(), sizeof log);
      CHECK(nvme::status_of(entry) == Status::success);
      CHECK(nvme::Counter128(log.power_cycles)[0] == 12);
      CHECK(nvme::Counter128(log.host_write_commands)[0] == 2);
      ++answers;
    });
  }
  bench.run_for(millisecond);
  CHECK(answers == 3);
}
