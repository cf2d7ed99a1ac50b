// SPDX-License-Identifier: Apache-2.0
// Tests a block table with blocks of two shapes: ordinary blocks of triple-level cells, and blocks with one bit per
// cell.
#include "controller/mapping/block_shape.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "catch.h"
#include "controller/migration/garbage_collection/victim_policy.h"
#include "core/archive.h"
#include "core/error.h"
#include "fakes/mapping_fixture.h"

namespace nandscape::controller {
namespace {

using State = BlockTable::State;

constexpr std::uint8_t one_bit = 5;  // number of the write mode
constexpr BlockShape triple{.rows = 12, .pages_per_wordline = 3, .data_pages_per_row = 1, .units_per_page = 2};
constexpr BlockShape single{
    .rows = 4, .pages_per_wordline = 1, .data_pages_per_row = 1, .units_per_page = 2, .cells = ProgramMode::slc};
const FtlPlane plane(0);

BlockShapes two_shapes() {
  BlockShapes shapes(triple);
  shapes.add(one_bit, single);
  return shapes;
}

struct Blocks {
  Superblock open(std::uint8_t mode) {
    const Superblock block = table.take_free(plane);
    table.set_write_mode(block, mode);
    return block;
  }
  // Fills a block completely. Only its first `valid` units are valid.
  Superblock fill(std::uint8_t mode, std::uint32_t valid, Tick when) {
    const Superblock block = open(mode);
    for (std::uint32_t unit = 0; table.state(block) == State::open; unit += 2) {
      const Ppa first = table.append(block, when, 2);
      for (std::uint32_t k = 0; k < 2; ++k) {
        if (unit + k < valid) table.hold(Ppa(first.value + k), Lpn(first.value + k));
      }
    }
    return block;
  }

