// SPDX-License-Identifier: Apache-2.0
// Tests drives that store one parity page in each row of a stripe set: the cost of the parity, and the data that it
// recovers.
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "catch.h"
#include "core/error.h"
#include "core/random.h"
#include "flash_bench.h"

namespace nandscape {
namespace {

FlashDeviceParameters striped_device(std::uint32_t channels, std::uint32_t chips, std::uint32_t stripe_dies,
                                     std::uint32_t planes = 1) {
  FlashDeviceParameters p;
  p.channel.count = channels;
  p.nand.geometry.chips_per_channel = chips;
  p.nand.geometry.dies_per_chip = 1;
  p.nand.geometry.planes_per_die = planes;
  p.nand.geometry.blocks_per_plane = 14;
  p.nand.geometry.pages_per_block = 9;
  p.nand.geometry.page_bytes = 2048;
  p.nand.geometry.spare_bytes = 260;
  p.ecc.codeword_bytes = 1024;
  p.controller.garbage_collection.start_free_blocks = 2;
  p.controller.mapping.over_provisioning = 1.0;
  p.controller.parity.stripe_dies = stripe_dies;
  return p;
}

// Writes and reads whole pages, up to 16 at a time, and records the data that each page must hold.
class StoredPages {
 public:
  explicit StoredPages(FlashBench& bench, std::uint64_t seed = 7) : bench_(bench), random_(seed, "stored pages") {
    bench_.on_completed = [this](FlashBench::Request& request) { completed(request); };
  }

  void write(std::uint64_t lpn) {
    std::vector<std::byte>& data = written_[lpn];
    data.resize(bench_.device.ftl().page_bytes());
    for (std::size_t at = 0; at < data.size(); at += 8) {
      const std::uint64_t word = mix64(random_.below(~std::uint64_t{0}));
      std::memcpy(&data[at], &word, sizeof word);
    }
    PageAccess access = access_to(lpn, AccessKind::write);
    access.data = data.data();
    submit(access);
    if (++written_now_ % 16 == 0) bench_.run();
  }
  // Reads all written pages. Returns the number of unreadable pages, and checks the data of all other pages.
  std::uint64_t unreadable() {
    bench_.run();
    failed_ = 0;
    for (const auto& [lpn, data] : written_) {
      std::vector<std::byte> read(data.size());
      PageAccess access = access_to(lpn, AccessKind::read);
      access.data = read.data();
      status_ = AccessStatus::write_fault;  // the status stays like this if the read never ends
      submit(access);
      bench_.run();
      if (status_ != AccessStatus::ok) {
        CHECK(status_ == AccessStatus::unrecovered_read_error);
        ++failed_;
      } else {
        INFO("page " << lpn);
        REQUIRE((read == data));
      }
    }
    return failed_;
  }
  std::uint64_t pages() const { return written_.size(); }
  std::uint64_t refused() const { return refused_; }

 private:
  PageAccess access_to(std::uint64_t lpn, AccessKind kind) const {
    PageAccess access;
    access.kind = kind;
    access.lpn = Lpn(lpn);
    access.sector_count = static_cast<std::uint16_t>(bench_.device.ftl().page_bytes() / sector_bytes);
    return access;
  }
  void submit(const PageAccess& access) { bench_.at(bench_.calendar.now(), access); }
  void completed(const FlashBench::Request& request) {
    if (request.access.kind == AccessKind::write) {
      refused_ += request.access.status != AccessStatus::ok;
    } else {
      status_ = request.access.status;
    }
  }

