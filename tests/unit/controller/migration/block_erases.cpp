// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/block_erases.h"

#include <utility>
#include <vector>

#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

struct Bench final : FakeDrive, EraseListener {
  explicit Bench(const Geometry& g = one_plane, const ControllerParameters& p = small_controller()) : FakeDrive(g, p) {
    engine.subscribe(*this);
  }
  void block_erased(Superblock block, bool erased, Tick) override { ended.emplace_back(block, erased); }

  BlockErases engine{reading.io, journal, power, calendar};
  std::vector<std::pair<Superblock, bool>> ended;
};

TEST_CASE("an erase empties its block on flash, and its listeners hear whether it passed") {
  Bench b;
  b.write_all(0, 2);
  const Superblock block = b.block(0);
  const bool passes = GENERATE(true, false);
  b.flash.fails = [&](const NandCommand&) { return !passes; };
  b.engine.erase(block, b.calendar.now());
  b.run();
  CHECK(b.ended == std::vector{std::pair(block, passes)});
  CHECK(b.flash.pages.empty() == passes);
  CHECK(b.engine.failed() == (passes ? 0 : 1));
  CHECK(b.at_rest());
}

TEST_CASE("a superblock is erased once all its members are, and fails if one of them does") {
  ControllerParameters p = small_controller();
  p.parity.stripe_dies = 3;
  Bench b(three_dies, p);
  const bool passes = GENERATE(true, false);
  b.flash.fails = [&](const NandCommand&) { return !passes && b.flash.sent.size() == 2; };
  b.engine.erase(Superblock(4), 0);
  b.run();
  CHECK(b.flash.count(NandOperation::erase) == 3);
  CHECK(b.ended == std::vector{std::pair(Superblock(4), passes)});
}

TEST_CASE("without a capacitor an erase waits until earlier trims are durable") {
  Bench b(one_plane, without_capacitor());
  bool durable = false;
  b.on_trims_durable = [&](Tick now) {
    durable = true;
    CHECK(b.flash.count(NandOperation::erase) == 0);
    b.engine.send_waiting(now);
  };
  b.journal.record({Lpn(0), 1, 1});
  b.engine.erase(Superblock(5), 0);
  CHECK(b.engine.waiting() == 1);
  b.run();
  CHECK(durable);
  CHECK(b.engine.waiting() == 0);
  CHECK(b.ended == std::vector{std::pair(Superblock(5), true)});
}

}  // namespace
}  // namespace nandscape::controller
