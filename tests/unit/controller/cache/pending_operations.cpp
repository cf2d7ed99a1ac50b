// SPDX-License-Identifier: Apache-2.0
// Tests flushes and trims, which must wait for other operations before the cache sends them to the backend.
#include "catch.h"
#include "controller/cache/access_order.h"
#include "fakes/fake_storage.h"

namespace nandscape::controller {
namespace {

struct Pending {
  Pending() { backend.set_client(front_end); }

  Calendar calendar;
  FakeStorage backend{calendar, 4096, 1000};
  FakeHost front_end;
};

CacheOperation flush_of(std::uint64_t barrier, std::uint64_t pending) {
  CacheOperation flush;
  flush.kind = AccessKind::flush;
  flush.barrier = barrier;
  flush.pending = pending;
  return flush;
}

CacheOperation trim_of(std::uint64_t lpn, std::uint64_t pages, std::uint64_t pending) {
  CacheOperation trim;
  trim.kind = AccessKind::trim;
  trim.lpn = Lpn(lpn);
  trim.page_count = pages;
  trim.pending = pending;
  return trim;
}

TEST_CASE("a flush waits only for units that became dirty before it") {
  Pending p;
  PendingFlushes flushes(p.backend);
  CacheOperation flush = flush_of(5, 2);
  flushes.add(flush);
  CHECK(flushes.wait_for(5));
  CHECK_FALSE(flushes.wait_for(6));
  // This unit became dirty after the flush arrived, so the flush does not wait for it.
  flushes.count_clean(6, AccessStatus::write_fault);
  flushes.count_clean(4, AccessStatus::ok);
  flushes.send_due(0);
  CHECK(p.backend.records.empty());
  flushes.count_clean(5, AccessStatus::ok);
  flushes.send_due(0);
  CHECK(p.backend.of_kind(AccessKind::flush).size() == 1);
  CHECK(flushes.empty());
  CHECK(flush.failure == AccessStatus::ok);
}

TEST_CASE("flushes are sent in arrival order, each with the failures of the write-backs it waited for") {
  Pending p;
  PendingFlushes flushes(p.backend);
  CacheOperation first = flush_of(1, 1);
  CacheOperation second = flush_of(2, 2);
  flushes.add(first);
  flushes.add(second);
  flushes.count_clean(2, AccessStatus::write_fault);
  flushes.send_due(0);
  CHECK(p.backend.records.empty());
  flushes.count_clean(1, AccessStatus::ok);
  flushes.send_due(0);
  CHECK(p.backend.of_kind(AccessKind::flush).size() == 2);
  CHECK(first.failure == AccessStatus::ok);
  CHECK(second.failure == AccessStatus::write_fault);
}

TEST_CASE("a trim is sent when the last operation in its range ends") {
  Pending p;
  PendingTrims trims(p.backend);
  CacheOperation trim = trim_of(10, 5, 2);
  trims.add(trim, 0);
  CHECK(trims.overlap_with(make_access(AccessKind::read, 14)));
  CHECK_FALSE(trims.overlap_with(make_access(AccessKind::read, 15)));
  trims.part_ended(Lpn(9), 0);
  trims.part_ended(Lpn(10), 0);
  CHECK(p.backend.records.empty());
  trims.part_ended(Lpn(14), 0);
  CHECK(p.backend.of_kind(AccessKind::trim).size() == 1);
  // Accesses to this range must still wait, until the trim has been removed.
  CHECK(trims.overlap_with(make_access(AccessKind::write, 10)));
  trims.remove(trim);
  CHECK(trims.empty());
}

TEST_CASE("a trim that waits for nothing is sent at once") {
  Pending p;
  PendingTrims trims(p.backend);
  CacheOperation trim = trim_of(10, 5, 0);
  trims.add(trim, 0);
  CHECK(p.backend.of_kind(AccessKind::trim).size() == 1);
}

}  // namespace
}  // namespace nandscape::controller
