// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/cache_memory.h"

#include <algorithm>
#include <vector>

#include "catch.h"
#include "fakes/fake_storage.h"

namespace nandscape::controller {
namespace {

constexpr std::uint32_t unit_bytes = 4096;

struct Memory {
  explicit Memory(bool keep_data = true) : units(parameters, unit_bytes, keep_data, dram) {}

  CachedUnit& add_clean(std::uint64_t lpn) {
    CachedUnit& unit = units.add(Lpn(lpn));
    unit.valid = units.whole_unit();
    units.settle(unit);
    return unit;
  }

  CacheParameters parameters{.policy = CachePolicy::read_write, .capacity_bytes = 3 * unit_bytes};
  Dram dram{DramParameters()};
  CacheMemory units;
};

TEST_CASE("clean idle units make room, the least recently used first") {
  Memory m;
  CachedUnit& oldest = m.add_clean(1);
  m.add_clean(2);
  m.add_clean(3);
  m.units.use(oldest);
  CHECK(m.units.room());
  m.units.add(Lpn(4));
  CHECK(m.units.find(Lpn(2)) == nullptr);
  CHECK(m.units.find(Lpn(1)) == &oldest);
  CHECK(m.units.evictions() == 1);
}

TEST_CASE("dirty, busy or held units make no room") {
  Memory m;
  m.units.hold(m.add_clean(1));
  CachedUnit& dirty = m.units.add(Lpn(2));
  dirty.valid = dirty.dirty = SectorSet::range(0, 1);
  m.units.settle(dirty);
  CachedUnit& busy = m.units.add(Lpn(3));
  busy.valid = SectorSet::range(0, 1);
  busy.fetching = true;
  m.units.settle(busy);
  CHECK_FALSE(m.units.room());
  CHECK(m.units.count_dirty() == 1);
  busy.fetching = false;
  m.units.settle(busy);
  CHECK(m.units.room());
}

TEST_CASE("a unit without content is removed when it is settled") {
  Memory m;
  CachedUnit& unit = m.add_clean(1);
  unit.valid = SectorSet();
  m.units.settle(unit);
  CHECK(m.units.find(Lpn(1)) == nullptr);
}

TEST_CASE("a fetch fills in missing sectors and replaces none") {
  Memory m;
  CachedUnit& unit = m.units.add(Lpn(1));
  std::vector<std::byte> written(2 * sector_bytes, std::byte{7});
  m.units.copy_in(unit, make_access(AccessKind::write, 1, 2, 2, written.data()));
  unit.valid = unit.dirty = SectorSet::range(2, 2);
  std::vector<std::byte> fetched(4 * sector_bytes, std::byte{9});
  m.units.fill(unit, make_access(AccessKind::read, 1, 1, 4, fetched.data()));
  CHECK(unit.valid == SectorSet::range(1, 4));
  std::vector<std::byte> out(4 * sector_bytes);
  PageAccess read = make_access(AccessKind::read, 1, 1, 4, out.data());
  m.units.copy_out(unit, read);
  CHECK(out[0] == std::byte{9});
  CHECK(out[1 * sector_bytes] == std::byte{7});
  CHECK(out[2 * sector_bytes] == std::byte{7});
  CHECK(out[3 * sector_bytes] == std::byte{9});
}

TEST_CASE("a capacitor saves dirty sectors and sectors being written back") {
  const bool keep_data = GENERATE(true, false);
  Memory m(keep_data);
  m.add_clean(1);
  CachedUnit& unit = m.units.add(Lpn(2));
  std::vector<std::byte> written(unit_bytes, std::byte{7});
  m.units.copy_in(unit, make_access(AccessKind::write, 2, 0, 8, written.data()));
  unit.valid = m.units.whole_unit();
  unit.dirty = SectorSet::range(0, 1);
  unit.writing = SectorSet::range(1, 2);
  const std::vector<DirtyUnit> saved = m.units.dirty_units();
  REQUIRE(saved.size() == 1);
  CHECK(saved[0].lpn == Lpn(2));
  CHECK(saved[0].sectors == SectorSet::range(0, 3));
  CHECK(std::count(saved[0].data.begin(), saved[0].data.end(), std::byte{7}) == (keep_data ? 3 * sector_bytes : 0));
}

}  // namespace
}  // namespace nandscape::controller