  const FtlGeometry geometry{1, 10, 24, 4096};
  const MappingFixture mapping{geometry, 100, {.occupancy = 0}};
  BlockTable table{geometry, mapping.fill, two_shapes()};
};

TEST_CASE("a shape gives the wordline of each page") {
  CHECK(triple.units() == 24);
  CHECK(triple.whole_wordlines() == 4);
  CHECK(triple.type_of(7) == 1);
  CHECK(triple.first_of_wordline(7) == 6);
  CHECK_FALSE(triple.ends_wordline(7));
  CHECK(triple.ends_wordline(8));
  CHECK(triple.up_to_wordline(7) == 9);
  CHECK(triple.up_to_wordline(9) == 9);
  CHECK(single.units() == 8);
  CHECK(single.whole_wordlines() == 4);
  for (std::uint32_t row = 0; row < single.rows; ++row) {
    CHECK(single.type_of(row) == 0);
    CHECK(single.ends_wordline(row));
  }
  // In this shape, the last wordline has fewer pages than the others.
  const BlockShape odd{.rows = 5, .pages_per_wordline = 2};
  CHECK(odd.ends_wordline(4));
  CHECK(odd.whole_wordlines() == 2);
}

TEST_CASE("with two passes, a page is durable one wordline later, except in SLC mode") {
  CHECK(triple.up_to_durable(7) == 9);
  CHECK(triple.most_pages_to_durable() == 2);
  BlockShape twice = triple;
  twice.passes = 2;
  CHECK(twice.up_to_durable(6) == 9);
  CHECK(twice.up_to_durable(7) == 12);
  CHECK(twice.most_pages_to_durable() == 9);
  CHECK(twice.in_slc_mode().up_to_durable(3) == 3);
  CHECK(twice.in_slc_mode().most_pages_to_durable() == 0);
}

TEST_CASE("a shape fits into the places that are numbered for an ordinary block") {
  BlockShapes shapes(triple);
  CHECK(shapes.of(one_bit) == triple);
  shapes.add(one_bit, single);
  CHECK(shapes.of(one_bit) == single);
  CHECK(shapes.of(0) == triple);
  CHECK(shapes.of(255) == triple);
  BlockShape larger = triple;
  ++larger.rows;
  CHECK_THROWS_AS(shapes.add(6, larger), std::logic_error);
  BlockShape wider = single;
  wider.units_per_page = 4;
  CHECK_THROWS_AS(shapes.add(6, wider), std::logic_error);
}

TEST_CASE("a block is full after the pages of its shape, and an erase gives it the ordinary shape again") {
  Blocks b;
  const Superblock ordinary = b.open(0);
  const Superblock small = b.open(one_bit);
  CHECK(b.table.shape(ordinary) == triple);
  CHECK(b.table.shape(small) == single);
  for (std::uint32_t page = 0; page < single.rows; ++page) {
    CHECK(b.table.state(small) == State::open);
    CHECK(b.table.append(ordinary, 1, 2) == b.geometry.unit(ordinary, 2 * page));
    CHECK(b.table.append(small, 1, 2) == b.geometry.unit(small, 2 * page));
  }
  CHECK(b.table.state(small) == State::full);
  CHECK(b.table.state(ordinary) == State::open);
  b.table.close(ordinary);
  CHECK(b.table.next_page(ordinary) == triple.units());
  b.table.erased(small);
  CHECK(b.table.shape(small) == triple);
  CHECK(b.table.next_page(small) == 0);
}

TEST_CASE("a block without a page of invalid units gains nothing, whatever its shape") {
  Blocks b;
  const Superblock small = b.fill(one_bit, 7, 1);
  b.fill(0, 23, 1);
  CHECK_FALSE(b.table.gains_page(small));
  CHECK_FALSE(b.table.emptiest(plane).valid());
  b.table.invalidate(b.geometry.unit(small, 0));
  CHECK(b.table.gains_page(small));
  CHECK(b.table.emptiest(plane) == small);
  const Superblock ordinary = b.fill(0, 5, 1);
  CHECK(b.table.emptiest(plane) == ordinary);
}

TEST_CASE("victim policies compare the utilisations of blocks by their own shapes") {
  Blocks b;
  const auto make = [](const char* name) { return victim_registry().make({name, nullptr}, 1); };
  const Superblock small = b.fill(one_bit, 6, 0);  // 6 of 8 units valid: (1 - 3/4) / (2 * 3/4) = 1/6
  const Superblock large = b.fill(0, 12, 0);       // 12 of 24 units valid: (1 - 1/2) / (2 * 1/2) = 1/2
  CHECK(make("greedy")->choose(b.table, plane, 10) == small);
  CHECK(make("cost_benefit")->choose(b.table, plane, 10) == large);
  // With the same utilisation and the same age, both blocks have the same ratio of benefit to cost. The first block is
  // chosen.
  b.table.invalidate(b.geometry.unit(small, 0));
  b.table.invalidate(b.geometry.unit(small, 1));
  CHECK(make("cost_benefit")->choose(b.table, plane, 10) == small);
  // The policy needs a tenth of the units of a block to be invalid, which is 0.8 units of the small block and 2.4 units
  // of the large block. Only the small block reaches this.
  Blocks rare;
  const Superblock chosen = rare.fill(one_bit, 6, 0);
  rare.fill(0, 22, 0);
  for (int round = 0; round < 20; ++round) CHECK(make("random_pp")->choose(rare.table, plane, 10) == chosen);
}

TEST_CASE("a restored block has the shape of its mode, and no more pages than that") {
  Blocks b;
  const Superblock small = b.fill(one_bit, 8, 3);
  Archive written;
  b.table.persist(written);
  const std::vector<std::byte> state = written.take();

  Blocks other;
  Archive read(state);
  other.table.persist(read);
  CHECK(other.table.shape(small) == single);
  CHECK(other.table.state(small) == State::full);
  CHECK(other.table.valid_pages(small) == 8);

  Blocks longer;
  longer.table.set_write_mode(longer.fill(0, 8, 3), one_bit);  // only an altered file can contain this
  Archive altered;
  longer.table.persist(altered);
  const std::vector<std::byte> bad = altered.take();
  Archive refused(bad);
  CHECK_THROWS_WITH(Blocks().table.persist(refused), ContainsSubstring("has more pages than its write mode allows"));
}

}  // namespace
}  // namespace nandscape::controller
