// SPDX-License-Identifier: Apache-2.0
// Simulates flash that stops answering, which real flash does not do. All pending accesses must end nevertheless. Also
// tests the health that the controller reports while its flash does no work.
#include <algorithm>
#include <deque>
#include <memory>

#include "catch.h"
#include "controller/ftl.h"
#include "fakes/fake_ecc.h"
#include "fakes/fake_flash.h"
#include "fakes/fake_host.h"

namespace nandscape::controller {
namespace {

struct StalledDrive {
  explicit StalledDrive(PowerLossProtection protection, std::shared_ptr<TemperatureSource> temperature = nullptr) {
    host.health = [this](Tick now) { changes.emplace_back(now, ftl->health().temperature_c); };
    if (temperature != nullptr) facts.ages.temperature = std::move(temperature);
    facts.path.layout = PageLayout::sharing_spare(4096, 512, 1024);
    facts.pages_per_wordline = 3;
    parameters.mapping.over_provisioning = 1;
    parameters.precondition.occupancy = 0;
    parameters.garbage_collection.start_free_blocks = 2;
    parameters.power_loss.protection = protection;
    ftl = std::make_unique<Ftl>(FtlPlan{parameters, geometry, facts, 1, StartUp::as_preconditioned, calendar}, flash,
                                ecc);
    flash.connect(ftl->scheduler());
    ftl->set_client(host);
  }

  PageAccess& submit(AccessKind kind, std::uint64_t lpn, bool forced = false) {
    PageAccess& access = accesses.emplace_back(make_access(kind, lpn));
    access.force_unit_access = forced;
    ftl->submit(access, calendar.now());
    return access;
  }
  void read() { submit(AccessKind::read, 0); }
  // Runs until no events are left. The flash answers at most `commands_left` commands.
  void run() {
    do calendar.run_until(never);
    while (ecc.answer(calendar.now()) || (commands_left > 0 && flash.answer(calendar.now()) && commands_left-- > 0));
  }

  Geometry geometry{.blocks_per_plane = 16, .pages_per_block = 12, .page_bytes = 4096};
  ControllerParameters parameters;
  FlashFacts facts;
  Calendar calendar;
  FakeFlash flash;
  FakeEcc ecc;
  FakeHost host;
  std::unique_ptr<Ftl> ftl;
  std::deque<PageAccess> accesses;
  std::vector<std::pair<Tick, double>> changes;  // changes of health, with the temperature
  int commands_left = 0;
};

TEST_CASE("the host learns that the temperature has changed with the first access after the change") {
  struct Step final : TemperatureSource {
    double celsius(Tick now) const override { return now < second ? 40 : 60; }
    TemperatureExtremes extremes() const override { return {40, 60}; }
    Tick aged(Tick now) const override { return now < second ? now : second + 10 * (now - second); }
    Tick when_aged(Tick aged) const override { return aged < second ? aged : second + (aged - second) / 10; }
    Tick update(Tick now) override { return now < second ? second : never; }
  };
  StalledDrive drive(PowerLossProtection::capacitor, std::make_shared<Step>());
  const auto read_at = [&](Tick now) {
    drive.calendar.schedule<&StalledDrive::read>(now, drive);
    drive.calendar.run_until(now);
  };
  read_at(second - 1);
  CHECK(drive.changes.empty());
  CHECK(drive.ftl->health().temperature_c == 40);
  read_at(3 * second);
  read_at(4 * second);
  CHECK(drive.changes == std::vector<std::pair<Tick, double>>{{3 * second, 60}});
}

TEST_CASE("a drive's clock counts hours at the temperature of its source") {
  struct Hot final : TemperatureSource {
    double celsius(Tick) const override { return 70; }
    TemperatureExtremes extremes() const override { return {70, 70}; }
    Tick aged(Tick now) const override { return 4 * now; }
    Tick when_aged(Tick aged) const override { return aged / 4; }
  };
  const RunningHours running(2, std::make_shared<Hot>());
  const DriveClock clock(running);
  // 1/4 hour of simulated time, times 4 for the temperature, times 2 running hours per hour
  CHECK(clock.hours(900 * second) == 2);
  CHECK(clock.after(2, 900 * second) == 1800 * second);
  CHECK(clock.after(1e12, 0) == never);
}

TEST_CASE("pending accesses end when the flash stalls, and the drive reports why") {
  const auto protection = GENERATE(PowerLossProtection::capacitor, PowerLossProtection::none);
  StalledDrive drive(protection);
  drive.commands_left = GENERATE(0, 1, 2);
  PageAccess& forced = drive.submit(AccessKind::write, 1, true);
  drive.run();
  PageAccess& write = drive.submit(AccessKind::write, 2);
  PageAccess& behind = drive.submit(AccessKind::write, 2);
  PageAccess& flush = drive.submit(AccessKind::flush, 0);
  drive.run();
  REQUIRE(drive.host.done.size() < 4);
  int rounds = 0;
  for (; drive.host.done.size() < 4 && rounds < 10; ++rounds) {
    REQUIRE(drive.calendar.empty());
    REQUIRE(drive.ftl->end_stall(drive.calendar.now()));
    drive.run();
  }
  CHECK(drive.host.done.size() == 4);
  for (const PageAccess* access : {&forced, &write, &behind, &flush}) {
    CHECK(std::ranges::count(drive.host.done, access, [](const auto& end) { return end.first; }) == 1);
  }
  CHECK(behind.status != AccessStatus::ok);
  CHECK_FALSE(drive.ftl->end_stall(drive.calendar.now()));
  CHECK(drive.ftl->counters().stalls == static_cast<std::uint64_t>(rounds));
  CHECK_THAT(drive.ftl->stall_report(), ContainsSubstring("no progress") && ContainsSubstring("die 0"));
  // The drive must refuse further writes, but still answer reads.
  CHECK(drive.ftl->health().read_only);
  CHECK(drive.submit(AccessKind::write, 3).status == AccessStatus::write_protected);
  CHECK(drive.submit(AccessKind::read, 5).status == AccessStatus::ok);
  CHECK(drive.host.done.size() == 6);
}

}  // namespace
}  // namespace nandscape::controller
