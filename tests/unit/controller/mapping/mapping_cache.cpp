// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/mapping_cache.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <memory>
#include <set>
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "core/random.h"

namespace nandscape::controller {
namespace {

constexpr std::uint32_t page_bytes = 64;
constexpr std::uint32_t entries = 16;  // of 4 bytes each

struct Flash;

struct Access final : MappingCache::Waiter {
  explicit Access(std::uint64_t translation_page) : page(translation_page) {}
  void translated(Tick now) override;

  Flash* flash = nullptr;
  std::uint64_t page;
  bool waits = false;
};

// A fake flash that completes loads and stores when the test decides, together with a model of the expected cache
// content.
struct Flash final : MappingCache::Client {
  Flash(std::uint64_t most_pages, std::uint64_t pages)
      : capacity(most_pages), cache({.cache_bytes = most_pages * page_bytes}, page_bytes, pages * entries) {
    cache.set_client(*this);
  }

  void load_translation_page(std::uint64_t page, const MappingCache::Waiter*, Tick) override {
    REQUIRE_FALSE(loading.contains(page));
    REQUIRE_FALSE(storing.contains(page));
    REQUIRE(std::find(used.begin(), used.end(), page) == used.end());
    if (used.size() + loading.size() + storing.size() == capacity) {
      // The cache has made room by dropping its least recently used page, which must be clean.
      REQUIRE_FALSE(used.empty());
      REQUIRE_FALSE(changed.contains(used.back()));
      used.pop_back();
    }
    loading.insert(page);
    REQUIRE(used.size() + loading.size() + storing.size() <= capacity);
  }
  void store_translation_page(std::uint64_t page, Tick) override {
    REQUIRE_FALSE(used.empty());
    REQUIRE(page == used.back());
    REQUIRE(changed.erase(page) == 1);
    used.pop_back();
    storing.insert(page);
  }

  void finish_load(std::uint64_t page) {
    loading.erase(page);
    used.push_front(page);
    cache.loaded(page, 0);
  }
  void finish_store(std::uint64_t page) {
    storing.erase(page);
    cache.stored(page, 0);
  }
  bool finish_any(RandomStream& random) {
    const std::uint64_t under_way = loading.size() + storing.size();
    if (under_way == 0) return false;
    const std::uint64_t which = random.below(under_way);
    if (which < loading.size()) {
      finish_load(*std::next(loading.begin(), static_cast<std::ptrdiff_t>(which)));
    } else {
      finish_store(*std::next(storing.begin(), static_cast<std::ptrdiff_t>(which - loading.size())));
    }
    return true;
  }
  bool touch(Access& access, std::uint32_t entry = 0) {
    const auto found = std::find(used.begin(), used.end(), access.page);
    const bool present = found != used.end();
    if (present) used.splice(used.begin(), used, found);
    access.waits = !present;
    access.flash = this;
    const bool hit = cache.touch(Lpn(access.page * entries + entry), access, 0);
    REQUIRE(hit == present);
    return hit;
  }
  void update(std::uint64_t page, std::uint32_t entry = 0) {
    changed.insert(page);
    if (const auto found = std::find(used.begin(), used.end(), page); found != used.end()) {
      used.splice(used.begin(), used, found);
    }
    cache.update(Lpn(page * entries + entry), 0);
  }

