// SPDX-License-Identifier: Apache-2.0
// Tests the recovery of a drive's mapping. After a power cut, a second drive takes over the flash of the first.
#include "controller/power_loss/power_on_recovery.h"

#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

struct Bench final : FakeDrive, PowerOnRecovery::Listener {
  explicit Bench(const ControllerParameters& p = without_capacitor(), StartUp start_up = StartUp::as_preconditioned)
      : FakeDrive(two_planes, p, start_up) {}

  void mapping_lost(Tick) override { lost = true; }
  void recovered(const std::vector<Superblock>&, const std::vector<Superblock>&, Tick) override { ++recoveries; }

  // Recovers the mapping from the flash of the drive `cut`, which has lost its power.
  void recover(const Bench& cut) {
    flash.pages = cut.flash.pages;
    engine.start(calendar.now());
    CHECK(engine.under_way());
    run();
    CHECK(recoveries == 1);
    CHECK_FALSE(engine.under_way());
    CHECK(at_rest());
  }

  MappingCheckpoints checkpoints{plan.keeps_checkpoints(),
                                 4,
                                 mapping.layout,
                                 facts.page_times,
                                 mapping.map,
                                 mapping.table,
                                 mapping.blocks,
                                 mapping.cache,
                                 mapping.trimmed,
                                 journal};
  PowerOnRecovery engine{reading.io,      reading.scheduler, mapping.map,    mapping.blocks,
                         mapping.trimmed, journal,           writing.writer, checkpoints,
                         power,           calendar,          *this};
  int recoveries = 0;
  bool lost = false;
};

ControllerParameters without_checkpoints() {
  ControllerParameters p = without_capacitor();
  p.power_loss.mapping_checkpoints = false;
  return p;
}

TEST_CASE("the tags give each unit its newest place, and versions go on") {
  Bench cut(without_checkpoints());
  cut.write_all(0, 14);
  cut.write(3, 100);
  cut.write(3, 101);
  Bench b(without_checkpoints(), StartUp::from_flash);
  b.recover(cut);
  for (std::uint64_t lpn = 0; lpn < 14; ++lpn) CHECK(b.place(lpn) == cut.place(lpn));
  CHECK_FALSE(b.place(14).valid());
  CHECK(b.mapping.map.version() == cut.mapping.map.version());
  CHECK(b.mapping.blocks.free_blocks() == cut.mapping.blocks.free_blocks());
  CHECK_FALSE(b.lost);
}

TEST_CASE("writing goes on in the blocks that were open") {
  Bench cut(without_checkpoints());
  cut.write_all(0, 6);  // three pages on each plane
  Bench b(without_checkpoints(), StartUp::from_flash);
  b.recover(cut);
  b.write(7, 7, b.chosen.stream_ids.reserve);  // recovery assigns the open blocks to collection first
  CHECK(b.block(7) == cut.block(5));
  CHECK(b.value(7) == 7);
}

TEST_CASE("a unit whose trim is in the journal stays trimmed, unless it was written since") {
  Bench cut(without_checkpoints());
  cut.write_all(0, 6);
  const TrimRecord trim{Lpn(0), 4, cut.mapping.map.next_version()};
  cut.mapping.trimmed.add(trim);
  cut.journal.record(trim);
  cut.journal.write(cut.calendar.now());
  cut.run();
  cut.write(2, 100);
  Bench b(without_checkpoints(), StartUp::from_flash);
  b.recover(cut);
  for (const std::uint64_t lpn : {0, 1, 3}) CHECK_FALSE(b.place(lpn).valid());
  CHECK(b.place(2) == cut.place(2));
  CHECK(b.place(4) == cut.place(4));
}

TEST_CASE("with a checkpoint, only pages written since are read") {
  Bench cut;
  cut.write_all(0, 12);
  cut.checkpoints.write(false, cut.writing.writer.frontier());
  Archive saved;
  cut.checkpoints.persist(saved);
  cut.write(3, 100);
  Bench b(without_capacitor(), StartUp::from_flash);
  const std::vector<std::byte> kept = saved.take();
  Archive found(kept);
  b.checkpoints.persist(found);
  b.recover(cut);
  for (std::uint64_t lpn = 0; lpn < 12; ++lpn) CHECK(b.place(lpn) == cut.place(lpn));
  Bench all(without_checkpoints(), StartUp::from_flash);
  all.recover(cut);
  CHECK(b.engine.counters().scanned_pages < all.engine.counters().scanned_pages);
}

TEST_CASE("the mapping is lost if a plane tells nothing") {
  Bench cut(without_checkpoints());
  cut.write_all(0, 2);
  Bench b(without_checkpoints(), StartUp::from_flash);
  b.flash.dead = true;
  b.recover(cut);
  CHECK(b.lost);
  CHECK(b.engine.mapping_is_lost());
}

}  // namespace
}  // namespace nandscape::controller
