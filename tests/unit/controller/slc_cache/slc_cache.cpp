// SPDX-License-Identifier: Apache-2.0
// Tests how many blocks the SLC cache takes, where the host's data go when it is full, and when its blocks are folded.
#include "controller/slc_cache/slc_cache.h"

#include <vector>

#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

constexpr std::uint32_t slc_pages = 2;  // a block of the drive has two wordlines

ControllerParameters with_cache(double static_percent, double dynamic_percent) {
  ControllerParameters p = small_controller();
  p.garbage_collection.start_free_blocks = 1;
  p.mapping.over_provisioning = 6;
  p.slc_cache.static_percent = static_percent;
  p.slc_cache.dynamic_percent = dynamic_percent;
  p.slc_cache.fold_idle_ms = 0;
  return p;
}

// A drive with planes of 12 blocks. Collection only records which pages it would move.
struct Bench final : FakeDrive {
  explicit Bench(const ControllerParameters& p, const Geometry& planes = one_plane) : FakeDrive(planes, p) {
    collector.set_first_victims(*cache);
  }

  // Writes the unit as the host does. Returns whether it was written in SLC mode.
  bool write_as_host(std::uint64_t lpn) {
    const std::uint8_t stream = cache->takes_unit(calendar.now()) ? cache->stream() : std::uint8_t{0};
    write(lpn, 1, stream);
    return mapping.blocks.shape(block(lpn)).cells == ProgramMode::slc;
  }
  // Writes units from `first` on until one is not written in SLC mode. Returns the number of those that were.
  std::uint64_t fill_cache(std::uint64_t first = 0) {
    std::uint64_t count = 0;
    while (write_as_host(first + count)) ++count;
    return count;
  }
  // Overwrites the data of a block of the cache, so that its erase is the next step after it has been folded.
  void fold_ends(Superblock folded) {
    cache->block_erased(folded, true, calendar.now());
    collector.block_erased(folded, true, calendar.now());
  }
  std::vector<Reason> folds() const {
    std::vector<Reason> reasons;
    for (const Move& move : moves) reasons.push_back(move.reason);
    return reasons;
  }
};

TEST_CASE("a static cache takes its share of the blocks, and the other data are written to ordinary blocks") {
  Bench b(with_cache(25, 0));
  CHECK(b.collector.free_for_data(FtlPlane(0)) == 12 - 3);
  CHECK(b.fill_cache() == 3 * slc_pages);
  CHECK(b.collector.free_for_data(FtlPlane(0)) == 12 - 3 - 1);
  const SlcCacheCounters counters = b.cache->counters();
  CHECK(counters.cached_units == 3 * slc_pages);
  CHECK(counters.direct_units == 1);
  CHECK(counters.blocks == 3);
  CHECK(counters.valid_units == 3 * slc_pages);
}

TEST_CASE("a dynamic cache takes its share of the free blocks above those that collection keeps free") {
  // Twelve blocks are free, and two of them always stay free: one at which collection does not begin yet, and the next
  // one that data need.
  const auto [share, blocks] = GENERATE(table<double, std::uint64_t>({{100, 10}, {50, 5}, {35, 3}}));
  Bench b(with_cache(0, share));
  CHECK(b.fill_cache() == blocks * slc_pages);
}

TEST_CASE("a dynamic cache shrinks as ordinary blocks are filled") {
  Bench b(with_cache(0, 50));
  constexpr std::uint64_t ordinary = 4;
  b.write_all(100, ordinary * 6);
  CHECK(b.fill_cache() == (12 - ordinary - 2) / 2 * slc_pages);
}

TEST_CASE("blocks of the dynamic part are collected before others, and those of the static part are not") {
  const bool dynamic = GENERATE(true, false);
  Bench b(with_cache(dynamic ? 0 : 25, dynamic ? 30 : 0));
  b.fill_cache();
  const Superblock victim = b.cache->victim(FtlPlane(0));
  REQUIRE(victim.valid() == dynamic);
  if (dynamic) CHECK(b.mapping.blocks.shape(victim).cached);
}

TEST_CASE("the victim policy does not choose blocks of the cache") {
  Bench b(with_cache(25, 0));
  b.write_as_host(0);
  b.write_as_host(1);  // fills a block
  b.write_as_host(0);  // makes half of it invalid
  CHECK_FALSE(b.mapping.blocks.emptiest(FtlPlane(0)).valid());
  CHECK_FALSE(b.mapping.blocks.gains_page(b.block(1)));
}

