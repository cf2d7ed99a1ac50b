// SPDX-License-Identifier: Apache-2.0
// The driver with a device that waits in b_transport, as one that was written elsewhere may: near, and behind the link.
#include <memory>
#include <optional>
#include <vector>

#include "catch.h"
#include "host/driver/driver_module.h"
#include "host/memory/host_memory_module.h"
#include "host/nvme/nvme_module.h"
#include "host/pcie/pcie_link_module.h"
#include "kernel.h"
#include "platform/wiring/calendar_module.h"
#include "protocol/protocol_checker.h"
#include "unit/host/dummy_storage.h"

namespace nandscape::host {
namespace {

using Payload = tlm::tlm_generic_payload;

// An NVMe device with a bridge in front of its registers, which takes its time with each access, one after the other.
struct Bridge final : sc_core::sc_module, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<> {
  Bridge(const sc_core::sc_module_name& name, Tick time) : sc_module(name), takes(time) {
    in.bind(*this);
    out.bind(*this);
  }
  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    wait(delay);
    bus.lock();
    wait(to_sc_time(takes));
    delay = sc_core::SC_ZERO_TIME;
    out->b_transport(payload, delay);
    bus.unlock();
    ++accesses;
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
  const Tick takes;
  int accesses = 0;
};

struct Run {
  Tick up = 0;
  std::vector<Tick> ends;
  int accesses = 0;
  bool operator==(const Run&) const = default;
};

// A bring-up, requests one after the other, a reset, and the same again. Without `takes` there is no bridge.
Run run(std::optional<Tick> takes, bool behind_the_link, Tick quantum) {
  Kernel kernel;
  Calendar calendar;
  CalendarModule driver("calendar", calendar, quantum);
  if (takes) driver.limit_lookahead(0);
  HostMemory memory(std::uint64_t{16} << 30);
  DummyStorage storage(calendar, 4096, 4096, 9 * microsecond);
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

TEST_CASE("the driver works with a device that waits: same requests, later by what it takes, at every quantum") {
  const bool behind_the_link = GENERATE(false, true);
  CAPTURE(behind_the_link);
  const Tick takes = 400 * nanosecond;
  const Run at_once = run({}, false, millisecond);
  const Run waits = run(takes, behind_the_link, 0);
  CHECK(waits.accesses > 100);
  CHECK(run(takes, behind_the_link, microsecond) == waits);
  CHECK(run(takes, behind_the_link, millisecond) == waits);
  REQUIRE(waits.ends.size() == at_once.ends.size());
  for (std::size_t k = 0; k < waits.ends.size(); ++k) {
    // Each request begins at the same tick, and rings one doorbell.
    CHECK(waits.ends[k] == at_once.ends[k] + takes);
  }
}

}  // namespace
}  // namespace nandscape::host
