// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/start_step.h"

#include "catch.h"
#include "fakes/mapping_fixture.h"

namespace nandscape::controller {
namespace {

constexpr Geometry flash = {.planes_per_die = 2, .blocks_per_plane = 20, .pages_per_block = 12, .page_bytes = 4096};
constexpr std::uint32_t layers = 4;
constexpr double age_hours = 80;

// A page whose place and age do not matter.
struct AnyPage final : PageUnderRecovery {
  PagePlace place() const override { return {}; }
  BlockAge age() const override { return {}; }
};

// A drive with blocks of three kinds: in each plane, one block holds data written recently; other blocks of the initial
// fill are old; the rest is free.
struct Drive {
  MappingFixture mapping{flash, 300, {.updated_bytes = 2 * 4096}};
  BlockTable blocks{mapping.geometry, mapping.fill};
  BlockReads reads{0, mapping.geometry.blocks()};
  DriveClock clock{1};
  BlockLives lives{mapping.geometry.blocks(), clock};
  BlockAges ages{{.age_hours = age_hours}, 1, mapping.fill, blocks, reads, lives};
  std::unique_ptr<StartStepPredictor> predictor =
      start_step_registry().make({"last_of_block_and_layer", nullptr}, {mapping.geometry.blocks(), layers, 254});

  unsigned start(Superblock block, std::uint32_t layer) const { return predictor->start({block, layer}, AnyPage()); }
};

// Returns a retry step for each layer: one step per eight hours of age, plus the number of the layer. Layer 2 has no
// step.
std::vector<std::optional<std::uint8_t>> step_of_layers(const BlockAge& age) {
  const auto step = static_cast<std::uint8_t>(age.age_hours / 8);
  return {step, step + 1, std::nullopt, step + 3};
}

TEST_CASE("blocks of the initial fill start at the step for their age at the last read, and others at step 0") {
  Drive drive;
  remember_last_reads(*drive.predictor, 0.5, step_of_layers, drive.blocks, drive.ages);
  unsigned old = 0, young = 0, free = 0;
  for (const Superblock block : drive.mapping.geometry.every_block()) {
    CAPTURE(block.value);
    if (!drive.blocks.filled(block)) {
      ++free;
      REQUIRE(drive.start(block, 1) == 0);
      continue;
    }
    const bool updated = drive.mapping.fill.updated(block);
    ++(updated ? young : old);
    const unsigned step = updated ? 0 : 5;
    REQUIRE(drive.start(block, 0) == step);
    REQUIRE(drive.start(block, 1) == step + 1);
    REQUIRE(drive.start(block, 2) == step + 1);  // the step of layer 1
    REQUIRE(drive.start(block, 3) == step + 3);
  }
  CHECK((old > 0 && young > 0 && free > 0));
}

TEST_CASE("later reads and erases replace the initial steps") {
  Drive drive;
  remember_last_reads(*drive.predictor, 1, step_of_layers, drive.blocks, drive.ages);
  const Superblock block(0);
  REQUIRE(drive.start(block, 0) == 10);
  drive.predictor->succeeded({block, 0}, 7, AnyPage());
  CHECK(drive.start(block, 0) == 7);
  CHECK(drive.start(block, 1) == 11);
  drive.predictor->erased(block);
  CHECK(drive.start(block, 1) == 0);
}

}  // namespace
}  // namespace nandscape::controller
