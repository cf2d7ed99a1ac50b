// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/write_back.h"

#include "catch.h"
#include "fakes/fake_storage.h"

namespace nandscape::controller {
namespace {

PageAccess read_of(std::uint64_t lpn, std::uint32_t first, std::uint32_t count) {
  return make_access(AccessKind::read, lpn, first, count);
}

TEST_CASE("reads of lost sectors fail until the sectors are written or trimmed") {
  LostSectors lost;
  CHECK(lost.failure() == AccessStatus::ok);
  lost.lose(Lpn(7), SectorSet::range(2, 4), AccessStatus::write_fault);
  CHECK(lost.failure() == AccessStatus::write_fault);
  CHECK(lost.holds(read_of(7, 5, 3)));
  CHECK_FALSE(lost.holds(read_of(7, 6, 2)));
  CHECK_FALSE(lost.holds(read_of(8, 2, 4)));
  lost.written(Lpn(7), SectorSet::range(3, 5));
  CHECK(lost.holds(read_of(7, 0, 8)));
  CHECK_FALSE(lost.holds(read_of(7, 3, 5)));
  SECTION("written") { lost.written(Lpn(7), SectorSet::range(0, 3)); }
  SECTION("trimmed") { lost.trimmed(Lpn(5), 3); }
  CHECK_FALSE(lost.holds(read_of(7, 0, 8)));
  CHECK(lost.failure() == AccessStatus::ok);
}

TEST_CASE("a trim beside a lost unit leaves it lost") {
  LostSectors lost;
  lost.lose(Lpn(7), SectorSet::range(0, 8), AccessStatus::write_fault);
  lost.trimmed(Lpn(0), 7);
  lost.trimmed(Lpn(8), 100);
  CHECK(lost.holds(read_of(7, 0, 1)));
}

TEST_CASE("flushes report the latest failure, and none that lost nothing") {
  LostSectors lost;
  // The empty set means that all sectors of the unit were overwritten during the write-back, so nothing is lost.
  lost.lose(Lpn(1), SectorSet(), AccessStatus::write_fault);
  CHECK(lost.failure() == AccessStatus::ok);
  lost.lose(Lpn(2), SectorSet::range(0, 1), AccessStatus::write_fault);
  lost.lose(Lpn(3), SectorSet::range(0, 1), AccessStatus::write_protected);
  CHECK(lost.failure() == AccessStatus::write_protected);
}

TEST_CASE("lost sectors survive a checkpoint, and sectors outside the device are refused") {
  const SectorSet whole_unit = SectorSet::range(0, 8);
  LostSectors lost;
  lost.lose(Lpn(7), SectorSet::range(2, 4), AccessStatus::write_fault);
  Archive written;
  lost.persist(written, 1000, whole_unit);
  const std::vector<std::byte> bytes = written.take();
  const auto read_back = [&](std::uint64_t pages, SectorSet unit) {
    LostSectors copy;
    Archive read(bytes);
    copy.persist(read, pages, unit);
    read.finish();
    return copy;
  };
  const LostSectors copy = read_back(1000, whole_unit);
  CHECK(copy.holds(read_of(7, 2, 1)));
  CHECK_FALSE(copy.holds(read_of(7, 0, 2)));
  CHECK(copy.failure() == AccessStatus::write_fault);
  CHECK_THROWS_AS(read_back(7, whole_unit), ArchiveError);
  CHECK_THROWS_AS(read_back(1000, SectorSet::range(0, 4)), ArchiveError);
}

}  // namespace
}  // namespace nandscape::controller
