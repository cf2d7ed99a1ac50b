// SPDX-License-Identifier: Apache-2.0
// Tests that a restored die behaves like the saved die, and that its data age while it is stored without power.
#include <bit>
#include <memory>

#include "cell_devices.h"
#include "nand/cell_models/cell_model.h"
#include "nand/page_store.h"
#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using enum NandOperation;
constexpr Tick hour = 3600 * second;

NandParameters worn_die() {
  NandParameters p = small_die();
  p.geometry.planes_per_die = 2;
  p.geometry.blocks_per_plane = 4;
  p.geometry.pages_per_block = 12;
  p.geometry.page_bytes = 1024;
  p.geometry.spare_bytes = 128;
  p.cells.failures.program_failure = 0.02;
  p.cells.failures.erase_failure = 0.05;
  p.condition.pe_cycles = 3000;
  return p;
}

// A die and the objects that it needs.
struct Rig {
  explicit Rig(const std::string& fidelity, bool stored = true, const NandParameters& p = worn_die())
      : keeps_data(stored),
        geometry{.planes_per_die = p.geometry.planes_per_die,
                 .blocks_per_plane = p.geometry.blocks_per_plane,
                 .pages_per_block = p.geometry.pages_per_block,
                 .page_bytes = p.geometry.page_bytes,
                 .spare_bytes = p.geometry.spare_bytes},
        timing(p),
        device(p, 512),
        cells(cell_model_registry().make({fidelity, nullptr})->make_cells(device, 11, "die", nullptr)),
        store(device.layout, PageStore::Spare::kept),
        tags(geometry.planes_per_die * geometry.blocks_per_plane, geometry.pages_per_block, 2),
        die("die", geometry, timing, stored ? &store : nullptr, cells.get(), &tags) {
    die.precondition(PlaneInDie(0), BlockInPlane(3), geometry.pages_per_block);
  }

  void complete(NandCommand& command, Tick now) {
    const Tick end = die.issue(command, now);
    if (end == never) return;
    die.finish(end);
    die.release(end);
  }
  std::vector<std::byte> saved(Tick now) {
    Archive archive;
    die.persist(archive, now);
    return archive.take();
  }
  void load(std::span<const std::byte> bytes, Tick now) {
    Archive archive(bytes);
    die.persist(archive, now);
    archive.finish();
  }

  bool keeps_data;
  Geometry geometry;
  NandTiming timing;
  CellDevice device;
  std::unique_ptr<CellArray> cells;
  PageStore store;
  PageTags tags;
  Die die;
};

// Issues random commands that the die accepts, and records the results of all commands.
class Tester {
 public:
  explicit Tester(const Geometry& geometry) : geometry_(geometry), blocks_(2 * geometry.blocks_per_plane) {
    blocks_[3].next = geometry.pages_per_block;
  }

  void run(Rig& rig, int steps) {
    for (int k = 0; k < steps; ++k, now_ += hour) step(rig);
  }
  Tick now() const { return now_; }
  std::vector<std::uint64_t> notes;

 private:
  struct Block {
    std::uint32_t next = 0;
    bool slc = false;
    bool spoiled = false;
  };

