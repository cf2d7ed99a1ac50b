// SPDX-License-Identifier: Apache-2.0
// Flash that stops answering, which no real flash does: all pending accesses end nevertheless.
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
  explicit StalledDrive(PowerLossProtection protection) {
    facts.path.layout = PageLayout::sharing_spare(4096, 512, 1024);
    facts.path.pages_per_wordline = 3;
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
  // Runs until no event is left. The flash answers no more than `commands_left` commands.
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
  int commands_left = 0;
};

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
  // The drive accepts no more writes, and still answers reads.
  CHECK(drive.ftl->health().read_only);
  CHECK(drive.submit(AccessKind::write, 3).status == AccessStatus::write_protected);
  CHECK(drive.submit(AccessKind::read, 5).status == AccessStatus::ok);
  CHECK(drive.host.done.size() == 6);
}

}  // namespace
}  // namespace nandscape::controller
