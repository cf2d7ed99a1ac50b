// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/write_back.h"

#include <deque>
#include <vector>

#include "catch.h"
#include "fakes/fake_storage.h"

namespace nandscape::controller {
namespace {

constexpr std::uint32_t unit_bytes = 4096;
constexpr std::uint32_t unit_sectors = unit_bytes / sector_bytes;

CacheParameters parameters_of(std::uint32_t units, double high_percent, double low_percent) {
  CacheParameters p;
  p.policy = CachePolicy::write_back;
  p.capacity_bytes = std::uint64_t{units} * unit_bytes;
  p.dirty_high_percent = high_percent;
  p.dirty_low_percent = low_percent;
  return p;
}

// A bench for the write-back engine without the rest of the cache. The test makes units dirty.
struct WriteBackBench final : private StorageClient {
  explicit WriteBackBench(const CacheParameters& p, std::uint32_t units_together = 1)
      : backend(calendar, unit_bytes, 1000, units_together),
        memory(p, unit_bytes, false, dram),
        engine(p, p.backup == CacheBackup::capacitor, memory, operations, fetches, lost, flushes, waiting, answers,
               backend, calendar) {
    backend.set_client(*this);
    answers.set_client(front_end);
  }

  CachedUnit& dirty(std::uint64_t lpn, SectorSet sectors = SectorSet::range(0, unit_sectors)) {
    CachedUnit* unit = memory.find(Lpn(lpn));
    if (unit == nullptr) unit = &memory.add(Lpn(lpn));
    const bool was_dirty = unit->dirty.any();
    unit->valid = unit->valid | sectors;
    unit->dirty = unit->dirty | sectors;
    if (!was_dirty) engine.add(*unit);
    return *unit;
  }
  std::vector<std::uint64_t> started() {
    engine.start(calendar.now());
    return run();
  }
  // Runs until no events are left. Returns all units written back so far, in the order in which the backend received
  // them.
  std::vector<std::uint64_t> run() {
    calendar.run_until(never - 1);
    std::vector<std::uint64_t> lpns;
    for (const FakeStorage::Record& record : backend.of_kind(AccessKind::write)) lpns.push_back(record.lpn);
    return lpns;
  }

  void completed(PageAccess& access, Tick now) override {
    auto& operation = static_cast<CacheOperation&>(access);
    CachedUnit& unit = *operation.unit;
    if (operation.purpose == CacheOperation::Purpose::fetch) {
      const AccessStatus status = operation.status;
      fetches.finish(operation);
      status == AccessStatus::ok ? engine.go_on(unit, now) : engine.fetch_failed(unit, status, now);
    } else {
      engine.finish(operation, now);
    }
    memory.settle(unit);
    engine.start(now);
  }

