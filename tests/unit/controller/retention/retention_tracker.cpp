// SPDX-License-Identifier: Apache-2.0
#include "controller/retention/retention_tracker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "catch.h"
#include "core/archive.h"
#include "core/random.h"
#include "fakes/mapping_fixture.h"

namespace nandscape::controller {
namespace {

using State = BlockTable::State;

constexpr double period = 168, guarantee = 2 * period;
constexpr double endless = std::numeric_limits<double>::infinity();

// A drive with one plane that consists only of the tracker. The drive carries out the tracker's requests immediately,
// unless `carries_out` is false.
struct Drive final : BlockGuarantees::Host {
  explicit Drive(std::uint32_t block_count = 40)
      : mapping(FtlGeometry(1, block_count, 4, 4096), 16, {.occupancy = 0}),
        blocks(mapping.geometry, mapping.fill),
        relaxed(period, clock),
        tracker(relaxed, {blocks, clock, *this}) {}

  // Opens a block now, in the relaxed write mode or in the normal mode, and writes `pages` of its four pages.
  Superblock write(std::uint32_t pages = 4, bool in_relaxed_mode = true) {
    const Superblock block = blocks.take_free(FtlPlane(0));
    REQUIRE(block.valid());
    if (in_relaxed_mode) blocks.set_write_mode(block, relaxed.open(block, now));
    for (std::uint32_t k = 0; k < pages; ++k) blocks.hold(blocks.append(block, now), Lpn(lpns++ % 16));
    opened[block.value] = clock.hours(now);
    return block;
  }
  void invalidate(Superblock block) {
    for (std::uint32_t k = 0; k < 4; ++k) {
      const Ppa page = mapping.geometry.unit(block, k);
      if (blocks.held_by(page).valid()) blocks.invalidate(page);
    }
  }
  void erase(Superblock block) {
    invalidate(block);
    blocks.erased(block);
    tracker.block_erased(block, now);
  }

  void empty(Superblock block, Tick) override {
    REQUIRE(blocks.state(block) == State::full);
    asked.emplace_back(block, clock.hours(now));
    if (carries_out) erase(block);
  }
  void close(Superblock block) override { blocks.close(block); }
  void make_durable(Superblock block) override { made_durable.push_back(block); }

  // Advances the drive's clock by `hours`, and calls the tracker whenever it is due.
  void pass(double hours) {
    while (hours > 0) {
      const double step = std::min(hours, tracker.hours_left(now));
      clock.pass(step);
      hours -= step;
      tracker.work(now);
    }
  }
  double oldest() const {
    double oldest = 0;
    for (const auto& [block, hours] : opened) {
      const Superblock of(block);
      if (blocks.write_mode(of) != 0 && blocks.valid_pages(of) != 0) {
        oldest = std::max(oldest, clock.hours(now) - hours);
      }
    }
    return oldest;
  }

