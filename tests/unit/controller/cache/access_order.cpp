// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/access_order.h"

#include <deque>
#include <vector>

#include "catch.h"
#include "fakes/fake_storage.h"

namespace nandscape::controller {
namespace {

struct Orders {
  PageAccess& make(AccessKind kind, std::uint64_t lpn, std::uint64_t pages = 1) {
    PageAccess& access = accesses.emplace_back(make_access(kind, lpn));
    access.page_count = pages;
    return access;
  }
  // Returns a pending trim of the given pages.
  CacheOperation& begin_trim(std::uint64_t lpn, std::uint64_t pages) {
    CacheOperation& trim = operations.emplace_back();
    trim.kind = AccessKind::trim;
    trim.lpn = Lpn(lpn);
    trim.page_count = pages;
    trim.pending = 1;
    trims.add(trim, 0);
    return trim;
  }
  std::vector<PageAccess*> released() {
    std::vector<PageAccess*> admitted;
    order.release([&](PageAccess& access) { admitted.push_back(&access); });
    return admitted;
  }

  Calendar calendar;
  FakeStorage backend{calendar, 4096, 1000};
  Dram dram{DramParameters()};
  CacheParameters parameters{.policy = CachePolicy::write_back, .capacity_bytes = 8 * 4096};
  CacheMemory memory{parameters, 4096, false, dram};
  WaitingWrites waiting;
  WritesThrough through;
  PendingTrims trims{backend};
  AccessOrder order{memory, waiting, through, trims};
  std::deque<PageAccess> accesses;
  std::deque<CacheOperation> operations;
};

TEST_CASE("accesses in the range of a pending trim wait for it in order, and flushes do not") {
  Orders o;
  CacheOperation& trim = o.begin_trim(10, 5);
  PageAccess& write = o.make(AccessKind::write, 12);
  PageAccess& read = o.make(AccessKind::read, 12);
  PageAccess& other = o.make(AccessKind::read, 14);
  CHECK_FALSE(o.order.admits(write));
  CHECK_FALSE(o.order.admits(read));
  CHECK_FALSE(o.order.admits(other));
  CHECK(o.order.admits(o.make(AccessKind::read, 15)));
  CHECK(o.order.admits(o.make(AccessKind::flush, 0)));
  CHECK(o.released().empty());
  o.trims.remove(trim);
  CHECK(o.released() == std::vector<PageAccess*>{&write, &read, &other});
}

TEST_CASE("a trim waits for earlier writes to its range, wherever they wait") {
  Orders o;
  PageAccess& earlier = o.make(AccessKind::write, 12);
  PageAccess& late = o.make(AccessKind::trim, 10, 5);
  SECTION("for room") {
    o.waiting.push(earlier);
    CHECK_FALSE(o.order.admits(late));
    o.waiting.pop();
  }
  SECTION("for a fetch") {
    CachedUnit& unit = o.memory.add(Lpn(12));
    unit.waiting.push(earlier);
    CHECK_FALSE(o.order.admits(late));
    unit.waiting.pop();
  }
  SECTION("for a write past the cache") {
    CacheOperation& write = o.operations.emplace_back();
    write.kind = AccessKind::write;
    write.lpn = Lpn(12);
    o.through.insert(write);
    write.waiting.push(earlier);
    CHECK_FALSE(o.order.admits(late));
    write.waiting.pop();
  }
  // A read that is submitted after the trim must wait for the trim.
  PageAccess& read = o.make(AccessKind::read, 11);
  CHECK_FALSE(o.order.admits(read));
  std::vector<PageAccess*> admitted;
  o.order.release([&](PageAccess& access) {
    admitted.push_back(&access);
    if (is_trim(access)) o.begin_trim(10, 5);
  });
  CHECK(admitted == std::vector<PageAccess*>{&late});
}

TEST_CASE("one release admits accesses that earlier ones free, and accesses that arrive meanwhile") {
  Orders o;
  CacheOperation& trim = o.begin_trim(10, 5);
  PageAccess& first = o.make(AccessKind::write, 12);
  PageAccess& second = o.make(AccessKind::write, 12);
  PageAccess& third = o.make(AccessKind::write, 12);
  CHECK_FALSE(o.order.admits(first));
  CHECK_FALSE(o.order.admits(second));
  o.trims.remove(trim);
  std::vector<PageAccess*> admitted;
  o.order.release([&](PageAccess& access) {
    admitted.push_back(&access);
    // The third access arrives while the second access still waits, and must not overtake it.
    if (&access == &first) CHECK_FALSE(o.order.admits(third));
  });
  CHECK(admitted == std::vector<PageAccess*>{&first, &second, &third});
}

TEST_CASE("accesses that waited elsewhere are admitted before those held here") {
  Orders o;
  CacheOperation& trim = o.begin_trim(10, 5);
  PageAccess& held = o.make(AccessKind::write, 12);
  CHECK_FALSE(o.order.admits(held));
  PageAccess& earlier = o.make(AccessKind::write, 12);
  AccessQueue queue;
  queue.push(earlier);
  o.order.hold_first(queue);
  o.trims.remove(trim);
  CHECK(o.released() == std::vector<PageAccess*>{&earlier, &held});
}

}  // namespace
}  // namespace nandscape::controller
