// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <vector>

#include "catch.h"
#include "controller/cache/data_cache.h"
#include "core/error.h"
#include "fakes/fake_storage.h"

namespace nandscape::controller {
namespace {

constexpr std::uint32_t unit_bytes = 4096;
constexpr std::uint32_t unit_sectors = unit_bytes / sector_bytes;

CacheParameters cache_of(CachePolicy policy, std::uint32_t units) {
  CacheParameters p;
  p.policy = policy;
  p.capacity_bytes = std::uint64_t{units} * unit_bytes;
  p.dirty_high_percent = 100;
  p.dirty_low_percent = 100;
  return p;
}

struct CacheBench {
  explicit CacheBench(const CacheParameters& parameters, std::uint32_t units_together = 1)
      : backend(calendar, unit_bytes, 1000, units_together), cache(parameters, true, backend, dram, calendar) {
    cache.set_client(front_end);
  }

  PageAccess& submit(AccessKind kind, std::uint64_t lpn, std::uint32_t first = 0, std::uint32_t count = unit_sectors) {
    PageAccess& access = accesses.emplace_back(make_access(kind, lpn, first, count));
    access.data = buffers.emplace_back(unit_bytes).data();
    cache.submit(access, calendar.now());
    return access;
  }
  PageAccess& write(std::uint64_t lpn, int value, std::uint32_t first = 0, std::uint32_t count = unit_sectors,
                    bool force_unit_access = false) {
    PageAccess& access = accesses.emplace_back(make_access(AccessKind::write, lpn, first, count));
    access.data = buffers.emplace_back(unit_bytes, static_cast<std::byte>(value)).data();
    access.force_unit_access = force_unit_access;
    cache.submit(access, calendar.now());
    return access;
  }
  PageAccess& trim(std::uint64_t lpn, std::uint64_t pages) {
    PageAccess& access = accesses.emplace_back(make_access(AccessKind::trim, lpn, 0, 0));
    access.page_count = pages;
    cache.submit(access, calendar.now());
    return access;
  }
  // Runs until no events are left.
  void run() { calendar.run_until(never - 1); }
  void run_for(Tick time) {
    const Tick end = calendar.now() + time;
    calendar.run_until(end);
    calendar.advance(end);
  }
  bool done(const PageAccess& access) const { return front_end.time_of(access).has_value(); }
  static int value(const PageAccess& read, std::uint32_t sector = 0) {
    return std::to_integer<int>(read.data[sector * sector_bytes]);
  }
  int on_backend(std::uint64_t lpn, std::uint32_t sector = 0) {
    return std::to_integer<int>(*backend.sector(lpn, sector));
  }
  std::size_t backend_count(AccessKind kind) const { return backend.of_kind(kind).size(); }

