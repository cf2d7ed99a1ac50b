// SPDX-License-Identifier: Apache-2.0
// Sends random accesses to the cache and checks each read against the history of writes. Each write puts its number
// into its sectors. The rules are:
//
// A read may return any write to the sector, unless a later write had replaced it before the read was submitted. A
// write replaces earlier writes when it completes.
//
// A reset makes the front end forget all pending accesses. Forgotten writes may take effect at once, later or never,
// but must not replace a write that is submitted after the reset.
//
// If two writes both cover two sectors of a read, the read must not return one write in the first sector and the other
// write in the second.
#include <deque>
#include <set>
#include <vector>

#include "catch.h"
#include "controller/cache/data_cache.h"
#include "core/random.h"
#include "fakes/fake_storage.h"

namespace nandscape::controller {
namespace {

constexpr std::uint32_t unit_bytes = 4096;
constexpr std::uint32_t unit_sectors = unit_bytes / sector_bytes;
constexpr std::uint64_t units = 12;
constexpr std::uint64_t not_yet = ~std::uint64_t{0};

class CacheConsistency {
 public:
  CacheConsistency(const CacheParameters& parameters, std::uint64_t seed, double failures, double resets)
      : parameters_(parameters),
        random_(seed, "cache"),
        failures_(failures),
        resets_(resets),
        backend_(calendar_, unit_bytes, units, 1U << seed % 3),
        cache_(parameters, true, backend_, dram_, calendar_) {
    cache_.set_client(front_end_);
    history_.resize(units * unit_sectors, {0});
    writes_.push_back({.came = 0, .answered = 0, .zero = true});  // the initial content
    backend_.decide = [this](const PageAccess& access) { return decide(access); };
    front_end_.heard = [this](PageAccess& access, Tick) { heard(access); };
  }

  void run(int accesses) {
    left_ = accesses;
    for (int k = 0; k < 12; ++k) next();
    while (calendar_.pending() != 0) {
      calendar_.run_until(calendar_.next_time());
      if (random_.below(50) == 0) check_power_cut();
      if (random_.uniform() < resets_) reset();
    }
    REQUIRE(left_ == 0);
    REQUIRE(under_way_ == 0);
    REQUIRE(cache_.idle());
    REQUIRE(!backend_.writes_overlapped);
    check_power_cut();
  }

  const DataCache& cache() const { return cache_; }
  std::uint64_t checked_sectors = 0;
  std::uint64_t failed_flushes = 0;
  std::uint64_t failed_reads = 0;
  std::uint64_t forgotten_writes = 0;

 private:
  struct Write {
    std::uint64_t came = 0;
    std::uint64_t answered = not_yet;
    std::uint64_t ended = not_yet;  // completed or forgotten
    bool zero = false;
    std::uint64_t first = 0, end = 0;  // sectors of the device
  };
  struct Access : PageAccess {
    std::uint64_t came = 0;
    std::uint64_t number = 0;
    bool under_way = true;
    bool forgotten = false;
    alignas(8) std::byte bytes[unit_bytes];
  };

  FakeStorage::Answer decide(const PageAccess& access) {
    FakeStorage::Answer answer;
    answer.early = random_.below(2) == 0;
    answer.delay = random_.below(4) == 0 ? 0 : 1 + random_.below(random_.below(5) == 0 ? 200'000'000 : 5'000'000);
    if (random_.uniform() < failures_) {
      if (access.kind == AccessKind::read) answer.status = AccessStatus::unrecovered_read_error;
      if (access.kind == AccessKind::write) answer.status = AccessStatus::write_fault;
      if (access.kind == AccessKind::trim) answer.status = AccessStatus::write_fault;
      if (answer.status != AccessStatus::ok && access.kind != AccessKind::trim) {
        failed_.insert(access.lpn.value);
      }
    }
    return answer;
  }

  void next() {
    if (left_ == 0) return;
    --left_;
    ++under_way_;
    Access& access = accesses_.emplace_back();
    const std::uint64_t dice = random_.below(100);
    access.lpn = Lpn(random_.below(units));
    access.first_sector = static_cast<std::uint16_t>(random_.below(unit_sectors));
    access.sector_count = static_cast<std::uint16_t>(1 + random_.below(unit_sectors - access.first_sector));
    if (random_.below(3) == 0) {
      access.first_sector = 0;
      access.sector_count = unit_sectors;
    }
    access.data = access.bytes;
    access.came = ++clock_;
    if (dice < 45) {
      access.kind = AccessKind::read;
      std::memset(access.bytes, 0xee, sizeof access.bytes);
    } else if (dice < 93) {
      access.kind = AccessKind::write;
      access.force_unit_access = random_.below(6) == 0;
      start_write(access, false);
      for (std::uint32_t sector = 0; sector < access.sector_count; ++sector) {
        std::memcpy(access.bytes + sector * sector_bytes, &access.number, 8);
        std::memcpy(access.bytes + (sector + 1) * sector_bytes - 8, &access.number, 8);
      }
    } else if (dice < 96) {
      access.kind = AccessKind::trim;
      access.first_sector = access.sector_count = 0;
      access.page_count = 1 + random_.below(units - access.lpn.value);
      start_write(access, true);
    } else {
      access.kind = AccessKind::flush;
    }
    cache_.submit(access, calendar_.now());
  }