  std::uint64_t capacity;
  std::list<std::uint64_t> used;  // cached pages, the most recently used page first
  std::set<std::uint64_t> changed, loading, storing;
  std::uint64_t served = 0;
  MappingCache cache;
};

void Access::translated(Tick) {
  REQUIRE(waits);
  waits = false;
  REQUIRE(page == flash->used.front());
  ++flash->served;
}

TEST_CASE("in any order of completions, every access is served once and no change is lost") {
  const std::uint64_t capacity = GENERATE(1, 2, 5, 16);
  const std::uint64_t completions = GENERATE(1, 2, 4);  // of `completions` + 1 steps, one is a completion on average
  Flash flash(capacity, 12);
  RandomStream random(completions, "mapping_cache");
  std::vector<std::unique_ptr<Access>> accesses;
  std::uint64_t hits = 0;
  for (int step = 0; step < 20'000; ++step) {
    // Some pages are more popular than others.
    const std::uint64_t page = std::min(random.below(12), random.below(12));
    const auto entry = static_cast<std::uint32_t>(random.below(entries));
    if (random.below(completions + 1) == 0) {
      flash.finish_any(random);
    } else if (random.below(3) == 0) {
      flash.update(page, entry);
    } else {
      accesses.push_back(std::make_unique<Access>(page));
      hits += flash.touch(*accesses.back(), entry);
    }
  }
  while (flash.finish_any(random)) {
  }
  CHECK(flash.cache.idle());
  CHECK(std::none_of(accesses.begin(), accesses.end(), [](const auto& access) { return access->waits; }));
  CHECK(hits + flash.served == accesses.size());
  CHECK(flash.cache.counters().hits == hits);
  CHECK(flash.cache.counters().misses == flash.served);
  // A changed page must have been written to flash, or must still be in the cache.
  for (const std::uint64_t page : flash.changed) {
    CHECK(std::find(flash.used.begin(), flash.used.end(), page) != flash.used.end());
  }
}

TEST_CASE("accesses that miss the same translation page share one load") {
  Flash flash(2, 4);
  std::vector<Access> accesses(10, Access(3));
  for (Access& access : accesses) CHECK_FALSE(flash.touch(access));
  CHECK(flash.cache.counters().loads == 1);
  flash.finish_load(3);
  CHECK(flash.served == 10);
  CHECK(flash.touch(accesses[0]));
}

TEST_CASE("one write of a translation page cleans all its changed entries") {
  Flash flash(1, 4);
  Access first(0), second(1);
  flash.touch(first);
  flash.finish_load(0);
  for (std::uint32_t entry = 0; entry < entries; ++entry) flash.update(0, entry);
  flash.touch(second);
  CHECK(flash.cache.counters().stores == 1);
  CHECK(flash.cache.counters().loads == 1);  // the load of the second page must wait until there is room
  flash.finish_store(0);
  flash.finish_load(1);
  CHECK(flash.served == 2);
  // Page 0 is clean now, so it is dropped without another write.
  Access again(0);
  flash.touch(again);
  flash.finish_load(0);
  CHECK(flash.cache.counters().stores == 1);
}

TEST_CASE("changing an absent entry loads its page, which is written in turn") {
  Flash flash(1, 4);
  flash.update(2);
  CHECK_FALSE(flash.cache.idle());
  flash.finish_load(2);
  CHECK(flash.cache.idle());
  Access other(0);
  flash.touch(other);
  REQUIRE(flash.storing.contains(2));
  flash.update(2);  // changed again while it is being written, so it must be loaded again
  flash.finish_store(2);
  flash.finish_load(0);
  CHECK(flash.served == 1);
  flash.finish_load(2);
  CHECK(flash.cache.idle());
  CHECK(flash.changed.contains(2));
}

TEST_CASE("with uniform accesses the hit rate is the cached share of the mapping") {
  constexpr std::uint64_t capacity = 30, pages = 100;
  Flash flash(capacity, pages);
  RandomStream random(1, "uniform");
  constexpr int rounds = 50'000;
  for (int k = 0; k < rounds; ++k) {
    Access access(random.below(pages));
    if (!flash.touch(access)) flash.finish_load(access.page);
  }
  const double hits = static_cast<double>(flash.cache.counters().hits) / rounds;
  CHECK(hits == Approx(0.3).margin(5 * std::sqrt(0.3 * 0.7 / rounds) + 30.0 / rounds));
}

// Completes all loads and stores immediately.
struct Immediate final : MappingCache::Client {
  void load_translation_page(std::uint64_t page, const MappingCache::Waiter*, Tick now) override {
    cache->loaded(page, now);
  }
  void store_translation_page(std::uint64_t page, Tick now) override { cache->stored(page, now); }
  MappingCache* cache = nullptr;
};

struct Counter final : MappingCache::Waiter {
  explicit Counter(std::uint64_t& all) : served(all) {}
  void translated(Tick) override { ++served; }
  std::uint64_t& served;
};

TEST_CASE("a client may complete from within the call") {
  Immediate client;
  MappingCache cache({.cache_bytes = 2 * page_bytes}, page_bytes, 10 * entries);
  cache.set_client(client);
  client.cache = &cache;
  RandomStream random(1, "immediate");
  std::uint64_t hits = 0, served = 0;
  for (int k = 0; k < 5000; ++k) {
    Counter waiter(served);
    hits += cache.touch(Lpn(random.below(10 * entries)), waiter, 0);
    cache.update(Lpn(random.below(10 * entries)), 0);
    REQUIRE(cache.idle());
  }
  CHECK(hits + served == 5000);
}

TEST_CASE("without a cache the whole mapping is present") {
  Immediate client;
  MappingCache cache({}, page_bytes, 1000);
  cache.set_client(client);
  std::uint64_t served = 0;
  Counter waiter(served);
  CHECK(cache.touch(Lpn(999), waiter, 0));
  CHECK(cache.touch_moved(Lpn(999), waiter, 0));
  cache.update(Lpn(999), 0);
  CHECK(cache.idle());
  CHECK(cache.counters().loads == 0);
}

// A memory whose look-ups the test ends.
struct SlowMemory final : MappingMemory {
  bool look_up(MappingWaiter& waiter, Tick) override {
    waiting.push_back(&waiter);
    return false;
  }
  bool look_up_loaded(MappingWaiter&, Tick) override { return true; }
  void change(Lpn, Tick) override {}
  void put(std::uint64_t, Tick) override {}
  void take(std::uint64_t, Tick) override {}
  void drop(std::uint64_t) override {}
  MappingMemoryCounters counters() const override { return {}; }
  bool idle() const override { return waiting.empty(); }
  std::vector<MappingWaiter*> waiting;
};

TEST_CASE("a look-up of a moved unit takes the time of the memory, and never loads a translation page") {
  Flash flash(1, 4);
  SlowMemory memory;
  flash.cache.set_memory(memory);
  std::uint64_t served = 0;
  Counter moved(served);
  CHECK(flash.cache.touch_moved(Lpn(0), moved, 0));
  CHECK(flash.loading.empty());
  CHECK(flash.cache.counters().moves == 0);

  flash.update(0);
  flash.finish_load(0);
  CHECK_FALSE(flash.cache.touch_moved(Lpn(1), moved, 0));
  REQUIRE(memory.waiting.size() == 1);
  memory.waiting.front()->translated(0);
  CHECK(served == 1);
  CHECK(flash.cache.counters().moves == 1);
  CHECK(flash.cache.counters().hits + flash.cache.counters().misses == 0);
}

}  // namespace
}  // namespace nandscape::controller
