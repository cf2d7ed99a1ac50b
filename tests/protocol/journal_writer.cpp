// SPDX-License-Identifier: Apache-2.0
// The journal of trims alone, on dies whose programs fail: at any moment, recovery can read from flash the trims that
// are reported durable.
#include "controller/power_loss/journal_writer.h"

#include <map>
#include <set>

#include "catch.h"
#include "core/random.h"
#include "engine_bench.h"

namespace nandscape {
namespace {

class Bench final : public EngineBench, private controller::JournalWriter::Client {
 public:
  explicit Bench(std::uint64_t seed = 1)
      : EngineBench(small_device()), journal(io, blocks, calendar), random(seed, "journal"), erases_(io, *this) {
    journal.set_client(*this);
  }

  void trim(std::uint64_t lpn) {
    const controller::TrimRecord record{Lpn(lpn), 1, ++version};
    versions[lpn] = version;
    trimmed.add(record);
    journal.record(record);
  }
  void write() {
    journal.write(calendar.now());
    run();
  }

  // The trims that recovery would read from flash, by unit: the latest complete snapshot and the records after it.
  std::map<std::uint64_t, std::uint64_t> recovered() const {
    std::uint64_t complete = 0;
    for (const auto& [place, page] : pages) {
      if (page.completes_snapshot && whole(place)) complete = std::max(complete, page.snapshot);
    }
    std::map<std::uint64_t, std::uint64_t> newest;
    for (const auto& [place, page] : pages) {
      if (page.snapshot != complete || !whole(place)) continue;
      for (const controller::TrimRecord& record : page.records) {
        for (std::uint64_t k = 0; k < record.count; ++k) {
          std::uint64_t& newest_of = newest[record.first.value + k];
          newest_of = std::max(newest_of, record.version);
        }
      }
    }
    return newest;
  }
  // Whether recovery would find the latest trim of every unit trimmed up to this version.
  bool covers(std::uint64_t up_to) const {
    const std::map<std::uint64_t, std::uint64_t> found = recovered();
    for (const auto& [lpn, trimmed_at] : versions) {
      if (trimmed_at > up_to) continue;
      const auto at = found.find(lpn);
      if (at == found.end() || at->second < trimmed_at) return false;
    }
    return true;
  }

  std::map<std::uint64_t, std::uint64_t> versions;  // latest trim of each unit
  controller::TrimmedRanges trimmed;
  std::uint64_t version = 0;
  std::uint64_t durable = 0;  // all trims up to this version are reported durable
  static constexpr std::uint32_t unlimited = ~0U;
  std::uint32_t blocks_left = unlimited;  // that the journal may still take
  std::uint32_t waited = 0;
  std::uint32_t failed_blocks = 0;
  std::uint32_t programs_to_fail = 0;
  std::uint64_t percent_failing = 0;
  controller::JournalWriter journal;
  RandomStream random;

 private:
  struct Erase final : controller::FlashOp {
    explicit Erase(Bench& owner) : bench(owner) { queue = controller::QueueKind::erase; }
    void array_done(Tick now) override { bench.erased(*this, now); }

    Bench& bench;
  };

  using PlaceOnFlash = std::pair<std::uint32_t, std::uint32_t>;  // block, page

  // A page is durable once its whole wordline is programmed.
  bool whole(const PlaceOnFlash& place) const {
    const std::uint32_t first = place.second / 3 * 3;
    for (std::uint32_t page = first; page < first + 3; ++page) {
      if (!pages.contains({place.first, page})) return false;
    }
    return true;
  }

  controller::Superblock take_journal_block(bool, Tick) override {
    if (blocks_left == 0) return controller::Superblock();
    if (blocks_left != unlimited) --blocks_left;
    for (std::uint32_t plane = 0; plane < geometry.planes(); ++plane) {
      const controller::Superblock block = blocks.take_free(controller::FtlPlane(plane));
      if (!block.valid()) continue;
      blocks.set_state(block, controller::BlockTable::State::journal);
      return block;
    }
    return controller::Superblock();
  }
  void release_journal_block(controller::Superblock block, Tick now) override {
    for (std::uint32_t page = 0; page < geometry.pages_per_block; ++page) pages.erase({block.value, page});
    if (failing.contains(block.value)) {
      blocks.retire(block);
      calendar.schedule<&Bench::retired>(now, *this, block.value);
      return;
    }
    blocks.set_state(block, controller::BlockTable::State::erasing);
    Erase& erase = erases_.acquire();
    erase.block = block;
    controller::FlashIo::set_address(erase, layout.find(block, 0, 0));
    erase.command.operation = NandOperation::erase;
    calendar.schedule<&Bench::send_erase>(now, *this, erase);
  }
  void send_erase(controller::FlashOp& erase) { io.enqueue(erase, calendar.now()); }
  void erased(Erase& erase, Tick now) {
    const controller::Superblock block = erase.block;
    erases_.release(erase);
    blocks.erased(block);
    if (blocks_left != unlimited) ++blocks_left;
    journal.block_erased(block, true, now);
  }
  void retired(std::uint64_t block) {
    journal.block_erased(controller::Superblock(static_cast<std::uint32_t>(block)), true, calendar.now());
  }
  void journal_block_failed(controller::Superblock block) override {
    ++failed_blocks;
    failing.insert(block.value);
  }
  void collect_trims(std::vector<controller::TrimRecord>& records) override { records = trimmed.records(); }
  void journal_waits(Tick) override { ++waited; }
  void trims_durable(Tick) override {
    durable = version;
    CHECK(covers(durable));
  }

  // Makes programs fail at their response, and records the programmed pages.
  void end_response(ChannelId of, NandCommand& command) override {
    if (command.operation == NandOperation::program) {
      if (programs_to_fail > 0 || random.below(100) < percent_failing) {
        command.status = NandStatus::fail;
        if (programs_to_fail > 0) --programs_to_fail;
      }
      const auto& page = *static_cast<const controller::FlashOp*>(command.owner);
      if (command.status == NandStatus::pass)
        pages[{page.block.value, command.page}] = controller::journal_page(command.tag);
    }
    EngineBench::end_response(of, command);
  }

  std::map<PlaceOnFlash, controller::JournalPage> pages;
  std::set<std::uint32_t> failing;
  controller::OpPool<Erase, Bench> erases_;
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
  CHECK(bench.io.in_use() == 0);
}

TEST_CASE("without a block the journal waits, reports it, and continues when one is erased") {
  Bench bench;
  bench.blocks_left = 0;
  bench.trim(7);
  bench.write();
  CHECK(bench.waited == 1);
  CHECK(bench.journal.pending());
  CHECK(bench.durable == 0);
  bench.blocks_left = 1;
  bench.journal.block_erased(controller::Superblock(0), true, bench.calendar.now());
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
  CHECK(bench.failed_blocks == 2);
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
      // Units that are written again are no longer trimmed.
      for (std::uint64_t k = bench.random.below(4); k > 0; --k) {
        const std::uint64_t lpn = bench.random.below(500);
        bench.trimmed.remove(Lpn(lpn));
        bench.versions.erase(lpn);
      }
      if (bench.random.below(8) == 0) bench.journal.demand_snapshot();
      bench.write();
      if (bench.journal.pending()) break;  // all blocks have failed
      CHECK(bench.durable == bench.version);
    }
    CHECK(bench.io.in_use() == 0);
  }
}

}  // namespace
}  // namespace nandscape