  FlashBench& bench_;
  RandomStream random_;
  std::map<std::uint64_t, std::vector<std::byte>> written_;
  std::uint64_t written_now_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t refused_ = 0;
  AccessStatus status_ = AccessStatus::ok;
};

controller::ParityCounters parity_of(const FlashBench& bench) { return bench.device.ftl().counters().parity; }

TEST_CASE("sets that do not divide the dies are refused") {
  FlashDeviceParameters p = striped_device(2, 3, GENERATE(1u, 4u, 5u, 7u));
  CHECK_THROWS_WITH(FlashBench(p), ContainsSubstring("sets of at least 2: 2, 3, 6, or 0"));
}

TEST_CASE("one of N programmed pages is parity") {
  const auto [channels, chips, dies] = GENERATE(
      table<std::uint32_t, std::uint32_t, std::uint32_t>({{2, 1, 2}, {3, 1, 3}, {4, 1, 4}, {5, 1, 5}, {2, 4, 8}}));
  CAPTURE(dies);
  FlashDeviceParameters p = striped_device(channels, chips, dies);
  p.controller.precondition.occupancy = 0;
  FlashBench bench(p);
  const std::uint64_t pages = bench.device.ftl().logical_pages();
  const std::uint64_t whole_rows = pages / (dies - 1) * (dies - 1);
  for (std::uint64_t lpn = 0; lpn < whole_rows; ++lpn) bench.at(0, AccessKind::write, Lpn(lpn));
  bench.run();
  CHECK(bench.idle());
  CHECK(parity_of(bench).parity_pages == whole_rows / (dies - 1));
  CHECK(bench.device.back_end().nand_counters().page_programs == whole_rows / (dies - 1) * dies);
  CHECK(bench.device.ftl().counters().write_amplification() == Approx(static_cast<double>(dies) / (dies - 1)));
}

TEST_CASE("all data are recovered when one die fails, but not when two do") {
  const auto [channels, chips, stripe, planes] =
      GENERATE(table<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>(
          {{2, 1, 2, 1}, {3, 1, 3, 2}, {4, 1, 4, 1}, {5, 1, 5, 1}, {2, 3, 3, 2}}));
  const std::uint32_t unit_bytes = GENERATE(0u, 1024u);
  const std::string decoder = GENERATE(as<std::string>(), "threshold", "bit_true");
  CAPTURE(channels, chips, stripe, planes, unit_bytes, decoder == "bit_true");
  FlashDeviceParameters p = striped_device(channels, chips, stripe, planes);
  p.controller.mapping.unit_bytes = unit_bytes;
  p.ecc.decoder.name = decoder;
  FlashBench bench(p, true);
  StoredPages stored(bench);
  // Each logical page is written once. The writes fill whole rows, so every row has its parity page.
  const std::uint64_t row = (stripe - 1) * planes * (channels * chips / stripe) * (unit_bytes == 0 ? 1 : 2);
  for (std::uint64_t lpn = 0; lpn < 20 * row; ++lpn) stored.write(lpn);
  CHECK(stored.unreadable() == 0);
  CHECK(parity_of(bench).rebuilds == 0);
  CHECK(bench.idle());

  bench.device.back_end().kill_die(DieId(1));
  CHECK(stored.unreadable() == 0);
  CHECK(parity_of(bench).rebuilds > stored.pages() / (2 * channels * chips));
  CHECK(parity_of(bench).failed_rebuilds == 0);
  CHECK(bench.device.ftl().health().media_errors == 0);

  bench.device.back_end().kill_die(DieId(0));
  const std::uint64_t lost = stored.unreadable();
  CHECK(lost > 0);
  CHECK(parity_of(bench).failed_rebuilds >= lost);
  CHECK(bench.device.ftl().health().media_errors >= lost);
}

TEST_CASE("preconditioned data are recovered, too") {
  FlashDeviceParameters p = striped_device(3, 1, 3, 2);
  p.controller.mapping.unit_bytes = GENERATE(0u, 1024u);
  p.ecc.decoder.name = GENERATE(as<std::string>(), "threshold", "bit_true");
  FlashBench bench(p, true);
  bench.device.back_end().kill_die(DieId(2));
  const std::vector<std::byte> zeroes(bench.device.ftl().page_bytes());
  for (std::uint64_t lpn = 0; lpn < bench.device.ftl().logical_pages(); lpn += 5) {
    std::vector<std::byte> data(zeroes.size(), std::byte{1});
    PageAccess access;
    access.kind = AccessKind::read;
    access.lpn = Lpn(lpn);
    access.sector_count = static_cast<std::uint16_t>(data.size() / sector_bytes);
    access.data = data.data();
    const FlashBench::Request& read = bench.at(bench.calendar.now(), access);
    bench.run();
    REQUIRE(read.access.status == AccessStatus::ok);
    REQUIRE((data == zeroes));
  }
  CHECK(parity_of(bench).rebuilds > 0);
  CHECK(parity_of(bench).failed_rebuilds == 0);
}

TEST_CASE("superblocks with failed programs are given up, and no data are lost") {
  FlashDeviceParameters p = striped_device(2, 2, GENERATE(2u, 4u));
  // If all dies are one stripe set, this leaves enough spare blocks for two superblocks and the journal of trims.
  p.controller.mapping.over_provisioning = 2;
  p.controller.power_loss.protection =
      GENERATE(controller::PowerLossProtection::capacitor, controller::PowerLossProtection::none);
  p.controller.precondition.occupancy = 0;
  FlashBench bench(p, true);
  StoredPages stored(bench);
  RandomStream random(3, "lpn");
  const std::uint64_t pages = bench.device.ftl().logical_pages() / 2;
  for (int k = 0; k < 1500; ++k) {
    if (k == 400 || k == 900) bench.device.back_end().fail_next(DieId(k == 400 ? 1 : 2), NandOperation::program, 1);
    stored.write(random.below(pages));
  }
  CHECK(stored.unreadable() == 0);
  CHECK(stored.refused() == 0);
  const controller::ControllerCounters counters = bench.device.ftl().counters();
  CHECK(counters.writer.failed_programs == 2);
  CHECK(counters.collection.retired_blocks >= 1);
  CHECK(counters.collection.victims > 0);
  CHECK(bench.idle());
}

TEST_CASE("a flush fills up rows until all wordlines are complete") {
  FlashDeviceParameters p = striped_device(3, 1, 3);
  p.controller.precondition.occupancy = 0;
  p.controller.power_loss.protection = controller::PowerLossProtection::none;
  const auto pages = GENERATE(1u, 2u, 5u, 8u);
  FlashBench bench(p);
  for (std::uint64_t lpn = 0; lpn < pages; ++lpn) bench.at(0, AccessKind::write, Lpn(lpn));
  const FlashBench::Request& flush = bench.at(20 * millisecond, AccessKind::flush, Lpn(0));
  bench.run();
  CHECK(flush.completed != never);
  // A multiple of three dies with three pages per wordline.
  CHECK(bench.device.back_end().nand_counters().page_programs % (3 * 3) == 0);
  CHECK(parity_of(bench).parity_pages * 3 == bench.device.back_end().nand_counters().page_programs);
  CHECK(bench.idle());
}

// A rebuild reads all pages of a row. A host read may suspend a program, and a die refuses to read a page whose program
// is suspended, so a rebuild must wait until the whole row is programmed.
//
// This is hardest for the last row, because its block counts as full before its pages are programmed. The bus is slow
// here, so the first die finishes while the other dies still program the row: for a short time its page is durable and
// the other pages are not.
TEST_CASE("a rebuild waits for programs of its row, in a full block, too") {
  FlashDeviceParameters p = striped_device(1, 4, 4);
  p.channel.rate_mt_s = 20;
  p.controller.precondition.occupancy = 0;
  constexpr std::uint64_t block_units = 9 * 3;
  const auto write_block = [](FlashBench& bench) {
    for (std::uint64_t lpn = 0; lpn < block_units; ++lpn) bench.at(0, AccessKind::write, Lpn(lpn));
  };
  Tick end = 0;
  {
    FlashBench bench(p);
    write_block(bench);
    bench.run();
    end = bench.calendar.now();
  }
  std::uint64_t rebuilds = 0;
  for (Tick failure = end - 600 * microsecond; failure <= end; failure += 10 * microsecond) {
    for (std::uint32_t die = 0; die < 4; ++die) {
      CAPTURE(us_from_ticks(failure), die);
      FlashBench bench(p);
      write_block(bench);
      bench.run(failure);
      bench.device.back_end().kill_die(DieId(die));
      for (std::uint64_t lpn = block_units - 3; lpn < block_units; ++lpn) {
        bench.at(bench.calendar.now(), AccessKind::read, Lpn(lpn));
      }
      REQUIRE_NOTHROW(bench.run());
      CHECK(bench.idle());
      rebuilds += parity_of(bench).rebuilds;
    }
  }
  CHECK(rebuilds > 0);
}

TEST_CASE("data are recovered when a die fails during collection") {
  FlashDeviceParameters p = striped_device(2, 2, GENERATE(2u, 4u));
  FlashBench bench(p, true);
  StoredPages stored(bench);
  RandomStream random(5, "lpn");
  const std::uint64_t pages = bench.device.ftl().logical_pages();
  for (std::uint64_t lpn = 0; lpn < pages; ++lpn) stored.write(lpn);
  for (int k = 0; k < 1000; ++k) stored.write(random.below(pages));
  REQUIRE(bench.device.ftl().counters().collection.victims > 0);
  bench.run();
  bench.device.back_end().kill_die(DieId(3));
  // Rows that were incomplete when the die failed are not protected.
  CHECK(stored.unreadable() <= 3);
}

}  // namespace
}  // namespace nandscape
