// SPDX-License-Identifier: Apache-2.0
// Tests the journal of trims without the rest of the drive, on flash where some programs fail. At any time, recovery
// must be able to read from flash every trim that the journal has reported as durable.
#include "controller/power_loss/journal_writer.h"

#include <map>

#include "catch.h"
#include "controller/migration/block_erases.h"
#include "core/random.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

struct Bench final : FakeDrive {
  explicit Bench(std::uint64_t seed = 1) : FakeDrive(many_blocks(), without_capacitor()), random(seed, "journal") {
    connect(*this, erases);
    erases.subscribe(collector);
    erases.subscribe(journal);
    flash.fails = [this](const NandCommand& command) {
      if (command.operation != NandOperation::program) return false;
      return (programs_to_fail > 0 && programs_to_fail-- > 0) || random.below(100) < percent_failing;
    };
    on_trims_durable = [this](Tick) {
      durable = version;
      CHECK(covers(durable));
    };
  }
  static Geometry many_blocks() {
    Geometry g = one_plane;
    g.blocks_per_plane = 40;
    return g;
  }
  Superblock take_journal_block(bool replaces, Tick now) override {
    return block_free ? FakeDrive::take_journal_block(replaces, now) : Superblock();
  }
  void journal_waits(Tick) override { ++waited; }

  void trim(std::uint64_t lpn) {
    const TrimRecord record{Lpn(lpn), 1, ++version};
    versions[lpn] = version;
    mapping.trimmed.add(record);
    journal.record(record);
  }
  void write() {
    journal.write(calendar.now());
    run();
  }

  // Returns the trims that recovery would read from flash, by unit. It uses the latest complete snapshot and the
  // records after this snapshot.
  std::map<std::uint64_t, std::uint64_t> recovered() const {
    std::uint64_t complete = 0;
    for_each_page([&](const JournalPage& page) {
      if (page.completes_snapshot) complete = std::max(complete, page.snapshot);
    });
    std::map<std::uint64_t, std::uint64_t> newest;
    for_each_page([&](const JournalPage& page) {
      if (page.snapshot != complete) return;
      for (const TrimRecord& record : page.records) {
        for (std::uint64_t k = 0; k < record.count; ++k) {
          std::uint64_t& newest_of = newest[record.first.value + k];
          newest_of = std::max(newest_of, record.version);
        }
      }
    });
    return newest;
  }
  // Visits the pages whose whole wordline has been programmed.
  template <class Visit>
  void for_each_page(Visit visit) const {
    for (const auto& [at, page] : flash.pages) {
      FakeFlash::Address other = at;
      other.page -= at.page % 3;
      bool whole = true;
      for (std::uint32_t k = 0; k < 3; ++k, ++other.page) {
        const auto found = flash.pages.find(other);
        whole = whole && found != flash.pages.end() && found->second.errors == 0;
      }
      if (whole) visit(journal_page(page.tag));
    }
  }
  // Returns whether recovery would find the latest trim of every unit that was trimmed at version `up_to` or before.
  bool covers(std::uint64_t up_to) const {
    const std::map<std::uint64_t, std::uint64_t> found = recovered();
    for (const auto& [lpn, trimmed_at] : versions) {
      if (trimmed_at > up_to) continue;
      const auto at = found.find(lpn);
      if (at == found.end() || at->second < trimmed_at) return false;
    }
    return true;
  }

  BlockErases erases{reading.io, journal, power, calendar};
  std::map<std::uint64_t, std::uint64_t> versions;  // latest trim of each unit
  std::uint64_t version = 0;
  std::uint64_t durable = 0;  // the journal has reported all trims up to this version as durable
  bool block_free = true;
  std::uint32_t waited = 0;
  std::uint32_t programs_to_fail = 0;
  std::uint64_t percent_failing = 0;
  RandomStream random;
};

TEST_CASE("records are durable when the wordline that holds them is complete, and not before") {
  Bench bench;
  bench.trim(7);
  CHECK(bench.journal.pending());
  bench.write();
  CHECK_FALSE(bench.journal.pending());
  CHECK(bench.durable == 1);
  CHECK(bench.journal.pages() == 3);
  CHECK(bench.recovered() == std::map<std::uint64_t, std::uint64_t>{{7, 1}});
  CHECK(bench.at_rest());
}

TEST_CASE("without a block the journal waits, reports it, and continues when one is erased") {
  Bench bench;
  bench.block_free = false;
  bench.trim(7);
  bench.write();
  CHECK(bench.waited == 1);
  CHECK(bench.journal.pending());
  CHECK(bench.durable == 0);
  bench.block_free = true;
  bench.journal.block_erased(Superblock(0), true, bench.calendar.now());
  bench.run();
  CHECK(bench.durable == 1);
  CHECK(bench.recovered().contains(7));
}

TEST_CASE("a failed program costs the block and no record") {
  Bench bench;
  for (std::uint64_t lpn = 0; lpn < 3; ++lpn) bench.trim(lpn);
  bench.write();
  bench.programs_to_fail = 2;
  bench.trim(3);
  bench.write();
  CHECK(bench.retired.size() == 2);
  CHECK(bench.durable == 4);
  CHECK(bench.recovered().size() == 4);
}

TEST_CASE("whatever fails, trims reported durable can be read back at any moment") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    Bench bench(seed);
    bench.percent_failing = bench.random.below(3);
    if (bench.random.below(2) == 0) bench.journal.keep_ready();
    for (int round = 0; round < 60; ++round) {
      for (std::uint64_t k = bench.random.below(8); k > 0; --k) {
        const std::uint64_t lpn = bench.random.below(500);
        bench.trim(lpn);
      }
      // A unit that is written again is no longer trimmed.
      for (std::uint64_t k = bench.random.below(4); k > 0; --k) {
        const std::uint64_t lpn = bench.random.below(500);
        bench.mapping.trimmed.remove(Lpn(lpn));
        bench.versions.erase(lpn);
      }
      if (bench.random.below(8) == 0) bench.journal.demand_snapshot();
      bench.write();
      if (bench.journal.pending()) break;  // all blocks have failed
      CHECK(bench.durable == bench.version);
    }
    CHECK(bench.at_rest());
  }
}

}  // namespace
}  // namespace nandscape::controller