  void start_write(Access& access, bool trim) {
    access.number = writes_.size();
    Write write{.came = access.came, .zero = trim};
    write.first = access.lpn.value * unit_sectors + access.first_sector;
    write.end = write.first + (trim ? access.page_count * unit_sectors : access.sector_count);
    for (std::uint64_t sector = write.first; sector < write.end; ++sector) history_[sector].push_back(access.number);
    writes_.push_back(write);
  }

  void heard(PageAccess& done) {
    auto& access = static_cast<Access&>(done);
    const std::uint64_t now = ++clock_;
    --under_way_;
    access.under_way = false;
    if (access.forgotten) return;
    switch (access.kind) {
      case AccessKind::read: check_read(access); break;
      case AccessKind::write:
      case AccessKind::trim:
        if (access.status == AccessStatus::ok) writes_[access.number].answered = writes_[access.number].ended = now;
        break;
      case AccessKind::flush:
        failed_flushes += access.status != AccessStatus::ok;
        if (access.status == AccessStatus::ok && parameters_.backup == CacheBackup::none && failures_ == 0) {
          check_device(access.came, false);
        }
    }
    // Submits the next access immediately, within the completion, or a little later.
    if (random_.below(2) == 0) return next();
    calendar_.schedule<&CacheConsistency::later>(calendar_.now() + random_.below(10'000'000), *this);
  }
  void later(std::uint64_t) { next(); }

  void reset() {
    int forgotten = 0;
    for (Access& access : accesses_) {
      if (!access.under_way || access.forgotten) continue;
      access.forgotten = true;
      ++forgotten;
      if (access.kind != AccessKind::write && access.kind != AccessKind::trim) continue;
      writes_[access.number].ended = ++clock_;
      ++forgotten_writes;
    }
    while (forgotten-- > 0) next();
  }

  // Returns whether the sector may hold write `number` in a read that is submitted at time `from` or later.
  bool allowed(std::uint64_t sector, std::uint64_t number, std::uint64_t from) const {
    const Write& write = writes_[number];
    for (const std::uint64_t other : history_[sector]) {
      if (writes_[other].came > write.ended && writes_[other].answered < from) return false;
    }
    return true;
  }
  bool allowed_value(std::uint64_t sector, std::uint64_t value, std::uint64_t from) const {
    if (value >= writes_.size()) return false;
    for (const std::uint64_t number : history_[sector]) {
      if ((writes_[number].zero ? 0 : number) == value && allowed(sector, number, from)) return true;
    }
    return false;
  }

  static std::uint64_t value_of(const std::byte* sector) {
    std::uint64_t front, back;
    std::memcpy(&front, sector, 8);
    std::memcpy(&back, sector + sector_bytes - 8, 8);
    return front == back ? front : not_yet;
  }

  void check_read(const Access& access) {
    if (access.status != AccessStatus::ok) {
      ++failed_reads;
      // A read may fail only if the backend has returned an error for this unit.
      REQUIRE(failed_.contains(access.lpn.value));
      return;
    }
    const std::uint64_t first = access.lpn.value * unit_sectors + access.first_sector;
    for (std::uint32_t k = 0; k < access.sector_count; ++k) {
      const std::uint64_t value = value_of(access.bytes + k * sector_bytes);
      CAPTURE(access.lpn.value, access.first_sector + k, value, access.came);
      REQUIRE(allowed_value(first + k, value, access.came));
      ++checked_sectors;
      for (std::uint32_t j = 0; j < k; ++j) {
        const std::uint64_t other = value_of(access.bytes + j * sector_bytes);
        if (value == other || value == 0 || other == 0) continue;
        const bool torn = writes_[value].first <= first + j && first + j < writes_[value].end &&
                          writes_[other].first <= first + k && first + k < writes_[other].end;
        CAPTURE(j, other);
        REQUIRE(!torn);
      }
    }
  }