  void step(Rig& rig) {
    NandCommand c;
    const auto index = static_cast<std::uint32_t>(random_.below(blocks_.size()));
    Block& block = blocks_[index];
    c.plane = PlaneInDie(index / geometry_.blocks_per_plane);
    c.block = BlockInPlane(index % geometry_.blocks_per_plane);
    const std::uint32_t pages = block.slc ? geometry_.pages_per_block / 3 : geometry_.pages_per_block;
    std::vector<std::byte> data(rig.device.layout.total_bytes());
    std::array<std::uint64_t, 2> tag{};
    std::array<std::uint16_t, 2> counts{};
    if (rig.keeps_data) c.data = data.data();
    const std::uint64_t kind = random_.below(100);
    if (kind < 50 && block.next < pages && !block.spoiled) {
      c.operation = program;
      c.page = block.next++;
      if (c.page == 0) block.slc = random_.below(4) == 0;
      c.mode = block.slc ? ProgramMode::slc : ProgramMode::native;
      for (std::byte& b : data) b = static_cast<std::byte>(random_() & 0xff);
      tag = {random_(), random_()};
      c.tag = tag;
      if (random_.below(5) == 0) c.program_step_mv = rig.cells != nullptr ? 300 : 0;
    } else if (kind < 55) {
      c.operation = erase;
      block = {};
    } else if (kind < 58) {
      c.operation = set_feature;
      c.feature = feature::vref_offset(static_cast<std::uint32_t>(1 + random_.below(7)));
      c.feature_value = {static_cast<std::uint8_t>(random_.below(40)), 0, 0, 0};
    } else if (kind < 60) {
      rig.die.faults().fail_next(program, 1);
      return;
    } else {
      c.operation = kind < 70 ? copyback_read : read;
      c.page = static_cast<std::uint32_t>(random_.below(pages));
      c.bytes = c.operation == read ? geometry_.page_bytes : 0;
      c.retry_step = static_cast<std::uint8_t>(random_.below(3));
      c.tag = tag;
      c.codeword_errors = counts;
    }
    rig.complete(c, now_);
    if (c.operation == erase) block.spoiled = c.status == NandStatus::fail;
    std::uint64_t bytes = 0;
    for (const std::byte b : data) bytes = mix64(bytes ^ std::to_integer<std::uint64_t>(b));
    for (const std::uint64_t word : {std::uint64_t{c.status == NandStatus::pass}, std::uint64_t{c.raw_bit_errors},
                                     std::uint64_t{c.erased_page}, std::uint64_t{c.worst_codeword_errors},
                                     std::uint64_t{counts[0]}, std::uint64_t{counts[1]}, tag[0], tag[1], bytes}) {
      notes.push_back(word);
    }
  }

  const Geometry& geometry_;
  RandomStream random_{3, "tester"};
  std::vector<Block> blocks_;
  Tick now_ = 0;
};

TEST_CASE("a restored die behaves as the original") {
  const std::string fidelity = GENERATE(as<std::string>(), "ideal", "statistical", "per_cell");
  const bool stored = GENERATE(true, false);
  Rig original(fidelity, stored);
  Tester tester(original.geometry);
  tester.run(original, 250);
  const std::vector<std::byte> bytes = original.saved(tester.now());

  Rig copy(fidelity, stored);
  copy.load(bytes, tester.now());
  CHECK((copy.saved(tester.now()) == bytes));
  Tester other = tester;
  Tester fresh = tester;
  tester.run(original, 150);
  other.run(copy, 150);
  CHECK((tester.notes == other.notes));
  CHECK((original.saved(tester.now()) == copy.saved(other.now())));
  CHECK(copy.die.counters().page_programs == original.die.counters().page_programs);

  // The saved state must contain the data and their history. A die without this state must therefore return different
  // results.
  if (fidelity == "ideal") return;
  Rig bare(fidelity, stored);
  bool differs = false;
  try {
    fresh.run(bare, 150);
    differs = fresh.notes != tester.notes;
  } catch (const ProtocolError&) {
    differs = true;
  }
  CHECK(differs);
}

