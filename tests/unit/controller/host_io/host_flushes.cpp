// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/host_flushes.h"

#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

struct Bench final : FakeDrive {
  explicit Bench(const ControllerParameters& p = without_capacitor()) : FakeDrive(one_plane, p) {
    on_durable = [this](Tick now) { engine.page_durable(now); };
    on_trims_durable = [this](Tick now) {
      engine.trims_durable();
      engine.page_durable(now);
    };
  }
  PageAccess& flush() {
    PageAccess& access = submitted.emplace_back(make_access(AccessKind::flush, 0));
    engine.flush(access, calendar.now());
    return access;
  }
  bool done(const PageAccess& access) const { return host.time_of(access).has_value(); }

  HostFlushes engine{writing.writer.ledger(), journal, power, port};
  std::deque<PageAccess> submitted;
};

TEST_CASE("with a capacitor a flush has nothing to wait for") {
  Bench b(small_controller());
  b.write(0);
  CHECK(b.done(b.flush()));
}

TEST_CASE("a flush completes begun wordlines and waits until they are durable") {
  Bench b;
  CHECK(b.done(b.flush()));  // nothing was written
  b.write(0);
  const PageAccess& flush = b.flush();
  CHECK_FALSE(b.done(flush));
  b.run();
  CHECK(b.done(flush));
  CHECK(b.durable == std::vector<std::uint64_t>{0});
  CHECK(b.flash.count(NandOperation::program) == 3);
  CHECK(b.engine.idle());
}

TEST_CASE("a flush also waits for the journal of earlier trims, and fails if it can never be written") {
  Bench b;
  b.journal.record({Lpn(0), 1, 1});
  const PageAccess& flush = b.flush();
  b.engine.page_durable(0);
  CHECK_FALSE(b.done(flush));
  SECTION("written") {
    b.run();
    CHECK(b.done(flush));
    CHECK(flush.status == AccessStatus::ok);
  }
  SECTION("never") {
    b.engine.trims_not_durable();
    b.engine.page_durable(0);
    CHECK(b.done(flush));
    CHECK(flush.status == AccessStatus::write_protected);
  }
}

TEST_CASE("flushes that are given up are returned in their order, and end no more") {
  Bench b;
  b.write(0);
  PageAccess* const first = &b.flush();
  PageAccess* const second = &b.flush();
  CHECK(b.engine.give_up() == std::vector{first, second});
  b.run();
  CHECK_FALSE(b.done(*first));
  CHECK(b.engine.idle());
}

}  // namespace
}  // namespace nandscape::controller