  // Checks the content of the backend. If `with_dirty_units` is true, includes the units that a capacitor would save.
  void check_device(std::uint64_t from, bool with_dirty_units) {
    std::vector<std::uint64_t> values(units * unit_sectors);
    for (std::uint64_t s = 0; s < values.size(); ++s) {
      values[s] = value_of(backend_.sector(s / unit_sectors, static_cast<std::uint32_t>(s % unit_sectors)));
    }
    if (with_dirty_units) {
      for (const DirtyUnit& unit : cache_.dirty_units()) {
        unit.sectors.for_each_run([&](std::uint32_t first, std::uint32_t count) {
          for (std::uint32_t s = first; s < first + count; ++s) {
            values[unit.lpn.value * unit_sectors + s] = value_of(unit.data.data() + s * sector_bytes);
          }
        });
      }
    }
    for (std::uint64_t s = 0; s < values.size(); ++s) {
      if (failed_.contains(s / unit_sectors)) continue;
      CAPTURE(s / unit_sectors, s % unit_sectors, values[s], with_dirty_units);
      REQUIRE(allowed_value(s, values[s], from));
    }
  }
  void check_power_cut() { check_device(clock_ + 1, true); }

  const CacheParameters parameters_;
  RandomStream random_;
  const double failures_;
  const double resets_;
  Calendar calendar_;
  FakeStorage backend_;
  Dram dram_{DramParameters()};
  DataCache cache_;
  FakeHost front_end_;
  std::deque<Access> accesses_;
  std::vector<Write> writes_;
  std::vector<std::vector<std::uint64_t>> history_;  // for each sector: the numbers of the writes to it
  std::set<std::uint64_t> failed_;                   // units for which the backend has returned an error
  std::uint64_t clock_ = 1;
  int left_ = 0;
  int under_way_ = 0;
};

CacheParameters random_parameters(RandomStream& random, CachePolicy policy, std::uint32_t capacity) {
  CacheParameters p;
  p.policy = policy;
  p.capacity_bytes = std::uint64_t{capacity} * unit_bytes;
  p.replacement = static_cast<CacheReplacement>(random.below(3));
  p.dirty_high_percent = static_cast<double>(random.below(101));
  p.dirty_low_percent = static_cast<double>(random.below(101)) * p.dirty_high_percent / 100;
  p.writes_in_flight = static_cast<std::uint32_t>(1 + random.below(4));
  p.prefetch_pages = static_cast<std::uint32_t>(random.below(2) * random.below(4));
  p.backup = static_cast<CacheBackup>(random.below(3) == 0);
  return p;
}

TEST_CASE("reads return the last completed write or a later one, and never a torn one") {
  RandomStream random(1, "parameters");
  std::uint64_t checked = 0;
  for (const CachePolicy policy : {CachePolicy::read, CachePolicy::write_back, CachePolicy::read_write}) {
    for (const std::uint32_t capacity : {1U, 2U, 5U, 64U}) {
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const CacheParameters parameters = random_parameters(random, policy, capacity);
        CAPTURE(static_cast<int>(policy), capacity, seed);
        CacheConsistency test(parameters, seed, 0, 0);
        test.run(2000);
        CHECK(test.failed_reads == 0);
        CHECK(test.failed_flushes == 0);
        checked += test.checked_sectors;
      }
    }
  }
  CHECK(checked > 200'000);
}

TEST_CASE("a write forgotten at a reset never replaces a write submitted later") {
  RandomStream random(3, "parameters");
  std::uint64_t checked = 0, forgotten = 0;
  for (const CachePolicy policy : {CachePolicy::read, CachePolicy::write_back, CachePolicy::read_write}) {
    for (const std::uint32_t capacity : {1U, 2U, 5U, 64U}) {
      for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const CacheParameters parameters = random_parameters(random, policy, capacity);
        CAPTURE(static_cast<int>(policy), capacity, seed);
        CacheConsistency test(parameters, seed, 0, 0.02);
        test.run(2000);
        CHECK(test.failed_reads == 0);
        checked += test.checked_sectors;
        forgotten += test.forgotten_writes;
      }
    }
  }
  CHECK(checked > 200'000);
  CHECK(forgotten > 10'000);
}

TEST_CASE("when the backend fails, reads fail or return the data written, never older data") {
  RandomStream random(2, "parameters");
  std::uint64_t failed_reads = 0, failed_flushes = 0, checked = 0;
  for (const CachePolicy policy : {CachePolicy::read, CachePolicy::write_back, CachePolicy::read_write}) {
    for (const std::uint32_t capacity : {1U, 3U, 64U}) {
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const CacheParameters parameters = random_parameters(random, policy, capacity);
        CAPTURE(static_cast<int>(policy), capacity, seed);
        CacheConsistency test(parameters, seed, 0.05, 0);
        test.run(2000);
        failed_reads += test.failed_reads;
        failed_flushes += test.failed_flushes;
        checked += test.checked_sectors;
      }
    }
  }
  CHECK(failed_reads > 100);
  CHECK(failed_flushes > 10);
  CHECK(checked > 100'000);
}

}  // namespace
}  // namespace nandscape::controller