TEST_CASE("a busy die cannot be saved, and the state of a different die cannot be loaded") {
  Rig rig("statistical");
  NandCommand command;
  const Tick end = rig.die.issue(command, 0);
  CHECK_FALSE(rig.die.idle());
  CHECK_THROWS_AS(rig.saved(0), ProtocolError);
  rig.die.finish(end);
  CHECK_THROWS_AS(rig.saved(end), ProtocolError);
  rig.die.release(end);
  const std::vector<std::byte> bytes = rig.saved(end);

  NandParameters larger = worn_die();
  larger.geometry.blocks_per_plane = 5;
  Rig other("statistical", true, larger);
  CHECK_THROWS_WITH(other.load(bytes, 0), ContainsSubstring("was saved with blocks 8, but is read with 10"));
  Rig ideal("ideal");
  CHECK_THROWS_AS(ideal.load(bytes, 0), ArchiveError);
  Rig single("per_cell");
  CHECK_THROWS_AS(single.load(bytes, 0), ArchiveError);
  Rig without_data("statistical", false);
  CHECK_THROWS_AS(without_data.load(bytes, 0), ArchiveError);
}

TEST_CASE("the state after a power cut can be read after power-on") {
  const std::string fidelity = GENERATE(as<std::string>(), "ideal", "statistical", "per_cell");
  NandParameters p = worn_die();
  p.cells.failures = {};
  Rig before(fidelity, false, p);
  const auto program_page = [&](Rig& rig, std::uint32_t page, Tick now) {
    NandCommand c;
    c.operation = program;
    c.page = page;
    std::array<std::uint64_t, 2> tag{page, 77};
    c.tag = tag;
    rig.complete(c, now);
    return c.status;
  };
  const auto tag_of = [&](Rig& rig, std::uint32_t page) {
    NandCommand c;
    c.page = page;
    std::array<std::uint64_t, 2> tag{};
    c.tag = tag;
    rig.complete(c, second);
    return tag[0];
  };
  for (std::uint32_t page = 0; page < 8; ++page) program_page(before, page, hour);
  before.die.power_cut(hour);
  Rig after(fidelity, false, p);
  after.load(before.saved(hour), 0);
  CHECK(tag_of(after, 5) == 5);
  CHECK(tag_of(after, 6) == no_tag);
  CHECK(program_page(after, 6, hour) == NandStatus::pass);
}

double errors_of_pages(Rig& rig, std::uint32_t plane, std::uint32_t block, Tick now) {
  double errors = 0;
  for (std::uint32_t page = 0; page < rig.geometry.pages_per_block; ++page) {
    NandCommand c;
    c.plane = PlaneInDie(plane);
    c.block = BlockInPlane(block);
    c.page = page;
    c.bytes = rig.geometry.page_bytes;
    rig.complete(c, now);
    errors += c.raw_bit_errors;
  }
  return errors;
}

TEST_CASE("time on the shelf counts as retention") {
  const std::string fidelity = GENERATE(as<std::string>(), "statistical", "per_cell");
  NandParameters p = worn_die();
  p.cells.failures = {};
  p.geometry.page_bytes = 4096;
  p.geometry.spare_bytes = 512;
  p.condition.retention_days = 0;
  Rig young(fidelity, false, p);
  p.condition.retention_days = 180;
  p.condition.storage_temperature_c = 45;
  Rig old(fidelity, false, p);
  const double at_first = errors_of_pages(young, 0, 3, 0);
  // The other plane is programmed during the simulation, to compare its data with the initial data.
  for (std::uint32_t page = 0; page < young.geometry.pages_per_block; ++page) {
    NandCommand c;
    c.operation = program;
    c.plane = PlaneInDie(1);
    c.page = page;
    young.complete(c, 0);
  }
  young.die.advance(180 * 24, 45);
  const double aged = errors_of_pages(young, 0, 3, 0);
  const double expected = errors_of_pages(old, 0, 3, 0);
  const double programmed = errors_of_pages(young, 1, 0, 0);
  CHECK(expected > 300);
  CHECK(at_first < expected / 2);
  // The margin is five standard deviations of the difference of two counts.
  CHECK(aged == Approx(expected).margin(5 * std::sqrt(2 * expected)));
  // These are different blocks, so they also differ by the variation between blocks.
  CHECK(programmed == Approx(expected).epsilon(0.3));
}

}  // namespace
}  // namespace nandscape::nand