  Calendar calendar;
  FakeStorage backend;
  Dram dram{DramParameters()};
  CacheMemory memory;
  OperationPool operations{0};
  UnitFetches fetches{memory, operations, backend};
  LostSectors lost;
  HostAnswers answers{calendar};
  PendingFlushes flushes{backend};
  WaitingWrites waiting;
  WriteBack engine;
  FakeHost front_end;
  std::deque<PageAccess> accesses;
};

using Lpns = std::vector<std::uint64_t>;

TEST_CASE("the engine starts above the high mark and stops at the low one") {
  WriteBackBench b(parameters_of(10, 60, 30));
  for (std::uint64_t lpn = 0; lpn < 6; ++lpn) b.dirty(lpn);
  CHECK(b.started().empty());
  b.dirty(6);
  CHECK(b.started() == Lpns{0, 1, 2, 3});
  CHECK(b.engine.unsaved() == 3);
  CHECK(b.engine.counters().write_backs == 4);
}

TEST_CASE("units that fill a flash page are written together, neighbours in the address space first") {
  CacheParameters p = parameters_of(16, 20, 0);
  WriteBackBench b(p, 4);
  for (const std::uint64_t lpn : {9, 40, 41, 11, 8}) b.dirty(lpn);
  const Lpns written = b.started();
  REQUIRE(written.size() == 5);
  CHECK(Lpns(written.begin(), written.begin() + 4) == Lpns{9, 8, 11, 40});
  // The four units of a batch are written at the same time, when the data of all four have been read from DRAM.
  const auto records = b.backend.of_kind(AccessKind::write);
  CHECK(records[0].at == records[3].at);
}

TEST_CASE("forced units are written at once, before others") {
  WriteBackBench b(parameters_of(10, 100, 100));
  for (std::uint64_t lpn = 0; lpn < 4; ++lpn) b.dirty(lpn);
  CachedUnit& forced = b.dirty(4);
  PageAccess& access = b.accesses.emplace_back(make_access(AccessKind::write, 4));
  forced.forced_writes.push(access);
  b.answers.expect();
  b.engine.force(forced);
  CHECK(b.started() == Lpns{4});
  CHECK(b.backend.of_kind(AccessKind::write)[0].force_unit_access);
  CHECK(b.front_end.time_of(access).has_value());
  CHECK(b.answers.none_due());
}

TEST_CASE("the gap between dirty sectors is fetched before they are written") {
  WriteBackBench b(parameters_of(10, 0, 0));
  b.dirty(3, SectorSet::range(0, 1) | SectorSet::range(4, 1));
  CHECK(b.started() == Lpns{3});
  REQUIRE(b.backend.records.size() == 2);
  CHECK(b.backend.records[0].kind == AccessKind::read);
  CHECK(b.backend.records[1].sector_count == unit_sectors);
}

TEST_CASE("adjacent dirty sectors are written without the rest of their unit") {
  WriteBackBench b(parameters_of(10, 0, 0));
  b.dirty(3, SectorSet::range(2, 3));
  CHECK(b.started() == Lpns{3});
  CHECK(b.backend.records ==
        std::vector<FakeStorage::Record>{{AccessKind::write, 3, 2, 3, false, b.backend.records[0].at}});
}

TEST_CASE("sectors that the backend refuses are lost, except those written meanwhile") {
  WriteBackBench b(parameters_of(10, 0, 0));
  b.dirty(3);
  b.backend.decide = [&](const PageAccess& access) {
    if (access.kind == AccessKind::read) return FakeStorage::Answer();
    b.backend.decide = nullptr;
    b.dirty(3, SectorSet::range(0, 2));
    return FakeStorage::Answer{.status = AccessStatus::write_fault};
  };
  b.started();
  CHECK(b.engine.counters().failed_write_backs == 1);
  CHECK(b.lost.failure() == AccessStatus::write_fault);
  CHECK_FALSE(b.lost.holds(make_access(AccessKind::read, 3, 0, 2)));
  CHECK(b.lost.holds(make_access(AccessKind::read, 3, 2, 1)));
  // The sectors written meanwhile have been written back.
  CHECK(b.engine.unsaved() == 0);
}

TEST_CASE("a failed fetch loses the dirty sectors that it was for") {
  WriteBackBench b(parameters_of(10, 0, 0));
  b.dirty(3, SectorSet::range(0, 1) | SectorSet::range(4, 1));
  b.backend.decide = [](const PageAccess&) {
    return FakeStorage::Answer{.status = AccessStatus::unrecovered_read_error};
  };
  CHECK(b.started().empty());
  CHECK(b.lost.holds(make_access(AccessKind::read, 3, 4, 1)));
  CHECK_FALSE(b.lost.holds(make_access(AccessKind::read, 3, 1, 3)));
  CHECK(b.engine.unsaved() == 0);
  CHECK(b.memory.find(Lpn(3)) == nullptr);
}

TEST_CASE("a unit set aside for a trim is written back only if the trim fails") {
  WriteBackBench b(parameters_of(10, 0, 0));
  CachedUnit& unit = b.dirty(3);
  b.dirty(4);
  b.engine.set_aside(unit);
  CHECK(b.started() == Lpns{4});
  SECTION("the trim fails") {
    b.engine.take_back(unit);
    CHECK(b.started() == Lpns{4, 3});
  }
  SECTION("the trim drops the unit") {
    b.engine.drop(unit);
    CHECK(b.started() == Lpns{4});
  }
  CHECK(b.engine.unsaved() == 0);
}

TEST_CASE("no more units become dirty than a capacitor can save") {
  CacheParameters p = parameters_of(10, 100, 100);
  p.backup = CacheBackup::capacitor;
  WriteBackBench b(p);
  b.backend.room = 0;
  CHECK_FALSE(b.engine.may_save_another());
  CHECK(b.engine.saves_none());
  b.backend.room = 1;
  CHECK(b.engine.may_save_another());
  CHECK_FALSE(b.engine.saves_none());
  b.dirty(1);
  CHECK_FALSE(b.engine.may_save_another());
  b.backend.room = 2;
  CHECK(b.engine.may_save_another());
  b.dirty(2);
  CHECK_FALSE(b.engine.may_save_another());
}

}  // namespace
}  // namespace nandscape::controller
