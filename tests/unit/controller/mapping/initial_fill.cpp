// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/initial_fill.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "fakes/mapping_fixture.h"
#include "unit/controller/plane_monte_carlo.h"

namespace nandscape::controller {
namespace {

// Checks that both directions of the mapping agree, and that the counts of valid pages match the pages that are found.
void check_bijection(const MappingFixture& f, std::uint64_t written, bool on_any_plane = false) {
  std::vector<std::uint32_t> valid(f.geometry.blocks());
  std::vector<bool> taken(f.geometry.units());
  for (std::uint64_t lpn = 0; lpn < f.logical_pages; ++lpn) {
    const Ppa ppa = f.fill.find(Lpn(lpn));
    REQUIRE(ppa.valid() == (lpn < written));
    if (!ppa.valid()) continue;
    REQUIRE(ppa.value < f.geometry.units());
    REQUIRE_FALSE(taken[ppa.value]);
    taken[ppa.value] = true;
    const Superblock block = f.geometry.block_of(ppa);
    if (!on_any_plane) REQUIRE(f.geometry.plane_of(block) == f.order.plane_of(Lpn(lpn)));
    REQUIRE(f.geometry.unit_in_block(ppa) < f.fill.programmed_pages(block));
    REQUIRE(f.fill.lpn_at(ppa) == Lpn(lpn));
    ++valid[block.value];
  }
  for (std::uint64_t ppa = 0; ppa < f.geometry.units(); ++ppa) {
    if (!taken[ppa]) REQUIRE_FALSE(f.fill.lpn_at(Ppa(ppa)).valid());
  }
  for (std::uint32_t block = 0; block < f.geometry.blocks(); ++block) {
    REQUIRE(f.fill.valid_pages(Superblock(block)) == valid[block]);
    const bool used =
        block % f.geometry.blocks_per_plane() < f.fill.used_blocks(f.geometry.plane_of(Superblock(block)));
    if (!used) REQUIRE(valid[block] == 0);
  }
}

TEST_CASE("the mappings from logical to physical pages and back are inverse on random devices") {
  RandomStream random(1, "initial_fill");
  for (int round = 0; round < 60; ++round) {
    const Geometry geometry = random_geometry(random);
    PreconditionParameters p;
    p.order = random.below(2) == 0 ? FillOrder::random : FillOrder::sequential;
    p.occupancy = round % 10 == 0 ? 1 : random.uniform();
    const double room = geometry.blocks_per_plane - 4.0;  // in blocks per plane
    const auto logical_pages = static_cast<std::uint64_t>(room * geometry.pages_per_block * geometry.planes() *
                                                          (0.2 + 0.8 * random.uniform()));
    if (logical_pages == 0) continue;
    const double slots = std::ceil(std::llround(p.occupancy * static_cast<double>(logical_pages)) /
                                   static_cast<double>(geometry.planes()));
    const double highest_ratio = 1 - slots / (room * geometry.pages_per_block);
    p.invalid_page_ratio = std::max(0.0, highest_ratio) * random.uniform();
    if (p.order == FillOrder::random && random.below(2) == 0) {
      p.distribution = FillDistribution::steady_state;
      p.invalid_page_ratio = 0;
    }
    if (random.below(2) == 0) {
      const std::uint64_t capacity = logical_pages * geometry.page_bytes;
      p.updated_start_bytes = random.below(capacity);
      p.updated_bytes = random.below(capacity - p.updated_start_bytes);
    }
    CAPTURE(p.updated_start_bytes, p.updated_bytes);
    CAPTURE(round, geometry.channels, geometry.planes(), geometry.blocks_per_plane, geometry.pages_per_block,
            logical_pages, p.occupancy, p.invalid_page_ratio, static_cast<int>(p.order),
            static_cast<int>(p.distribution));
    const FillFrontiers frontiers{.any_plane = random.below(2) == 0,
                                  .open_blocks = static_cast<std::uint32_t>(random.below(4)),
                                  .units_per_wordline = static_cast<std::uint32_t>(1 + random.below(4))};
    const MappingFixture f(geometry, logical_pages, p, static_cast<std::uint64_t>(round), 4, frontiers);
    CHECK_NOTHROW(check(p, f.geometry, logical_pages, 4));
    check_bijection(f, static_cast<std::uint64_t>(std::llround(p.occupancy * static_cast<double>(logical_pages))),
                    frontiers.any_plane);
    for (std::uint32_t plane = 0; plane < geometry.planes(); ++plane) {
      REQUIRE(f.fill.used_blocks(FtlPlane(plane)) + 4 <= geometry.blocks_per_plane);
    }
  }
}

const FtlGeometry large(4, 600, 256, 4096);

TEST_CASE("occupancy and the share of invalid pages are as configured") {
  PreconditionParameters p;
  p.occupancy = GENERATE(0.3, 0.7);
  p.invalid_page_ratio = GENERATE(0.0, 0.25);
  const MappingFixture f(large, 500'000, p);
  std::uint64_t valid = 0, programmed = 0;
  for (std::uint32_t plane = 0; plane < large.planes(); ++plane) {
    programmed += std::uint64_t{f.fill.used_blocks(FtlPlane(plane))} * large.units_per_block();
  }
  for (std::uint32_t block = 0; block < large.blocks(); ++block) valid += f.fill.valid_pages(Superblock(block));
  CHECK(valid == static_cast<std::uint64_t>(500'000 * p.occupancy));
  // The ratio can be off by one partly used block per plane.
  const double invalid = 1 - static_cast<double>(valid) / static_cast<double>(programmed);
  const double one_block_each = large.planes() * large.units_per_block() / static_cast<double>(programmed);
  CHECK(std::abs(invalid - p.invalid_page_ratio) <= one_block_each);
}

TEST_CASE("counts of valid pages scatter as for pages overwritten at random") {
  PreconditionParameters p;
  p.occupancy = 0.8;
  p.invalid_page_ratio = 0.3;
  const MappingFixture f(large, 500'000, p);
  double sum = 0, squares = 0;
  std::uint32_t blocks = 0;
  for (std::uint32_t block = 0; block < large.blocks(); ++block) {
    if (block % large.blocks_per_plane() >= f.fill.used_blocks(large.plane_of(Superblock(block)))) continue;
    const double valid = f.fill.valid_pages(Superblock(block));
    sum += valid;
    squares += valid * valid;
    ++blocks;
  }
  const double mean = sum / blocks;
  const double variance = squares / blocks - mean * mean;
  // The counts must have a binomial distribution with p = 0.7. The variance of n samples has a relative standard
  // deviation of sqrt(2 / n).
  CHECK(mean == Approx(256 * 0.7).epsilon(0.01));
  CHECK(variance == Approx(256 * 0.7 * 0.3).epsilon(5 * std::sqrt(2.0 / blocks)));
}

TEST_CASE("a random fill scatters neighbours, a sequential one keeps them together") {
  PreconditionParameters p;
  p.occupancy = 1;
  p.order = FillOrder::random;
  const MappingFixture scattered(large, 500'000, p);
  p.order = FillOrder::sequential;
  const MappingFixture ordered(large, 500'000, p);
  constexpr int pairs = 100'000;
  int scattered_neighbours = 0, ordered_neighbours = 0;
  for (std::uint64_t slot = 0; slot < pairs; ++slot) {
    const auto step = [&](const MappingFixture& f) {
      const auto place = [&](std::uint64_t s) { return f.fill.find(f.order.lpn_at(FtlPlane(1), s)).value; };
      return static_cast<std::int64_t>(place(slot + 1) - place(slot));
    };
    scattered_neighbours += step(scattered) == 1;
    ordered_neighbours += step(ordered) == 1;
    REQUIRE(step(ordered) > 0);
  }
  CHECK(scattered_neighbours < pairs / 1000);
  CHECK(ordered_neighbours > pairs - pairs / 500);  // a few invalid pages are used to fill the last block
}

TEST_CASE("a sequential fill keeps the units of a flash page in one page") {
  const FlashLayout layout({.planes_per_die = 3, .blocks_per_plane = 9, .pages_per_block = 192, .page_bytes = 4096},
                           4096);
  const AllocationOrder order("CWDP", layout, 4);
  const std::uint64_t logical_pages = std::uint64_t{3} * 4 * 192 + 44;
  const double invalid = GENERATE(0.0, 0.1);
  const InitialFill fill({.invalid_page_ratio = invalid, .order = FillOrder::sequential}, layout.mapping(), order,
                         logical_pages, 1, 3);
  for (std::uint64_t lpn = 0; lpn < logical_pages; ++lpn) {
    REQUIRE(fill.find(Lpn(lpn)).value == fill.find(Lpn(lpn / 4 * 4)).value + lpn % 4);
    REQUIRE(fill.find(Lpn(lpn)).value / 4 == fill.find(Lpn(lpn / 4 * 4)).value / 4);
  }
}

TEST_CASE("random writes scatter over planes drawn one by one, with equally many units on each") {
  const FlashLayout layout(
      {.channels = 4, .dies_per_chip = 4, .blocks_per_plane = 40, .pages_per_block = 192, .page_bytes = 16384}, 4096);
  const AllocationOrder order("CWDP", layout, 4);
  const FtlGeometry& g = layout.mapping();
  const std::uint64_t logical_pages = g.units() * 4 / 5 + 44;
  const InitialFill fill({}, g, order, logical_pages, 1, 3, 0, nullptr, {.any_plane = true});
  std::vector<std::uint64_t> units(g.planes());
  for (std::uint64_t lpn = 0; lpn < logical_pages; ++lpn) {
    const Ppa ppa = fill.find(Lpn(lpn));
    REQUIRE(fill.lpn_at(ppa) == Lpn(lpn));
    ++units[g.plane_of(g.block_of(ppa)).value];
  }
  for (const std::uint64_t of_plane : units) {
    CHECK(std::abs(static_cast<double>(of_plane) - static_cast<double>(logical_pages) / g.planes()) <= 4);
  }
  // If k units are placed at random on n planes, they occupy n (1 - (1 - 1/n)^k) planes on average.
  for (const std::uint64_t together : {4u, 32u}) {
    double planes = 0;
    const std::uint64_t pieces = logical_pages / together;
    for (std::uint64_t piece = 0; piece < pieces; ++piece) {
      std::vector<bool> taken(g.planes());
      for (std::uint64_t k = 0; k < together; ++k) {
        taken[g.plane_of(g.block_of(fill.find(Lpn(piece * together + k)))).value] = true;
      }
      planes += static_cast<double>(std::count(taken.begin(), taken.end(), true));
    }
    const double n = g.planes();
    CHECK(planes / static_cast<double>(pieces) ==
          Approx(n * (1 - std::pow(1 - 1 / n, static_cast<double>(together)))).epsilon(0.02));
  }
}

TEST_CASE("in a steady state the fill levels of the planes' open blocks are evenly spread") {
  const FtlGeometry many(32, 60, 576, 4096);
  PreconditionParameters p;
  p.distribution = FillDistribution::steady_state;
  const std::uint64_t logical_pages = many.units() * 4 / 5;
  const MappingFixture f(many, logical_pages, p, 1, 4, {.open_blocks = 2, .units_per_wordline = 3});
  for (std::uint32_t stream = 0; stream < 2; ++stream) {
    std::vector<std::uint32_t> extents;
    for (const FtlPlane plane : many.every_plane()) {
      REQUIRE(f.fill.full_blocks(plane) + 2 == f.fill.used_blocks(plane));
      REQUIRE(f.fill.used_blocks(plane) == many.blocks_per_plane() - 4);
      const Superblock open = many.block(plane, f.fill.full_blocks(plane) + stream);
      const std::uint32_t extent = extents.emplace_back(f.fill.programmed_pages(open));
      CHECK(extent % 3 == 0);
      CHECK(f.fill.valid_pages(open) == extent);
      CHECK(f.fill.programmed_pages(many.block(plane, 0)) == many.units_per_block());
    }
    // The extents are multiples of the golden section. By the three-gap theorem, their gaps have at most three lengths;
    // here the largest gap is at most 2.618 times the mean.
    std::sort(extents.begin(), extents.end());
    extents.push_back(extents.front() + many.units_per_block());
    for (std::size_t k = 1; k < extents.size(); ++k) CHECK(extents[k] - extents[k - 1] <= 3 * 576 / 32);
  }
}

TEST_CASE("another seed places pages elsewhere") {
  const MappingFixture first(large, 500'000, {}, 1), same(large, 500'000, {}, 1), other(large, 500'000, {}, 2);
  int moved = 0;
  for (std::uint64_t lpn = 0; lpn < 10'000; ++lpn) {
    REQUIRE(first.fill.find(Lpn(lpn)) == same.fill.find(Lpn(lpn)));
    moved += first.fill.find(Lpn(lpn)) != other.fill.find(Lpn(lpn));
  }
  CHECK(moved > 9'000);
}

TEST_CASE("an impossible fill is refused with the largest possible value") {
  PreconditionParameters p;
  p.occupancy = 1;
  p.invalid_page_ratio = 0.5;
  try {
    check(p, large, 500'000, 4);
    FAIL("the fill was accepted");
  } catch (const ConfigError& e) {
    const std::string text = e.what();
    CHECK(e.path() == "controller.precondition.invalid_page_ratio");
    const double highest = std::stod(text.substr(text.rfind(' ')));
    // A ratio slightly below the limit must be accepted, and a ratio slightly above it must be refused.
    p.invalid_page_ratio = highest - 1e-5;
    CHECK_NOTHROW(check(p, large, 500'000, 4));
    p.invalid_page_ratio = highest + 1e-5;
    CHECK_THROWS_AS(check(p, large, 500'000, 4), ConfigError);
  }
}

const FtlGeometry one_plane(1, 400, 64, 4096);
constexpr std::uint32_t start_free_blocks = 4;

PlaneMonteCarlo filled_plane(const MappingFixture& f) {
  PlaneMonteCarlo plane(f.geometry.blocks_per_plane(), f.geometry.units_per_block(),
                        static_cast<std::uint32_t>(f.logical_pages), start_free_blocks, greedy_choice);
  for (std::uint32_t block = 0; block < f.fill.used_blocks(FtlPlane(0)); ++block) {
    std::vector<std::uint32_t> pages;
    for (std::uint32_t page = 0; page < f.geometry.units_per_block(); ++page) {
      const Lpn lpn = f.fill.lpn_at(f.geometry.unit(Superblock(block), page));
      if (lpn.valid()) pages.push_back(static_cast<std::uint32_t>(lpn.value));
    }
    plane.fill(block, pages);
  }
  return plane;
}

TEST_CASE("from a steady state, write amplification is constant from the start") {
  const double over_provisioning = GENERATE(0.07, 0.15, 0.28);
  const auto logical_pages =
      static_cast<std::uint64_t>(static_cast<double>(one_plane.units()) / (1 + over_provisioning));
  PreconditionParameters p;
  p.distribution = FillDistribution::steady_state;
  PlaneMonteCarlo steady = filled_plane(MappingFixture(one_plane, logical_pages, p, 1, start_free_blocks));
  // For comparison, this fill uses as many blocks, but scatters invalid pages as if garbage had never been collected.
  p.distribution = FillDistribution::scattered;
  p.invalid_page_ratio =
      1 - static_cast<double>(logical_pages) / ((one_plane.blocks_per_plane() - 4.0) * one_plane.units_per_block());
  PlaneMonteCarlo scattered = filled_plane(MappingFixture(one_plane, logical_pages, p, 1, start_free_blocks));

  RandomStream random(1, "pages");
  const double tenth = steady.write_amplification(logical_pages / 10, random);
  const double rest = steady.write_amplification(logical_pages - logical_pages / 10, random);
  const double first = 0.1 * tenth + 0.9 * rest;
  const double tenth_scattered = scattered.write_amplification(logical_pages / 10, random);
  steady.write_amplification(10 * logical_pages, random);
  const double later = steady.write_amplification(10 * logical_pages, random);
  CAPTURE(over_provisioning, tenth, first, tenth_scattered, later);
  CHECK(tenth == Approx(later).epsilon(0.05));
  CHECK(first == Approx(later).epsilon(0.02));
  // Without the steady-state fill, the first writes would differ from later ones.
  CHECK(std::abs(tenth_scattered / later - 1) > 0.05);
}

TEST_CASE("a steady state fills all blocks except the free ones") {
  PreconditionParameters p;
  p.distribution = FillDistribution::steady_state;
  p.occupancy = GENERATE(1.0, 0.5);
  const MappingFixture f(large, 500'000, p, 1, 7);
  std::uint64_t valid = 0;
  for (std::uint32_t block = 0; block < large.blocks(); ++block) valid += f.fill.valid_pages(Superblock(block));
  CHECK(valid == static_cast<std::uint64_t>(500'000 * p.occupancy));
  for (std::uint32_t plane = 0; plane < large.planes(); ++plane) {
    CHECK(f.fill.used_blocks(FtlPlane(plane)) == large.blocks_per_plane() - 7);
  }
}

TEST_CASE("block ages are the long-run ages of blocks with as many valid pages") {
  const std::uint64_t logical_pages = one_plane.units() * 4 / 5;
  PreconditionParameters p;
  p.distribution = FillDistribution::steady_state;
  p.ages = FillAges::spread;
  p.drive_writes_per_day = 2;
  const MappingFixture f(one_plane, logical_pages, p, 1, start_free_blocks);
  PlaneMonteCarlo plane = filled_plane(f);
  RandomStream random(1, "pages");
  plane.write_amplification(10 * logical_pages, random);
  std::vector<double> days(one_plane.units_per_block() + 1), count(one_plane.units_per_block() + 1);
  for (int k = 0; k < 400; ++k) {
    plane.write_amplification(500, random);
    for (const PlaneMonteCarlo::Block& block : plane.blocks()) {
      if (block.state != PlaneMonteCarlo::State::full) continue;
      const auto written = static_cast<double>(plane.host_pages() - block.filled_at);
      days[block.valid] += written / static_cast<double>(logical_pages) / p.drive_writes_per_day;
      ++count[block.valid];
    }
  }
  int levels = 0;
  for (std::uint32_t block = 0; block < 396; ++block) {
    const std::uint32_t valid = f.fill.valid_pages(Superblock(block));
    if (count[valid] < 500) continue;
    CAPTURE(valid, count[valid]);
    REQUIRE(f.fill.age_days(Superblock(block)) == Approx(days[valid] / count[valid]).epsilon(0.1).margin(0.004));
    ++levels;
  }
  CHECK(levels > 300);
}

TEST_CASE("open blocks hold new data") {
  PreconditionParameters p;
  p.distribution = FillDistribution::steady_state;
  p.ages = FillAges::spread;
  const MappingFixture f(one_plane, one_plane.units() * 4 / 5, p, 1, start_free_blocks, {.open_blocks = 1});
  CHECK(f.fill.age_days(Superblock(f.fill.full_blocks(FtlPlane(0)))) == 0);
  CHECK(f.fill.age_days(Superblock(0)) > 0);
}

TEST_CASE("ages are equal unless configured to spread") {
  const MappingFixture f(one_plane, 10'000, {});
  for (std::uint32_t block = 0; block < one_plane.blocks(); ++block) CHECK(f.fill.age_days(Superblock(block)) == 0);
}

TEST_CASE("recently updated data lie in young blocks, with hardly any others") {
  PreconditionParameters p;
  p.occupancy = 0.9;
  p.invalid_page_ratio = 0.1;
  p.order = GENERATE(FillOrder::random, FillOrder::sequential);
  p.ages = GENERATE(FillAges::uniform, FillAges::spread);
  p.updated_start_bytes = 100'000ULL * large.unit_bytes();
  // If only a part of a page is updated, the whole page counts as updated.
  p.updated_bytes = 50'000ULL * large.unit_bytes() - 1;
  p.updated_age_days = 3;
  const MappingFixture f(large, 500'000, p);
  std::uint64_t others = 0;
  for (std::uint64_t lpn = 0; lpn < 450'000; ++lpn) {
    const Superblock block = large.block_of(f.fill.find(Lpn(lpn)));
    if (lpn >= 100'000 && lpn < 150'000) {
      REQUIRE(f.fill.updated(block));
      REQUIRE(f.fill.age_days(block) == 3);
    } else if (f.fill.updated(block)) {
      ++others;
    }
  }
  CHECK(others < large.planes() * large.units_per_block());
  std::uint32_t young = 0;
  for (std::uint32_t block = 0; block < large.blocks(); ++block) young += f.fill.updated(Superblock(block)) ? 1 : 0;
  CHECK(young == Approx(50'000 / 0.9 / large.units_per_block()).margin(large.planes() + 1));
}

TEST_CASE("no data are recently updated by default") {
  PreconditionParameters p;
  p.updated_start_bytes = 4096;
  const MappingFixture f(large, 500'000, p), plain(large, 500'000, {});
  for (std::uint32_t block = 0; block < large.blocks(); ++block) REQUIRE_FALSE(f.fill.updated(Superblock(block)));
  for (std::uint64_t lpn = 0; lpn < 1000; ++lpn) REQUIRE(f.fill.find(Lpn(lpn)) == plain.fill.find(Lpn(lpn)));
}

TEST_CASE("the recently updated range must be within the capacity") {
  PreconditionParameters p;
  p.updated_bytes = 500'000ULL * large.unit_bytes();
  CHECK_NOTHROW(check(p, large, 500'000, 4));
  p.updated_start_bytes = 1;
  CHECK_THROWS_WITH(check(p, large, 500'000, 4),
                    ContainsSubstring("controller.precondition.updated_bytes") && ContainsSubstring("end past"));
}

TEST_CASE("in a steady state the configured share of invalid pages is ignored") {
  PreconditionParameters p;
  p.distribution = FillDistribution::steady_state;
  p.invalid_page_ratio = 0.9;  // would not fit
  CHECK_NOTHROW(check(p, large, 500'000, 4));
  const MappingFixture with(large, 500'000, p);
  p.invalid_page_ratio = 0;
  const MappingFixture without(large, 500'000, p);
  for (std::uint32_t block = 0; block < large.blocks(); ++block) {
    REQUIRE(with.fill.valid_pages(Superblock(block)) == without.fill.valid_pages(Superblock(block)));
  }
}

TEST_CASE("a steady state results from random writes, whatever the configured order") {
  PreconditionParameters p;
  p.distribution = FillDistribution::steady_state;
  const MappingFixture plain(large, 500'000, p);
  p.order = FillOrder::sequential;
  CHECK_NOTHROW(check(p, large, 500'000, 4));
  const MappingFixture in_order(large, 500'000, p);
  for (std::uint64_t lpn = 0; lpn < 10'000; ++lpn) REQUIRE(in_order.fill.find(Lpn(lpn)) == plain.fill.find(Lpn(lpn)));
}

TEST_CASE("occupancy 0 writes nothing") {
  PreconditionParameters p;
  p.occupancy = 0;
  const MappingFixture f(large, 500'000, p);
  CHECK_FALSE(f.fill.find(Lpn(0)).valid());
  CHECK(f.fill.used_blocks(FtlPlane(0)) == 0);
  CHECK_FALSE(f.fill.lpn_at(Ppa(0)).valid());
}

}  // namespace
}  // namespace nandscape::controller
