// SPDX-License-Identifier: Apache-2.0
// Tests register accesses with every kind of device. The built-in driver accesses an external device directly or over
// the built-in link. The device may answer at once, wait in b_transport or return a delay. The accesses must include
// this time, at every quantum.
#include <memory>
#include <optional>
#include <vector>

#include "catch.h"
#include "fakes/fake_storage.h"
#include "host/driver/driver_module.h"
#include "host/memory/host_memory_module.h"
#include "host/nvme/nvme_module.h"
#include "host/pcie/pcie_link_module.h"
#include "kernel.h"
#include "platform/wiring/calendar_module.h"
#include "protocol/protocol_checker.h"

namespace nandscape::host {
namespace {

using Payload = tlm::tlm_generic_payload;

// How a device spends the duration of an access.
enum class Takes { nothing, waits, returns_delay };
constexpr Tick access_takes = 400 * nanosecond;

// An external bridge in front of a built-in NVMe device. It carries out register accesses one at a time.
struct Bridge final : sc_core::sc_module, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<> {
  Bridge(const sc_core::sc_module_name& name, Takes how) : sc_module(name), takes(how) {
    in.bind(*this);
    out.bind(*this);
  }
  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    ++accesses;
    if (takes != Takes::waits) {
      if (takes == Takes::returns_delay) delay += to_sc_time(access_takes);
      return out->b_transport(payload, delay);
    }
    wait(delay);
    bus.lock();
    wait(to_sc_time(access_takes));
    delay = sc_core::SC_ZERO_TIME;
    out->b_transport(payload, delay);
    bus.unlock();
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    FAIL("the bridge knows no phases");
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  tlm::tlm_target_socket<32> in{"in"};
  tlm::tlm_initiator_socket<32> out{"out"};
  sc_core::sc_mutex bus;
  const Takes takes;
  int accesses = 0;
};

struct Run {
  Tick up = 0;
  std::vector<Tick> ends;
  int accesses = 0;
  bool operator==(const Run&) const = default;
};

// Brings the drive up, sends requests one at a time, and resets the controller; then does the same again. Without
// `takes`, there is no bridge.
Run run(std::optional<Takes> takes, bool behind_the_link, Tick quantum) {
  Kernel kernel;
  Calendar calendar;
  CalendarModule driver("calendar", calendar, quantum);
  if (takes) driver.limit_lookahead(0);
  HostMemory memory(std::uint64_t{16} << 30);
  FakeStorage storage(calendar, 4096, 4096, 1, 9 * microsecond);
  DriverModule host("host", calendar, {}, memory);
  HostMemoryModule memory_module("memory", calendar, memory, host.driver());
  PcieLinkModule link("link", calendar, {});
  NvmeModule nvme("nvme", calendar, {}, storage, true);
  ProtocolChecker<> checker("checker");
  std::unique_ptr<Bridge> bridge;
  host.registers.bind(checker.target);
  if (!takes) {
    checker.initiator.bind(link.registers_in);
    link.registers_out.bind(nvme.registers);
  } else {
    bridge = std::make_unique<Bridge>("bridge", *takes);
    if (behind_the_link) {
      checker.initiator.bind(link.registers_in);
      link.registers_out.bind(bridge->in);
      bridge->out.bind(nvme.registers);
    } else {
      checker.initiator.bind(bridge->in);
      bridge->out.bind(link.registers_in);
      link.registers_out.bind(nvme.registers);
    }
  }
  nvme.dma.bind(link.dma_in);
  link.dma_out.bind(memory_module.target);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);

  Run result;
  const auto go = [&](Tick time) {
    driver.run(calendar.now() + time);
    driver.rethrow();
  };
  bool up = false;
  host.driver().start([&] {
    up = true;
    result.up = calendar.now();
  });
  go(10 * millisecond);
  REQUIRE(up);
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t k = 0; k < 10; ++k) {
      std::vector<std::byte> given(4096, static_cast<std::byte>(k + 1)), found(4096);
      int ended = 0;
      const auto done = [&](nvme::Status status, Tick now) {
        CHECK(status == nvme::Status::success);
        result.ends.push_back(now);
        ++ended;
      };
      host.driver().submit({RequestKind::write, Lba(8 * k), 8}, given.data(), done);
      go(millisecond);
      host.driver().submit({RequestKind::read, Lba(8 * k), 8}, found.data(), done);
      go(millisecond);
      CHECK(ended == 2);
      CHECK(found == given);
    }
    up = false;
    host.driver().reset([&] { up = true; });
    go(10 * millisecond);
    CHECK(up);
  }
  host.driver().shut_down();
  go(millisecond);
  if (bridge) result.accesses = bridge->accesses;
  return result;
}

TEST_CASE("registers: every device serves the built-in driver, later by its access time") {
  const bool behind_the_link = GENERATE(false, true);
  const Tick quantum = GENERATE(Tick{0}, microsecond, millisecond);
  CAPTURE(behind_the_link, quantum);
  const Run ours = run({}, false, millisecond);
  const Run at_once = run(Takes::nothing, behind_the_link, quantum);
  CHECK(at_once.accesses > 100);
  // The duration of bring-up is not compared. It differs because the driver waits for the end of each access to a
  // device that may wait.
  CHECK(at_once.ends == ours.ends);
  const Run waits = run(Takes::waits, behind_the_link, quantum);
  CHECK(waits == run(Takes::waits, behind_the_link, 0));
  CHECK(waits == run(Takes::returns_delay, behind_the_link, quantum));
  REQUIRE(waits.ends.size() == ours.ends.size());
  for (std::size_t k = 0; k < waits.ends.size(); ++k) {
    // Both runs submit each request at the same time. A request needs one doorbell write, which the bridge delays.
    CHECK(waits.ends[k] == ours.ends[k] + access_takes);
  }
}

}  // namespace
}  // namespace nandscape::host