TEST_CASE("a host that waits for room has a block folded, the one with the fewest valid units") {
  ControllerParameters p = with_cache(25, 0);
  p.slc_cache.when_full = WhenFull::fold;
  Bench b(p);
  for (std::uint64_t lpn = 0; lpn < 3 * slc_pages; ++lpn) b.write_as_host(lpn);
  const Superblock emptiest = b.block(2);
  b.mapping.blocks.invalidate(b.place(2));
  CHECK(b.cache->waits_for_room(FtlPlane(0), b.calendar.now()));
  CHECK(b.cache->host_waits(FtlPlane(0)));
  REQUIRE(b.folds() == std::vector{Reason::fold});
  CHECK(b.mapping.layout.block_of(b.moves.front().first_unit) == emptiest);
  b.fold_ends(emptiest);
  CHECK_FALSE(b.cache->host_waits(FtlPlane(0)));
  CHECK(b.write_as_host(100));
}

TEST_CASE("blocks are folded one by one after a time without writes") {
  ControllerParameters p = with_cache(25, 0);
  p.slc_cache.fold_idle_ms = 10;
  Bench b(p);
  for (std::uint64_t lpn = 0; lpn < 3 * slc_pages; ++lpn) {
    const std::uint8_t stream = b.cache->takes_unit(b.calendar.now()) ? b.cache->stream() : std::uint8_t{0};
    b.put(lpn, 1, stream);
    const Tick next = ticks_from_ms(static_cast<double>(lpn + 1));
    do b.calendar.run_until(next);
    while (b.ecc.answer(b.calendar.now()) || b.flash.answer(b.calendar.now()));
    b.calendar.advance(next);
  }
  const Tick last = ticks_from_ms(5);
  b.calendar.run_until(last + ticks_from_ms(10) - 1);
  CAPTURE(b.calendar.now(), b.folds().size());
  CHECK(b.folds().empty());
  b.calendar.run_until(last + ticks_from_ms(10));
  CHECK(b.folds() == std::vector{Reason::fold, Reason::fold});  // both units of a block
  b.fold_ends(b.block(0));
  b.run();
  CHECK(b.folds().size() == 4);
}

TEST_CASE("with a mark, blocks are folded while the host writes, at the given rate at most") {
  ControllerParameters p = with_cache(50, 0);
  p.slc_cache.fold_mark_percent = 50;
  p.slc_cache.fold_rate_mb_s = 2 * 4096 / 1000.0;  // a block of two units of 4096 bytes each millisecond
  Bench b(p);
  for (std::uint64_t lpn = 0; lpn < 3 * slc_pages; ++lpn) b.write_as_host(lpn);
  CHECK(b.folds().empty());  // three blocks of six are used
  b.write_as_host(100);
  CHECK(b.folds().size() == slc_pages);
  const Tick first = b.calendar.now();
  b.fold_ends(b.block(0));
  b.write_as_host(101);
  b.write_as_host(102);
  CHECK(b.folds().size() == 2 * slc_pages);
  CHECK(b.calendar.now() == first + ticks_from_ms(1));
}

TEST_CASE("planes of a die begin direct folds together") {
  ControllerParameters p = with_cache(50, 0);
  p.slc_cache.fold_by = FoldBy::copyback;
  p.slc_cache.fold_mark_percent = 25;
  Bench b(p, two_planes);
  for (std::uint64_t lpn = 0; lpn < 2 * 4 * slc_pages; ++lpn) b.write_as_host(lpn);
  REQUIRE(b.folds().size() == 2 * slc_pages);  // a block of each plane
  const Superblock one = b.mapping.layout.block_of(b.moves.front().first_unit);
  const Superblock other = b.mapping.layout.block_of(b.moves.back().first_unit);
  REQUIRE(b.mapping.layout.mapping().plane_of(one) != b.mapping.layout.mapping().plane_of(other));
  b.fold_ends(one);
  b.run();
  CHECK(b.folds().size() == 2 * slc_pages);
  b.fold_ends(other);
  b.run();
  CHECK(b.folds().size() == 4 * slc_pages);
}

TEST_CASE("an erase in SLC mode has an account of its own") {
  Bench b(with_cache(25, 0));
  b.fill_cache();
  const Superblock cached = b.block(0), ordinary = b.block(3 * slc_pages);
  b.cache->block_erased(cached, true, 0);
  b.cache->block_erased(ordinary, true, 0);
  CHECK(b.mapping.lives.slc_erases(cached) == 1);
  CHECK(b.mapping.lives.slc_erases(ordinary) == 0);
}

TEST_CASE("after power-on, the cache finds its blocks by their mode") {
  Bench b(with_cache(25, 0));
  b.fill_cache();
  b.cache->come_up();
  CHECK(b.cache->counters().blocks == 3);
  CHECK_FALSE(b.cache->may_open(FtlPlane(0)));
}

}  // namespace
}  // namespace nandscape::controller
