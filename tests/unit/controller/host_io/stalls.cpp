// SPDX-License-Identifier: Apache-2.0
// Flash that stops answering, which no real flash does: all pending accesses end nevertheless.
#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "catch.h"
#include "controller/ftl.h"

namespace nandscape::controller {
namespace {

struct SilentFlash final : FlashScheduler::Port, EccPort, StorageClient {
  explicit SilentFlash(PowerLossProtection protection) {
    facts.path.layout = PageLayout::sharing_spare(4096, 512, 1024);
    facts.path.pages_per_wordline = 3;
    parameters.mapping.over_provisioning = 1;
    parameters.precondition.occupancy = 0;
    parameters.garbage_collection.start_free_blocks = 2;
    parameters.power_loss.protection = protection;
    ftl = std::make_unique<Ftl>(FtlPlan{parameters, geometry, facts, 1, StartUp::as_preconditioned, calendar}, *this,
                                *this);
    ftl->set_client(*this);
  }

  PageAccess& submit(AccessKind kind, std::uint64_t lpn, bool forced = false) {
    PageAccess& access = accesses.emplace_back();
    access.kind = kind;
    access.lpn = Lpn(lpn);
    access.sector_count = 4096 / sector_bytes;
    access.force_unit_access = forced;
    ftl->submit(access, calendar.now());
    return access;
  }
  // Runs until no event is left.
  void run() {
    for (;;) {
      calendar.run_until(never);
      if (!jobs.empty()) {
        EccJob& job = *jobs.front();
        jobs.pop_front();
        static_cast<FlashOp*>(job.owner)->coded(calendar.now());
      } else if (commands_left > 0 && !commands.empty()) {
        --commands_left;
        const auto [channel, command] = commands.front();
        commands.pop_front();
        ftl->scheduler().request_ended(channel, *command, calendar.now());
        ftl->scheduler().response_begins(channel, *command, calendar.now());
      } else {
        return;
      }
    }
  }

  void begin_request(ChannelId channel, NandCommand& command) override { commands.emplace_back(channel, &command); }
  void end_response(ChannelId, NandCommand&) override {}
  void submit(ChannelId, EccJob& job) override { jobs.push_back(&job); }
  void completed(PageAccess& access, Tick) override { ended.push_back(&access); }

  Geometry geometry{.blocks_per_plane = 16, .pages_per_block = 12, .page_bytes = 4096};
  ControllerParameters parameters;
  FlashFacts facts;
  Calendar calendar;
  std::unique_ptr<Ftl> ftl;
  std::deque<std::pair<ChannelId, NandCommand*>> commands;
  std::deque<EccJob*> jobs;
  std::deque<PageAccess> accesses;
  std::vector<PageAccess*> ended;
  int commands_left = 0;
};

TEST_CASE("pending accesses end when the flash stalls, and the drive reports why") {
  const auto protection = GENERATE(PowerLossProtection::capacitor, PowerLossProtection::none);
  SilentFlash flash(protection);
  flash.commands_left = GENERATE(0, 1, 2);
  PageAccess& forced = flash.submit(AccessKind::write, 1, true);
  flash.run();
  PageAccess& write = flash.submit(AccessKind::write, 2);
  PageAccess& behind = flash.submit(AccessKind::write, 2);
  PageAccess& flush = flash.submit(AccessKind::flush, 0);
  flash.run();
  REQUIRE(flash.ended.size() < 4);
  int rounds = 0;
  for (; flash.ended.size() < 4 && rounds < 10; ++rounds) {
    REQUIRE(flash.calendar.empty());
    REQUIRE(flash.ftl->end_stall(flash.calendar.now()));
    flash.run();
  }
  CHECK(flash.ended.size() == 4);
  for (const PageAccess* access : {&forced, &write, &behind, &flush}) {
    CHECK(std::count(flash.ended.begin(), flash.ended.end(), access) == 1);
  }
  CHECK(behind.status != AccessStatus::ok);
  CHECK_FALSE(flash.ftl->end_stall(flash.calendar.now()));
  CHECK(flash.ftl->counters().stalls == static_cast<std::uint64_t>(rounds));
  CHECK_THAT(flash.ftl->stall_report(), ContainsSubstring("no progress") && ContainsSubstring("die 0"));
  // The drive accepts no more writes, and still answers reads.
  CHECK(flash.ftl->health().read_only);
  CHECK(flash.submit(AccessKind::write, 3).status == AccessStatus::write_protected);
  CHECK(flash.submit(AccessKind::read, 5).status == AccessStatus::ok);
  CHECK(flash.ended.size() == 6);
}

}  // namespace
}  // namespace nandscape::controller
