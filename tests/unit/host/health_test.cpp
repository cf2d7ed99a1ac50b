// SPDX-License-Identifier: Apache-2.0
// Tests the SMART log of a device that wears, and the events that report changes of its health to the host.
#include <vector>

#include "catch.h"
#include "unit/host/controller_harness.h"

using namespace nandscape;
using namespace nandscape::host;
using nvme::AdminOpcode;
using nvme::Status;

namespace {

struct HealthFixture : ControllerHarness {
  HealthFixture() { enable(); }

  nvme::SmartLog smart() {
    check(command(AdminOpcode::get_log_page, (512 / 4 - 1) << 16 | 2, 0, log));
    return load<nvme::SmartLog>(log);
  }
  void want_events(std::uint8_t warnings) { check(command(AdminOpcode::set_features, 0x0b, warnings)); }
  void request_event() {
    nvme::SubmissionEntry e;
    e.opcode = static_cast<std::uint8_t>(AdminOpcode::async_event_request);
    e.command_id = 1000;
    push(admin, e);
    ring(admin);
    run();
  }
  // Notifies the controller that the device's health has changed. Returns the events that it sends to the host.
  std::vector<nvme::CompletionEntry> events() {
    controller.health_changed(calendar.now());
    run();
    return reap(admin);
  }

  std::uint64_t log = memory.reserve(4096, 4096);
};

}  // namespace

TEST_CASE("the SMART log reports the state of the device") {
  HealthFixture h;
  nvme::SmartLog log = h.smart();
  CHECK(log.critical_warning == 0);
  CHECK(log.available_spare == 100);
  CHECK(log.available_spare_threshold == 10);
  CHECK(log.percentage_used == 0);

  h.device.state.available_spare_percent = 9.99;
  h.device.state.percentage_used = 99.01;
  h.device.state.media_errors = 7;
  h.device.state.power_cycles = 3;
  h.device.state.unsafe_shutdowns = 2;
  log = h.smart();
  CHECK(log.critical_warning == nvme::warning::spare_below_threshold);
  CHECK(log.available_spare == 9);
  CHECK(log.percentage_used == 100);
  CHECK(nvme::Counter128(log.media_errors)[0] == 7);
  CHECK(nvme::Counter128(log.power_cycles)[0] == 3);
  CHECK(nvme::Counter128(log.unsafe_shutdowns)[0] == 2);

  h.device.state.available_spare_percent = 10;  // not below the threshold
  h.device.state.percentage_used = 1000;
  h.device.state.read_only = true;
  h.device.state.reliability_degraded = true;
  log = h.smart();
  CHECK(log.critical_warning == (1u << 2 | 1u << 3));
  CHECK(log.percentage_used == 255);
}

TEST_CASE("the composite temperature follows the flash, and is an event when it passes its threshold") {
  HealthFixture h;
  CHECK(h.smart().composite_temperature == 273 + 40);
  h.check(h.command(AdminOpcode::set_features, 0x04, 273 + 70));
  h.want_events(nvme::warning::temperature);
  h.request_event();
  h.device.state.temperature_c = 59;
  CHECK(h.events().empty());
  CHECK(h.smart().critical_warning == 0);
  h.device.state.temperature_c = 60;
  const auto events = h.events();
  REQUIRE(events.size() == 1);
  CHECK(events[0].dw0 == nvme::async_event(1, 1, nvme::LogPage::smart));
  const nvme::SmartLog log = h.smart();  // rearms the event
  CHECK(log.composite_temperature == 273 + 70);
  CHECK(log.critical_warning == nvme::warning::temperature);
  h.request_event();
  CHECK(h.events().empty());  // as hot as before
}

TEST_CASE("the controller is busy while I/O commands are pending") {
  HealthFixture h;
  h.request_event();  // a pending admin command, which must not count as busy time
  h.run_for(120 * second);
  CHECK(nvme::Counter128(h.smart().controller_busy_minutes)[0] == 0);
  BusyTime busy;
  busy.begin(second);
  busy.begin(2 * second);
  busy.end(5 * second);
  CHECK(busy.total(6 * second) == 5 * second);
  busy.end(7 * second);
  CHECK(busy.total(100 * second) == 6 * second);
}

TEST_CASE("a new critical warning is an event, if the host has enabled it") {
  HealthFixture h;
  h.request_event();
  h.device.state.read_only = true;
  CHECK(h.events().empty());  // not enabled
  h.device.state.read_only = false;
  CHECK(h.events().empty());

  h.want_events(nvme::warning::spare_below_threshold | nvme::warning::read_only);
  h.device.state.available_spare_percent = 5;
  auto events = h.events();
  REQUIRE(events.size() == 1);
  CHECK(events[0].dw0 == nvme::async_event(1, 2, nvme::LogPage::smart));
  h.smart();  // rearms the event
  h.request_event();
  CHECK(h.events().empty());  // nothing new
  h.device.state.reliability_degraded = true;
  CHECK(h.events().empty());  // not enabled
  h.device.state.read_only = true;
  events = h.events();
  REQUIRE(events.size() == 1);
  CHECK(events[0].dw0 == nvme::async_event(1, 0, nvme::LogPage::smart));
}
