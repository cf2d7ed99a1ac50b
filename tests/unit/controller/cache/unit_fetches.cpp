// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/unit_fetches.h"

#include "catch.h"
#include "fakes/fake_storage.h"

namespace nandscape::controller {
namespace {

constexpr std::uint32_t unit_bytes = 4096;

// A bench that finishes each fetch when the backend answers, and records the time at which the data are in DRAM.
struct FetchBench final : private StorageClient {
  FetchBench() { backend.set_client(*this); }

  void completed(PageAccess& access, Tick now) override {
    auto& fetch = static_cast<CacheOperation&>(access);
    streams.push_back(fetch.stream);
    in_dram = fetches.arrived(fetch, now);
    fetches.finish(fetch);
  }
  void run() { calendar.run_until(never - 1); }

  Calendar calendar;
  FakeStorage backend{calendar, unit_bytes, 1000};
  Dram dram{DramParameters()};
  CacheParameters parameters{.policy = CachePolicy::read_write, .capacity_bytes = 3 * unit_bytes};
  CacheMemory memory{parameters, unit_bytes, true, dram};
  OperationPool operations{unit_bytes};
  UnitFetches fetches{memory, operations, backend};
  std::vector<std::uint16_t> streams;
  Tick in_dram = 0;
};

TEST_CASE("a fetch brings sectors of a unit through DRAM, on its reader's stream") {
  FetchBench b;
  *b.backend.sector(7, 3) = std::byte{9};
  CachedUnit& unit = b.memory.add(Lpn(7));
  PageAccess reader = make_access(AccessKind::read, 7, 2, 3);
  reader.stream = 4;
  b.fetches.fetch(unit, SectorSet::range(2, 3), &reader, 0);
  CHECK(unit.fetching);
  b.run();
  CHECK_FALSE(unit.fetching);
  CHECK(unit.valid == SectorSet::range(2, 3));
  CHECK(unit.data[3 * sector_bytes] == std::byte{9});
  CHECK(b.streams == std::vector<std::uint16_t>{4});
  Dram reference{DramParameters()};
  const Tick answered = b.calendar.now();
  CHECK(b.in_dram == reference.transfer(Dram::Direction::write, 2 * sector_bytes, 3 * sector_bytes, answered));
  CHECK(b.operations.in_use() == 0);
}

TEST_CASE("a failed fetch brings no data and uses no DRAM time") {
  FetchBench b;
  b.backend.decide = [](const PageAccess&) {
    return FakeStorage::Answer{.status = AccessStatus::unrecovered_read_error};
  };
  CachedUnit& unit = b.memory.add(Lpn(7));
  b.fetches.fetch(unit, b.memory.whole_unit(), nullptr, 0);
  b.run();
  CHECK_FALSE(unit.valid.any());
  CHECK(b.in_dram == b.calendar.now());
  CHECK(b.dram.counters().bytes_written == 0);
}

TEST_CASE("a unit that is being fetched makes no room for others") {
  FetchBench b;
  CachedUnit& unit = b.memory.add(Lpn(7));
  unit.valid = SectorSet::range(0, 1);
  b.memory.settle(unit);
  CHECK(unit.listed == CachedUnit::Listed::clean);
  b.fetches.fetch(unit, b.memory.whole_unit(), nullptr, 0);
  CHECK(unit.listed == CachedUnit::Listed::no);
}

TEST_CASE("a prefetched unit counts as a hit once") {
  FetchBench b;
  b.fetches.prefetch(Lpn(8), 0);
  b.run();
  CachedUnit* const unit = b.memory.find(Lpn(8));
  REQUIRE(unit != nullptr);
  CHECK(unit->valid == b.memory.whole_unit());
  b.fetches.count_hit(*unit);
  b.fetches.count_hit(*unit);
  CHECK(b.fetches.counters().prefetched_units == 1);
  CHECK(b.fetches.counters().prefetch_hits == 1);
}

}  // namespace
}  // namespace nandscape::controller