  Calendar calendar;
  FakeStorage backend;
  Dram dram{DramParameters()};
  DataCache cache;
  FakeHost front_end;
  std::deque<PageAccess> accesses;
  std::deque<std::vector<std::byte>> buffers;
};

TEST_CASE("a write completes when its data are in DRAM, and is read from there") {
  CacheBench bench(cache_of(CachePolicy::write_back, 4));
  Dram reference{DramParameters()};
  const PageAccess& write = bench.write(7, 1);
  bench.run();
  const Tick in_dram = reference.transfer(Dram::Direction::write, 0, unit_bytes, 0);
  CHECK(bench.front_end.time_of(write) == in_dram);
  const PageAccess& read = bench.submit(AccessKind::read, 7, 2, 3);
  bench.run();
  const Tick out = reference.transfer(Dram::Direction::read, 2 * sector_bytes, 3 * sector_bytes, in_dram);
  CHECK(bench.front_end.time_of(read) == out);
  CHECK(bench.value(read) == 1);
  CHECK(bench.backend.records.empty());
  CHECK(bench.cache.counters().read_hits == 1);
  CHECK(bench.cache.counters().dirty_units == 1);
  CHECK(bench.cache.idle());
}

TEST_CASE("overwrites of dirty sectors are absorbed, and written back once") {
  CacheBench bench(cache_of(CachePolicy::write_back, 4));
  for (int k = 1; k <= 10; ++k) bench.write(7, k);
  bench.submit(AccessKind::flush, 0);
  bench.run();
  CHECK(bench.cache.counters().absorbed_sectors == 9 * unit_sectors);
  CHECK(bench.cache.counters().write_hits == 9);
  CHECK(bench.backend_count(AccessKind::write) == 1);
  CHECK(bench.on_backend(7) == 10);
}

TEST_CASE("a miss is fetched, and kept by the policies that cache reads") {
  for (const CachePolicy policy : {CachePolicy::read, CachePolicy::read_write, CachePolicy::write_back}) {
    CacheBench bench(cache_of(policy, 4));
    bench.submit(AccessKind::read, 3, 1, 2);
    bench.run();
    bench.submit(AccessKind::read, 3, 1, 2);
    bench.run();
    const bool kept = policy != CachePolicy::write_back;
    CHECK(bench.cache.counters().read_hits == (kept ? 1 : 0));
    CHECK(bench.backend_count(AccessKind::read) == (kept ? 1 : 2));
    CHECK(bench.backend.records[0].first_sector == 1);
    CHECK(bench.backend.records[0].sector_count == 2);
  }
}

TEST_CASE("a read of a partly dirty unit fetches the rest") {
  CacheBench bench(cache_of(CachePolicy::write_back, 4));
  *bench.backend.sector(3, 0) = std::byte{9};
  bench.write(3, 5, 4, 4);
  const PageAccess& read = bench.submit(AccessKind::read, 3);
  bench.run();
  CHECK(bench.value(read, 0) == 9);
  CHECK(bench.value(read, 4) == 5);
  REQUIRE(bench.backend.records.size() == 1);
  CHECK(bench.backend.records[0] == FakeStorage::Record{AccessKind::read, 3, 0, 4, false, 0});
}

TEST_CASE("write-back begins above the high mark and ends at the low one") {
  CacheParameters p = cache_of(CachePolicy::write_back, 10);
  p.dirty_high_percent = 60;
  p.dirty_low_percent = 30;
  CacheBench bench(p);
  for (std::uint64_t k = 0; k < 6; ++k) bench.write(k, 1);
  bench.run();
  CHECK(bench.backend.records.empty());
  bench.write(6, 1);
  bench.run();
  CHECK(bench.backend_count(AccessKind::write) == 4);
  CHECK(bench.cache.counters().dirty_units == 3);
  // Batches start with the oldest dirty unit.
  for (std::uint64_t k = 0; k < 4; ++k) CHECK(bench.backend.records[k].lpn == k);
}

TEST_CASE("write-back gathers a full page: the oldest dirty unit, its neighbours, then the next oldest") {
  CacheParameters p = cache_of(CachePolicy::write_back, 16);
  p.dirty_high_percent = 50;
  p.dirty_low_percent = 25;
  CacheBench bench(p, 4);
  for (const std::uint64_t lpn : {101, 200, 300, 400, 500, 103, 600, 100, 700}) bench.write(lpn, 1);
  bench.run();
  // Nine units are dirty. Write-back stops when at most four, the low mark, are left, so it needs two batches of four
  // units.
  const std::vector<FakeStorage::Record>& records = bench.backend.records;
  REQUIRE(records.size() == 8);
  const std::vector<std::uint64_t> order = {101, 100, 103, 200, 300, 400, 500, 600};
  for (std::size_t k = 0; k < order.size(); ++k) {
    CHECK(records[k].lpn == order[k]);
    CHECK(records[k].at == records[k - k % 4].at);
  }
  CHECK(bench.cache.counters().dirty_units == 1);
}

TEST_CASE("a partly dirty unit is completed first, and the others of its page wait for it") {
  CacheBench bench(cache_of(CachePolicy::write_back, 16), 4);
  *bench.backend.sector(2, 7) = std::byte{9};
  for (std::uint64_t lpn = 0; lpn < 4; ++lpn) bench.write(lpn, 1, 0, lpn == 2 ? 3 : unit_sectors);
  bench.submit(AccessKind::flush, 0);
  bench.run();
  const std::vector<FakeStorage::Record> writes = bench.backend.of_kind(AccessKind::write);
  REQUIRE(writes.size() == 4);
  for (const FakeStorage::Record& write : writes) {
    CHECK(write.sector_count == unit_sectors);
    CHECK(write.at == writes[0].at);
  }
  CHECK(writes[0].at > 10 * microsecond);
  CHECK(bench.on_backend(2, 0) == 1);
  CHECK(bench.on_backend(2, 7) == 9);
}

TEST_CASE("a unit that cannot be completed does not keep the others of its page from write-back") {
  CacheBench bench(cache_of(CachePolicy::write_back, 16), 4);
  bench.backend.decide = [](const PageAccess& access) {
    return FakeStorage::Answer{.status = access.kind == AccessKind::read ? AccessStatus::unrecovered_read_error
                                                                         : AccessStatus::ok};
  };
  for (std::uint64_t lpn = 0; lpn < 4; ++lpn) bench.write(lpn, 1, 0, lpn == 2 ? 3 : unit_sectors);
  const PageAccess& flush = bench.submit(AccessKind::flush, 0);
  bench.run();
  CHECK(bench.backend_count(AccessKind::write) == 3);
  CHECK(bench.done(flush));
  CHECK(flush.status == AccessStatus::unrecovered_read_error);
  CHECK(bench.cache.idle());
}

TEST_CASE("less than a page is written back when an access waits for it") {
  CacheBench bench(cache_of(CachePolicy::write_back, 16), 4);
  bench.write(1, 1);
  const PageAccess& forced = bench.write(1, 2, 0, unit_sectors, true);
  bench.run();
  CHECK(bench.done(forced));
  CHECK(bench.backend_count(AccessKind::write) == 1);
}

TEST_CASE("write-backs in flight are limited") {
  CacheParameters p = cache_of(CachePolicy::write_back, 10);
  p.writes_in_flight = 3;
  CacheBench bench(p);
  for (std::uint64_t k = 0; k < 9; ++k) bench.write(k, 1);
  bench.run();
  const Tick start = bench.calendar.now();
  const PageAccess& flush = bench.submit(AccessKind::flush, 0);
  std::uint64_t most = 0;
  bench.backend.decide = [&](const PageAccess&) {
    most = std::max(most, bench.backend.under_way + 1);
    return FakeStorage::Answer{.delay = millisecond};
  };
  bench.run();
  CHECK(most == 3);
  // Three rounds of writes and the flush need 1 ms each. The time in DRAM is negligible.
  CHECK(static_cast<double>(*bench.front_end.time_of(flush) - start) == Approx(4.0 * millisecond).epsilon(0.01));
}

TEST_CASE("writes that find no room wait in order, and continue as units become clean") {
  CacheBench bench(cache_of(CachePolicy::write_back, 1));
  std::vector<const PageAccess*> writes;
  for (int k = 0; k < 5; ++k) writes.push_back(&bench.write(static_cast<std::uint64_t>(k), k + 1));
  bench.run();
  REQUIRE(bench.front_end.done.size() == 5);
  for (std::size_t k = 0; k < 5; ++k) CHECK(bench.front_end.done[k].first == writes[k]);
  CHECK(bench.cache.counters().waits == 4);
  CHECK(bench.cache.counters().evictions == 4);
  for (std::uint64_t k = 0; k < 4; ++k) CHECK(bench.on_backend(k) == static_cast<int>(k) + 1);
}

TEST_CASE("a unit written during its write-back stays dirty, and the flash gets the earlier snapshot") {
  CacheBench bench(cache_of(CachePolicy::write_back, 4));
  bench.write(5, 1);
  bench.submit(AccessKind::flush, 0);
  bench.run_for(5 * microsecond);
  REQUIRE(bench.backend_count(AccessKind::write) == 1);
  bench.write(5, 2);
  const PageAccess& read = bench.submit(AccessKind::read, 5);
  bench.run();
  CHECK(bench.value(read) == 2);
  CHECK(bench.on_backend(5) == 1);
  REQUIRE(bench.cache.dirty_units().size() == 1);
  const DirtyUnit saved = bench.cache.dirty_units()[0];
  CHECK(saved.lpn == Lpn(5));
  CHECK(saved.sectors == SectorSet::range(0, unit_sectors));
  CHECK(saved.data[0] == std::byte{2});
  bench.submit(AccessKind::flush, 0);
  bench.run();
  CHECK(bench.on_backend(5) == 2);
  CHECK(bench.cache.dirty_units().empty());
}

TEST_CASE("the gap between dirty sectors is fetched, so that a unit is written back in one piece") {
  CacheBench bench(cache_of(CachePolicy::write_back, 4));
  *bench.backend.sector(5, 3) = std::byte{9};
  bench.write(5, 1, 0, 2);
  bench.write(5, 2, 5, 1);
  bench.submit(AccessKind::flush, 0);
  bench.run();
  CHECK(bench.backend_count(AccessKind::read) == 1);
  CHECK(bench.backend_count(AccessKind::write) == 1);
  CHECK(bench.on_backend(5, 1) == 1);
  CHECK(bench.on_backend(5, 3) == 9);
  CHECK(bench.on_backend(5, 5) == 2);
}

TEST_CASE("adjacent dirty sectors are written back without a fetch") {
  CacheBench bench(cache_of(CachePolicy::write_back, 4));
  bench.write(5, 1, 2, 2);
  bench.write(5, 1, 4, 1);
  bench.submit(AccessKind::flush, 0);
  bench.run();
  CHECK(bench.backend_count(AccessKind::read) == 0);
  REQUIRE(bench.backend_count(AccessKind::write) == 1);
  CHECK(bench.backend.records[0].first_sector == 2);
  CHECK(bench.backend.records[0].sector_count == 3);
}

TEST_CASE("a forced write bypasses the cache and completes when the backend completes it") {
  CacheBench bench(cache_of(CachePolicy::read_write, 4));
  const PageAccess& write = bench.write(5, 1, 0, unit_sectors, true);
  bench.run();
  CHECK(bench.front_end.time_of(write) == 10 * microsecond);
  REQUIRE(bench.backend.records.size() == 1);
  CHECK(bench.backend.records[0].force_unit_access);
  CHECK(bench.cache.counters().writes_through == 1);
}

TEST_CASE("a forced write to a dirty unit includes the dirty sectors") {
  CacheBench bench(cache_of(CachePolicy::write_back, 4));
  bench.write(5, 1, 0, 4);
  const PageAccess& forced = bench.write(5, 2, 2, 4, true);
  CHECK(!bench.done(forced));
  bench.run();
  CHECK(bench.done(forced));
  REQUIRE(bench.backend.records.size() == 1);
  CHECK(bench.backend.records[0].force_unit_access);
  CHECK(bench.on_backend(5, 0) == 1);
  CHECK(bench.on_backend(5, 2) == 2);
  CHECK(bench.cache.dirty_units().empty());
}

TEST_CASE("a forced write waits behind an earlier write to its unit that waits for room") {
  CacheBench bench(cache_of(CachePolicy::write_back, 1));
  bench.write(1, 1);
  const PageAccess& earlier = bench.write(5, 2);
  const PageAccess& forced = bench.write(5, 3, 0, unit_sectors, true);
  const PageAccess& later = bench.write(5, 4, 4, 1);
  CHECK(bench.cache.counters().waits == 3);
  bench.run();
  CHECK(bench.done(earlier));
  CHECK(bench.done(forced));
  CHECK(bench.done(later));
  bench.submit(AccessKind::flush, 0);
  bench.run();
  CHECK(bench.on_backend(5, 0) == 3);
  CHECK(bench.on_backend(5, 4) == 4);
}

TEST_CASE("backend accesses on behalf of the host keep its priority class, and write-backs get the device's own") {
  CacheBench bench(cache_of(CachePolicy::write_back, 4));
  std::vector<std::pair<AccessKind, PriorityClass>> seen;
  bench.backend.decide = [&](const PageAccess& access) {
    seen.emplace_back(access.kind, access.priority);
    return FakeStorage::Answer();
  };
  const auto submit = [&](AccessKind kind, std::uint64_t lpn, PriorityClass priority, bool forced = false) {
    PageAccess& access = bench.accesses.emplace_back(make_access(kind, lpn, 0, unit_sectors));
    access.data = bench.buffers.emplace_back(unit_bytes).data();
    access.priority = priority;
    access.force_unit_access = forced;
    bench.cache.submit(access, bench.calendar.now());
    bench.run();
  };
  submit(AccessKind::read, 1, PriorityClass::urgent);
  submit(AccessKind::write, 2, PriorityClass::high, true);
  submit(AccessKind::write, 3, PriorityClass::urgent);
  submit(AccessKind::flush, 0, PriorityClass::low);
  submit(AccessKind::write, 4, PriorityClass::low);
  submit(AccessKind::write, 4, PriorityClass::urgent, true);
  submit(AccessKind::trim, 5, PriorityClass::low);
  CHECK(seen == std::vector<std::pair<AccessKind, PriorityClass>>{{AccessKind::read, PriorityClass::urgent},
                                                                  {AccessKind::write, PriorityClass::high},
                                                                  {AccessKind::write, PriorityClass::medium},
                                                                  {AccessKind::flush, PriorityClass::low},
                                                                  {AccessKind::write, PriorityClass::urgent},
                                                                  {AccessKind::trim, PriorityClass::low}});
}

TEST_CASE("a trim waits behind earlier writes to its range, wherever they wait") {
  CacheParameters p = cache_of(CachePolicy::write_back, 1);
  bool fetches = false;
  SECTION("for room") {}
  SECTION("for a write past the cache") { p.policy = CachePolicy::read; }
  SECTION("for a fetch") {
    p.policy = CachePolicy::read;
    fetches = true;
  }
  CacheBench bench(p);
  if (fetches) {
    bench.submit(AccessKind::read, 5);
  } else {
    bench.write(p.keeps_writes() ? 1 : 5, 1);
  }
  bench.write(5, 2);
  const PageAccess& trim = bench.trim(4, 3);
  bench.write(6, 3);
  bench.run();
  CHECK(bench.done(trim));
  const PageAccess& trimmed = bench.submit(AccessKind::read, 5);
  const PageAccess& written = bench.submit(AccessKind::read, 6);
  bench.run();
  CHECK(bench.value(trimmed) == 0);
  CHECK(bench.value(written) == 3);
}

TEST_CASE("accesses that wait for a trim continue in order") {
  CacheBench bench(cache_of(CachePolicy::write_back, 8));
  bench.backend.decide = [](const PageAccess&) { return FakeStorage::Answer{.delay = millisecond}; };
  bench.trim(0, 10);
  bench.trim(5, 10);
  // Outside the range of the first trim, but inside the range of the second.
  const PageAccess& write = bench.write(12, 1);
  bench.run_for(microsecond);
  CHECK(!bench.done(write));
  bench.run();
  REQUIRE(bench.done(write));
  const PageAccess& read = bench.submit(AccessKind::read, 12);
  bench.run();
  CHECK(bench.value(read) == 1);
}

TEST_CASE("a cached read unit is updated by writes that go through") {
  CacheBench bench(cache_of(CachePolicy::read, 4));
  bench.submit(AccessKind::read, 5);
  bench.run();
  bench.write(5, 3, 2, 2);
  bench.run();
  const PageAccess& read = bench.submit(AccessKind::read, 5);
  bench.run();
  CHECK(bench.value(read, 2) == 3);
  CHECK(bench.cache.counters().read_hits == 1);

  bench.backend.decide = [](const PageAccess& access) {
    return FakeStorage::Answer{.status =
                                   access.kind == AccessKind::write ? AccessStatus::write_fault : AccessStatus::ok};
  };
  const PageAccess& failed = bench.write(5, 4, 2, 2);
  bench.run();
  CHECK(failed.status == AccessStatus::write_fault);
  const PageAccess& reread = bench.submit(AccessKind::read, 5);
  bench.run();
  CHECK(reread.status == AccessStatus::ok);
  CHECK(bench.value(reread, 2) == 3);
}

TEST_CASE("a flush waits only for units that were dirty when it came") {
  CacheParameters p = cache_of(CachePolicy::write_back, 8);
  p.writes_in_flight = 1;
  CacheBench bench(p);
  bench.write(1, 1);
  bench.write(2, 1);
  bench.run();
  const Tick start = bench.calendar.now();
  bench.backend.decide = [](const PageAccess&) { return FakeStorage::Answer{.delay = millisecond}; };
  const PageAccess& flush = bench.submit(AccessKind::flush, 0);
  for (std::uint64_t k = 3; k < 8; ++k) bench.write(k, 1);
  bench.run();
  CHECK(static_cast<double>(*bench.front_end.time_of(flush) - start) == Approx(3.0 * millisecond).epsilon(0.01));
  REQUIRE(bench.backend_count(AccessKind::flush) == 1);
}

TEST_CASE("units written again and again do not keep a flush waiting") {
  CacheParameters p = cache_of(CachePolicy::write_back, 8);
  p.writes_in_flight = 1;
  CacheBench bench(p);
  bench.write(1, 1);
  bench.write(2, 1);
  bench.write(3, 1);
  bench.backend.decide = [&](const PageAccess& access) {
    // During each write-back of unit 1, the host writes this unit again.
    if (access.kind == AccessKind::write && access.lpn == Lpn(1) && bench.accesses.size() < 100) {
      bench.write(1, 2, 0, unit_sectors, bench.accesses.size() % 2 == 0);
    }
    return FakeStorage::Answer{};
  };
  const PageAccess& flush = bench.submit(AccessKind::flush, 0);
  bench.run_for(60 * microsecond);
  CHECK(bench.done(flush));
  bench.run();
}

TEST_CASE("with a capacitor, flushes and forced writes complete from DRAM") {
  CacheParameters p = cache_of(CachePolicy::write_back, 8);
  p.backup = CacheBackup::capacitor;
  CacheBench bench(p);
  const PageAccess& forced = bench.write(1, 1, 0, unit_sectors, true);
  const PageAccess& flush = bench.submit(AccessKind::flush, 0);
  bench.run();
  CHECK(bench.done(forced));
  CHECK(bench.done(flush));
  CHECK(bench.backend.records.empty());
  REQUIRE(bench.cache.dirty_units().size() == 1);
}

TEST_CASE("the cache accepts no accesses while a capacitor saves it") {
  CacheParameters p = cache_of(CachePolicy::write_back, 2);
  p.backup = CacheBackup::capacitor;
  CacheBench bench(p);
  bench.write(1, 1);
  bench.write(2, 1);
  const PageAccess& waits = bench.write(3, 1);  // waits for room
  bench.cache.save();
  bench.submit(AccessKind::flush, 0);
  const PageAccess& comes = bench.write(1, 2);
  bench.run();
  CHECK(bench.backend_count(AccessKind::write) == 2);
  CHECK(bench.cache.clean());
  CHECK_FALSE(bench.done(waits));
  CHECK_FALSE(bench.done(comes));
  CHECK(bench.on_backend(1) == 1);
}

TEST_CASE("with a capacitor, no more units are dirty than could be saved") {
  CacheParameters parameters = cache_of(CachePolicy::write_back, 16);
  parameters.backup = CacheBackup::capacitor;
  CacheBench bench(parameters);
  bench.backend.room = 3;
  std::vector<const PageAccess*> writes;
  for (std::uint64_t lpn = 0; lpn < 8; ++lpn) writes.push_back(&bench.write(lpn, 1));
  CHECK(bench.cache.counters().waits == 5);
  const auto all_done = [&] {
    return std::all_of(writes.begin(), writes.end(), [&](const PageAccess* write) { return bench.done(*write); });
  };
  while (!all_done()) {
    CHECK(bench.cache.dirty_units().size() <= 3);
    bench.run_for(microsecond);
  }

  // A unit that is already dirty may be rewritten at once, since it needs no more room. A clean unit may have to wait.
  bench.backend.room = 0;
  bench.run();
  const std::uint64_t dirty = bench.cache.dirty_units().front().lpn.value;
  bench.write(dirty, 2);
  CHECK(bench.cache.counters().waits == 5);
  const PageAccess& other = bench.write(15, 3);
  CHECK(bench.cache.counters().waits == 6);
  bench.run();
  CHECK(bench.done(other));
  // The backend has no room to save a dirty unit. The last write was therefore completed only when it was on flash, and
  // no unit is dirty.
  CHECK(bench.cache.dirty_units().empty());
  CHECK(bench.on_backend(15) == 3);
}

TEST_CASE("a trim drops units, waits for their write-back, and holds later accesses to its range") {
  CacheBench bench(cache_of(CachePolicy::write_back, 8));
  bench.write(1, 1);
  bench.submit(AccessKind::flush, 0);
  bench.run_for(5 * microsecond);
  bench.write(2, 1);
  const PageAccess& trim = bench.trim(0, 900);
  const PageAccess& read = bench.submit(AccessKind::read, 1);
  const PageAccess& write = bench.write(2, 7);
  const PageAccess& outside = bench.write(950, 7);
  CHECK(bench.cache.dirty_units().size() == 3);  // a power cut at this time would save the three units
  bench.run_for(2 * microsecond);
  CHECK(bench.done(outside));
  CHECK(!bench.done(write));
  CHECK(bench.backend_count(AccessKind::trim) == 0);
  bench.run();
  CHECK(bench.done(trim));
  CHECK(bench.done(write));
  CHECK(bench.value(read) == 0);
  CHECK(bench.on_backend(1) == 0);
  const PageAccess& reread = bench.submit(AccessKind::read, 2);
  bench.run();
  CHECK(bench.value(reread) == 7);
}

TEST_CASE("a trim waits until a forced write to its unit is on flash, since a power cut may undo the trim alone") {
  CacheBench bench(cache_of(CachePolicy::write_back, 4));
  bench.write(5, 1);
  const bool written_back = GENERATE(false, true);  // whether the earlier write to the unit is being written back
  if (written_back) {
    bench.submit(AccessKind::flush, 0);
    bench.run_for(5 * microsecond);
  }
  const PageAccess& forced = bench.write(5, 2, 0, unit_sectors, true);
  const PageAccess& trim = bench.trim(5, 1);
  bench.run();
  CHECK(bench.done(forced));
  CHECK(bench.done(trim));
  const auto& records = bench.backend.records;
  const auto is_forced = [](const auto& access) {
    return access.kind == AccessKind::write && access.force_unit_access;
  };
  const auto write = std::ranges::find_if(records, is_forced);
  REQUIRE(write != records.end());
  CHECK(std::ranges::find(records, AccessKind::trim, [](const auto& access) { return access.kind; }) > write);
}

TEST_CASE("a failed trim keeps the dirty data") {
  CacheBench bench(cache_of(CachePolicy::write_back, 8));
  bench.write(2, 1);
  bench.run();
  bench.backend.decide = [](const PageAccess& access) {
    return FakeStorage::Answer{.status =
                                   access.kind == AccessKind::trim ? AccessStatus::write_fault : AccessStatus::ok};
  };
  const PageAccess& trim = bench.trim(0, 10);
  bench.run();
  CHECK(trim.status == AccessStatus::write_fault);
  bench.submit(AccessKind::flush, 0);
  bench.run();
  CHECK(bench.on_backend(2) == 1);
}

TEST_CASE("a failed write-back fails flushes and reads of its sectors until they are rewritten") {
  CacheParameters p = cache_of(CachePolicy::write_back, 8);
  p.dirty_high_percent = p.dirty_low_percent = 0;
  CacheBench bench(p);
  *bench.backend.sector(1, 0) = std::byte{9};
  *bench.backend.sector(1, 5) = std::byte{8};
  bench.backend.decide = [](const PageAccess& access) {
    return FakeStorage::Answer{.status =
                                   access.kind == AccessKind::write ? AccessStatus::write_fault : AccessStatus::ok};
  };
  const PageAccess& write = bench.write(1, 1, 0, 4);
  bench.run();
  CHECK(write.status == AccessStatus::ok);
  CHECK(bench.cache.counters().failed_write_backs == 1);
  CHECK(bench.cache.counters().dirty_units == 0);

  const PageAccess& read = bench.submit(AccessKind::read, 1, 0, 1);
  const PageAccess& beside = bench.submit(AccessKind::read, 1, 5, 1);
  const PageAccess& flush = bench.submit(AccessKind::flush, 0);
  const PageAccess& next_flush = bench.submit(AccessKind::flush, 0);
  bench.run();
  CHECK(read.status == AccessStatus::unrecovered_read_error);
  CHECK(bench.value(read) == 'U');
  CHECK(bench.value(beside) == 8);
  CHECK(flush.status == AccessStatus::write_fault);
  CHECK(next_flush.status == AccessStatus::write_fault);

  bench.backend.decide = nullptr;
  bench.write(1, 2, 0, 2);
  const PageAccess& rewritten = bench.submit(AccessKind::read, 1, 0, 2);
  const PageAccess& rest = bench.submit(AccessKind::read, 1, 2, 2);
  bench.run();
  CHECK(rewritten.status == AccessStatus::ok);
  CHECK(bench.value(rewritten) == 2);
  CHECK(rest.status == AccessStatus::unrecovered_read_error);
  bench.trim(1, 1);
  const PageAccess& trimmed = bench.submit(AccessKind::read, 1, 2, 2);
  bench.run();
  const PageAccess& last_flush = bench.submit(AccessKind::flush, 0);
  bench.run();
  CHECK(last_flush.status == AccessStatus::ok);
  CHECK(trimmed.status == AccessStatus::ok);
  CHECK(bench.value(trimmed) == 0);
}

TEST_CASE("a flush fails when a write-back that it waits for fails") {
  CacheBench bench(cache_of(CachePolicy::write_back, 8));
  bench.write(1, 1);
  bench.backend.decide = [](const PageAccess& access) {
    return FakeStorage::Answer{.status =
                                   access.kind == AccessKind::write ? AccessStatus::write_fault : AccessStatus::ok};
  };
  const PageAccess& flush = bench.submit(AccessKind::flush, 0);
  const PageAccess& other = bench.submit(AccessKind::flush, 0);
  bench.run();
  CHECK(flush.status == AccessStatus::write_fault);
  CHECK(other.status == AccessStatus::write_fault);
  bench.backend.decide = nullptr;
  bench.write(1, 1);
  const PageAccess& next = bench.submit(AccessKind::flush, 0);
  bench.run();
  CHECK(next.status == AccessStatus::ok);
}

TEST_CASE("a read-only drive accepts no write") {
  CacheBench bench(cache_of(CachePolicy::write_back, 8));
  const PageAccess& before = bench.write(1, 1);
  bench.run();
  bench.backend.takes_no_writes = true;
  const PageAccess& after = bench.write(1, 2);
  const PageAccess& read = bench.submit(AccessKind::read, 1);
  bench.run();
  CHECK(before.status == AccessStatus::ok);
  CHECK(after.status == AccessStatus::write_protected);
  CHECK(bench.value(read) == 1);
}

TEST_CASE("a failed read is not cached") {
  CacheBench bench(cache_of(CachePolicy::read, 8));
  bench.backend.decide = [](const PageAccess&) {
    return FakeStorage::Answer{.status = AccessStatus::unrecovered_read_error};
  };
  const PageAccess& failed = bench.submit(AccessKind::read, 1);
  bench.run();
  CHECK(failed.status == AccessStatus::unrecovered_read_error);
  bench.backend.decide = nullptr;
  const PageAccess& read = bench.submit(AccessKind::read, 1);
  bench.run();
  CHECK(read.status == AccessStatus::ok);
  CHECK(bench.cache.counters().read_misses == 2);
}

TEST_CASE("replacement: which clean unit is evicted") {
  const auto survivors = [](CacheReplacement replacement) {
    std::vector<std::uint64_t> left;
    for (const std::uint64_t asked : {1, 2, 3}) {
      CacheParameters p = cache_of(CachePolicy::read, 3);
      p.replacement = replacement;
      CacheBench bench(p);
      for (const std::uint64_t lpn : {1, 2, 3, 2, 1, 4, 5}) {
        bench.submit(AccessKind::read, lpn);
        bench.run();
      }
      const std::uint64_t hits = bench.cache.counters().read_hits;
      bench.submit(AccessKind::read, asked);
      if (bench.cache.counters().read_hits > hits) left.push_back(asked);
      bench.run();
    }
    return left;
  };
  using Lpns = std::vector<std::uint64_t>;
  CHECK(survivors(CacheReplacement::lru) == Lpns{1});    // 3 and 2 were evicted
  CHECK(survivors(CacheReplacement::fifo) == Lpns{3});   // 1 and 2 were evicted
  CHECK(survivors(CacheReplacement::clock) == Lpns{2});  // 1 and 2 got a second chance and 3 was evicted, then 1
}

TEST_CASE("sequential reads are read ahead") {
  CacheParameters p = cache_of(CachePolicy::read, 64);
  p.prefetch_pages = 4;
  CacheBench bench(p);
  for (std::uint64_t lpn = 10; lpn < 30; ++lpn) {
    bench.submit(AccessKind::read, lpn);
    bench.run();
  }
  const CacheCounters counters = bench.cache.counters();
  CHECK(counters.read_misses == 2);  // the first read, and the second read, at which the stream is recognised
  CHECK(counters.prefetch_hits == 18);
  CHECK(counters.prefetched_units == 18 + 4);
}

TEST_CASE("a cache larger than the data, and trims of ranges of any size") {
  CacheParameters p = cache_of(CachePolicy::write_back, 1 << 24);
  CacheBench bench(p);
  for (std::uint64_t lpn = 0; lpn < 1000; ++lpn) bench.write(lpn, 1);
  bench.run();
  CHECK(bench.cache.dirty_units().size() == 1000);
  bench.trim(10, 3);
  bench.trim(100, 900);
  bench.run();
  CHECK(bench.cache.dirty_units().size() == 97);
}

TEST_CASE("sets of sectors") {
  const SectorSet all = SectorSet::range(0, 128);
  CHECK(all.count() == 128);
  CHECK(all.first() == 0);
  CHECK(all.end() == 128);
  const SectorSet middle = SectorSet::range(60, 8);
  CHECK(middle.first() == 60);
  CHECK(middle.end() == 68);
  CHECK((all - middle).count() == 120);
  CHECK((all - middle).span() == all);
  CHECK(!middle.contains(all));
  CHECK(all.contains(middle));
  CHECK(!SectorSet::range(5, 0).any());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> runs;
  (all - middle).for_each_run([&](std::uint32_t first, std::uint32_t count) { runs.emplace_back(first, count); });
  CHECK(runs == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 60}, {68, 60}});
}

TEST_CASE("an impossible cache is refused") {
  CacheParameters p = cache_of(CachePolicy::read, 1);
  CHECK_NOTHROW(check(p, unit_bytes));
  CHECK_THROWS_AS(check(p, 2 * unit_bytes), ConfigError);
  CHECK_THROWS_AS(check(p, 1 << 17), ConfigError);
  p.policy = CachePolicy::none;
  CHECK_NOTHROW(check(p, 1 << 17));
}

}  // namespace
}  // namespace nandscape::controller
