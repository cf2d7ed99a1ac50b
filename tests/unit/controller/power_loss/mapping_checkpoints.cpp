// SPDX-License-Identifier: Apache-2.0
#include "controller/power_loss/mapping_checkpoints.h"

#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

struct Bench final : FakeDrive {
  explicit Bench(const Geometry& g = one_plane) : FakeDrive(g) {}

  static constexpr PageTimes times{.read = 70, .program = 700, .bus = 10};
  MappingCheckpoints engine{
      true,   4, mapping.layout, times, mapping.map, mapping.table, mapping.blocks, mapping.cache, mapping.trimmed,
      journal};
};

TEST_CASE("a checkpoint restores the mapping, the blocks and the trims as they were when it was written") {
  Bench b;
  b.write_all(0, 6);
  b.mapping.trimmed.add({Lpn(20), 2, b.mapping.map.next_version()});
  b.engine.write(false, b.writing.writer.frontier());
  const Ppa place = b.place(2);
  const std::uint64_t version = b.mapping.map.version();
  b.write(2, 100);
  b.mapping.trimmed.remove(Lpn(20));
  b.engine.load(false);
  CHECK(b.place(2) == place);
  CHECK(b.mapping.blocks.held_by(place) == Lpn(2));
  CHECK(b.mapping.blocks.valid_pages(b.block(2)) == 6);
  CHECK(b.mapping.trimmed.records().front().first == Lpn(20));
  CHECK(b.mapping.map.version() == version);
}

TEST_CASE("a checkpoint is complete until the first recovery that takes it") {
  Bench b;
  b.engine.write(false, b.writing.writer.frontier());
  CHECK_FALSE(b.engine.take_complete());
  b.engine.write(true, b.writing.writer.frontier());
  CHECK(b.engine.take_complete());
  CHECK_FALSE(b.engine.take_complete());
}

TEST_CASE("the pages of a checkpoint are read and written on all planes and channels at once") {
  Bench b(three_dies);
  // The checkpoint has 72 mapping entries and 36 block stamps of 4 bytes each, which fit into one page.
  CHECK(b.engine.read_time() == 70 + 10);
  CHECK(b.engine.write_time() == 700 + 10);
  b.engine.write(false, b.writing.writer.frontier());
  CHECK(b.engine.pages_written() == 1);
}

}  // namespace
}  // namespace nandscape::controller
