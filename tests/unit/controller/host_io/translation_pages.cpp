// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/translation_pages.h"

#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

// A drive whose mapping has two translation pages, of which only one fits into memory.
struct Bench final : FakeDrive, TranslationPages::Listener {
  Bench() : FakeDrive(many_units(), one_page_in_memory()) {
    mapping.cache.set_client(engine);
    engine.set_listener(*this);
  }
  static Geometry many_units() {
    Geometry g = one_plane;
    g.blocks_per_plane = 60;
    g.page_bytes = 512;
    g.spare_bytes = 64;
    return g;
  }
  static ControllerParameters one_page_in_memory() {
    ControllerParameters p = small_controller();
    p.mapping.cache = {.cache_bytes = 512, .entry_bytes = 8};
    return p;
  }
  void translated(PageAccess& access, Tick) override { found.push_back(access.lpn.value); }

  bool at_hand(std::uint64_t lpn) {
    return engine.at_hand(accesses.emplace_back(make_access(AccessKind::read, lpn)), calendar.now());
  }

  TranslationPages engine{reading.io,     mapping.map,      mapping.cache,  writing.units,
                          reading.reader, writing.assembly, writing.planes, chosen.stream_ids.mapping,
                          calendar};
  std::vector<std::uint64_t> found;
};

TEST_CASE("a translation page that was never written is in memory without a read, in an event of its own") {
  Bench b;
  CHECK_FALSE(b.at_hand(3));
  CHECK(b.found.empty());
  b.run();
  CHECK(b.found == std::vector<std::uint64_t>{3});
  CHECK(b.flash.sent.empty());
  CHECK(b.at_hand(4));
}

TEST_CASE("a changed translation page is written before its room is used, and read when it is needed again") {
  Bench b;
  b.at_hand(0);
  b.run();
  b.mapping.cache.update(Lpn(0), b.calendar.now());
  CHECK_FALSE(b.at_hand(64));  // entry of the other translation page
  b.run();
  const Lpn stored = b.mapping.map.translation_page(0);
  REQUIRE(b.mapping.map.find(stored).valid());
  CHECK(b.mapping.blocks.stream(b.block(stored.value)) == b.chosen.stream_ids.mapping);
  CHECK(b.value(stored.value) == 0);
  b.flash.sent.clear();
  CHECK_FALSE(b.at_hand(1));
  b.run();
  CHECK(b.found == std::vector<std::uint64_t>{0, 64, 1});
  CHECK(b.flash.count(NandOperation::read) == 1);
  // The translation page of unit 64 is unchanged, so it is not written.
  CHECK(b.flash.count(NandOperation::program) == 0);
  CHECK(b.at_rest());
}

TEST_CASE("the read of a translation page has the most urgent priority of its waiters") {
  Bench b;
  b.at_hand(0);
  b.run();
  b.mapping.cache.update(Lpn(0), b.calendar.now());
  b.at_hand(64);
  b.run();
  PriorityClass read_as = PriorityClass::low;
  b.flash.begins = [&](ChannelId, const NandCommand& command) {
    read_as = static_cast<const FlashOp*>(command.owner)->priority;
  };
  PageAccess low = make_access(AccessKind::read, 0), high = make_access(AccessKind::read, 1);
  low.priority = PriorityClass::low;
  high.priority = PriorityClass::high;
  // The dirty page must be written before another is loaded, so both reads wait.
  b.mapping.cache.update(Lpn(64), b.calendar.now());
  b.engine.at_hand(low, b.calendar.now());
  b.engine.at_hand(high, b.calendar.now());
  b.run();
  CHECK(read_as == PriorityClass::high);
}

}  // namespace
}  // namespace nandscape::controller