  MappingFixture mapping;
  BlockTable blocks;
  DriveClock clock{1};
  RelaxedBlocks relaxed;
  RetentionTracker tracker;
  Tick now = 0;
  std::uint64_t lpns = 0;
  bool carries_out = true;
  std::map<std::uint32_t, double> opened;
  std::vector<std::pair<Superblock, double>> asked;
  std::vector<Superblock> made_durable;
};

TEST_CASE("blocks written in one period are reprogrammed evenly over the next, the oldest first") {
  Drive d;
  std::vector<Superblock> written;
  for (int k = 0; k < 8; ++k) {
    written.push_back(d.write());
    d.write(4, false);  // in normal mode, so the tracker must ignore the block
    d.pass(10);
  }
  CHECK(d.asked.empty());
  CHECK(d.tracker.counters(0).blocks == 8);
  CHECK(d.tracker.counters(0).oldest_hours == Approx(80));
  d.pass(2 * guarantee);
  REQUIRE(d.asked.size() == 8);
  for (std::size_t k = 0; k < 8; ++k) {
    CAPTURE(k);
    CHECK(d.asked[k].first == written[k]);
    CHECK(std::abs(d.asked[k].second - period - static_cast<double>(k) * period / 8) < 0.002 * period);
  }
  CHECK(d.tracker.counters(0).blocks == 0);
  CHECK(d.tracker.counters(0).longest_hours < guarantee);
  CHECK(d.tracker.hours_left(0) == endless);
}

TEST_CASE("no relaxed block outlives its guarantee, whenever it is written and however often the tracker is called") {
  RandomStream random(GENERATE(1, 2, 3, 4), "retention");
  Drive d;
  Superblock open;
  for (int k = 0; k < 3000; ++k) {
    if (!open.valid() || d.blocks.state(open) != State::open) {
      if (d.blocks.free_blocks() > 2) open = d.write(1 + static_cast<std::uint32_t>(random.below(4)));
    } else if (random.below(2) == 0) {
      const Ppa page = d.blocks.append(open, 0);
      d.blocks.hold(page, Lpn(d.lpns++ % 16));
    }
    if (random.below(4) == 0) {
      const Superblock other(static_cast<std::uint32_t>(random.below(40)));
      if (d.blocks.state(other) == State::full) random.below(2) == 0 ? d.erase(other) : d.invalidate(other);
    }
    for (std::uint32_t other = 0; other < 40; ++other) {
      const Superblock block(other);
      if (d.blocks.state(block) == State::full && d.blocks.valid_pages(block) == 0) d.erase(block);
    }
    d.pass(random.uniform() * 20);
    REQUIRE(d.oldest() <= guarantee);
    REQUIRE(d.tracker.counters(0).oldest_hours == Approx(d.oldest()));
  }
  CHECK(d.asked.size() > 100);
  CHECK(d.tracker.counters(0).longest_hours > period);
  CHECK(d.tracker.counters(0).longest_hours <= guarantee);
}

TEST_CASE("a block that is open when its period ends is closed, and reprogrammed like others") {
  Drive d;
  const Superblock block = d.write(1);
  d.pass(period - 1);
  CHECK(d.blocks.state(block) == State::open);
  d.pass(2);
  CHECK(d.blocks.state(block) != State::open);
  d.pass(period);
  CHECK(d.blocks.state(block) == State::free);
  // A block without valid data must be closed as well. Otherwise pages that are written to it later would count as old
  // as its first pages.
  const Superblock empty = d.write(1);
  d.invalidate(empty);
  d.pass(period);
  CHECK(d.blocks.state(empty) == State::full);
}

TEST_CASE("after time without power, overdue blocks are reprogrammed at once, and the rest in turn") {
  Drive d;
  for (int k = 0; k < 5; ++k) d.write();
  d.clock.pass(1.5 * period);
  for (int k = 0; k < 5; ++k) d.write();
  d.clock.pass(0.6 * period);
  // The opening times of the blocks are lost, so the age of the first five blocks can be seen only from their write
  // modes.
  d.relaxed.resize(0);
  d.relaxed.resize(40);
  d.tracker.resume(0);
  REQUIRE(d.asked.size() >= 5);
  for (std::size_t k = 0; k < 5; ++k) CHECK(d.asked[k].first == Superblock(static_cast<std::uint32_t>(k)));
  CHECK(d.asked.size() == 6);
  // The exact opening time is unknown, so these blocks count as opened at the beginning of their period.
  CHECK(d.tracker.counters(0).longest_hours == Approx(2.1 * period));
  d.pass(0.9 * period);
  CHECK(d.asked.size() == 10);
  CHECK(d.tracker.hours_left(0) == endless);
}

TEST_CASE("periods are told apart after years without power") {
  for (const std::uint32_t passed : {0u, 1u, 2u, 100u, 254u}) {
    for (const double begin : {0.0, 254.5 * period, 300.2 * period}) {
      DriveClock clock(1);
      RelaxedBlocks relaxed(period, clock);
      relaxed.resize(1);
      clock.pass(begin);
      const std::uint8_t mode = relaxed.open(Superblock(0), 0);
      CHECK(mode != 0);
      clock.pass(passed * period);
      CHECK(relaxed.periods_since(mode, 0) == passed);
    }
  }
}

TEST_CASE("blocks that could not be emptied are requested again once they are overdue") {
  Drive d;
  d.carries_out = false;
  const Superblock block = d.write();
  d.pass(period + 1);
  CHECK(d.asked.size() == 1);
  d.pass(0.9 * period);
  CHECK(d.asked.size() == 1);
  d.pass(0.2 * period);
  CHECK(d.asked.size() > 1);
  CHECK(d.asked.back().first == block);
}

TEST_CASE("newer versions of a block's data become durable before the block is too old") {
  Drive d;
  const Superblock block = d.write();
  d.invalidate(block);
  d.blocks.pin(block);  // newer versions are not durable
  d.pass(period / 2);
  d.tracker.work(0);
  CHECK(d.made_durable.empty());
  d.clock.pass(period / 2 + 1);
  d.tracker.work(0);
  CHECK(d.made_durable == std::vector{block});
  d.blocks.unpin(block);
}

TEST_CASE("the tracker is due at most every 100 ms, and when a period begins") {
  DriveClock clock(3600.0 * period);  // a period takes a second
  MappingFixture mapping(FtlGeometry(1, 10, 4, 4096), 16, {.occupancy = 0});
  BlockTable blocks(mapping.geometry, mapping.fill);
  RelaxedBlocks relaxed(period, clock);
  struct Counting final : BlockGuarantees::Host {
    void empty(Superblock, Tick) override { ++asked; }
    void close(Superblock) override {}
    void make_durable(Superblock) override {}
    int asked = 0;
  } host;
  RetentionTracker tracker(relaxed, {blocks, clock, host});
  for (const Tick now : {Tick{0}, 350 * millisecond}) {
    CHECK(tracker.due(now) >= second);
    CHECK(tracker.due(now) <= second + 100 * millisecond);
  }
  for (int k = 0; k < 5; ++k) {
    const Superblock block = blocks.take_free(FtlPlane(0));
    blocks.set_write_mode(block, relaxed.open(block, 0));
    for (std::uint64_t page = 0; page < 4; ++page) blocks.hold(blocks.append(block, 0), Lpn(page));
  }
  int looks = 0;
  for (Tick now = tracker.due(0); now < 2 * second; now = tracker.due(now)) {
    CHECK(now % (100 * millisecond) == 0);
    tracker.work(now);
    ++looks;
    CHECK(host.asked <= looks);
  }
  CHECK(host.asked == 5);
  CHECK(looks <= 7);
}

TEST_CASE("the tracker's state survives an archive") {
  Drive d;
  d.carries_out = false;
  for (int k = 0; k < 6; ++k) {
    d.write();
    d.pass(20);
  }
  d.pass(period);
  Archive archive;
  d.tracker.persist(archive);
  d.tracker.persist_counters(archive);
  const std::vector<std::byte> state = archive.take();
  RelaxedBlocks relaxed(period, d.clock);
  RetentionTracker other(relaxed, {d.blocks, d.clock, d});
  Archive saved(state);
  other.persist(saved);
  other.persist_counters(saved);
  saved.finish();
  CHECK(other.hours_left(0) == d.tracker.hours_left(0));
  CHECK(other.counters(0).oldest_hours == d.tracker.counters(0).oldest_hours);
  Archive again;
  other.persist(again);
  other.persist_counters(again);
  CHECK((again.take() == state));
}

}  // namespace
}  // namespace nandscape::controller
