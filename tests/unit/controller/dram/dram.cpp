// SPDX-License-Identifier: Apache-2.0
#include "controller/dram/dram.h"

#include "catch.h"
#include "core/error.h"
#include "core/random.h"

namespace nandscape::controller {
namespace {

constexpr auto read = Dram::Direction::read;
constexpr auto write = Dram::Direction::write;

// Parameters with round numbers: a burst of 64 bytes lasts 8 ns, and the transfer of a whole row 128 ns.
DramParameters round_numbers() {
  return {.rate_mt_s = 1000,
          .bus_bits = 64,
          .banks = 4,
          .row_bytes = 1024,
          .t_rcd_ns = 10,
          .t_rp_ns = 12,
          .t_cl_ns = 14,
          .t_refi_ns = 1000,
          .t_rfc_ns = 0};
}

TEST_CASE("a row is opened, stays open, and is closed for another") {
  Dram dram(round_numbers());
  const Tick opened = dram.transfer(read, 0, 64, 0);
  CHECK(opened == (10 + 14 + 8) * nanosecond);
  const Tick later = 1 * microsecond;
  CHECK(dram.transfer(read, 128, 64, later) == later + (14 + 8) * nanosecond);
  const Tick much_later = 2 * microsecond;
  const std::uint64_t other_row_of_bank_0 = 4 * 1024;
  CHECK(dram.transfer(write, other_row_of_bank_0, 64, much_later) == much_later + (12 + 10 + 14 + 8) * nanosecond);
  CHECK(dram.counters().row_hits == 1);
  CHECK(dram.counters().row_misses == 2);
  CHECK(dram.counters().bytes_read == 128);
  CHECK(dram.counters().bytes_written == 64);
  CHECK(dram.counters().busy == 24 * nanosecond);
}

TEST_CASE("transfers move whole bursts") {
  Dram dram(round_numbers());
  CHECK(dram.transfer(read, 60, 8, 0) == (10 + 14 + 2 * 8) * nanosecond);
}

TEST_CASE("a stream opens the next rows during data transfers, and keeps the bus busy") {
  Dram dram(round_numbers());
  const std::uint64_t rows = 100;
  CHECK(dram.transfer(write, 0, rows * 1024, 0) == (10 + 14 + rows * 128) * nanosecond);
  CHECK(dram.counters().row_misses == rows);
  CHECK(dram.counters().busy == rows * 128 * nanosecond);
}

TEST_CASE("with a single bank, a stream waits for every row") {
  DramParameters p = round_numbers();
  p.banks = 1;
  Dram dram(p);
  const std::uint64_t rows = 100;
  // The bank switches to the next row after the last column command, which is CL before the end of the row's data. CL
  // is therefore added only once.
  CHECK(dram.transfer(read, 0, rows * 1024, 0) == (14 + 10 + 128 + (rows - 1) * (12 + 10 + 128)) * nanosecond);
}

TEST_CASE("transfers to open rows follow each other without a gap, in arrival order") {
  Dram dram(round_numbers());
  Tick end = dram.transfer(read, 0, 64, 0);
  for (std::uint64_t k = 1; k < 16; ++k) {
    const Tick next = dram.transfer(k % 2 == 0 ? read : write, k * 64, 64, 0);
    CHECK(next == end + 8 * nanosecond);
    end = next;
  }
}

TEST_CASE("dependent random accesses cost RP + RCD + CL and their data") {
  Dram dram(round_numbers());
  RandomStream random(1, "rows");
  Tick now = 0;
  for (std::uint64_t bank = 0; bank < 4; ++bank) now = dram.transfer(read, bank * 1024, 64, now);
  std::uint64_t row = 0;
  for (int k = 0; k < 1000; ++k) {
    row += 4 * (1 + random.below(100)) + random.below(4);
    const std::uint64_t misses = dram.counters().row_misses;
    // Starts after a pause that is long enough for every bank to become free.
    const Tick start = now + microsecond;
    now = dram.transfer(read, row * 1024, 64, start);
    REQUIRE(dram.counters().row_misses == misses + 1);
    REQUIRE(now - start == (12 + 10 + 14 + 8) * nanosecond);
  }
}

TEST_CASE("the default streams at its peak rate less refresh") {
  const DramParameters p;
  Dram dram(p);
  const std::uint64_t bytes = 1 << 26;
  const Tick end = dram.transfer(write, 0, bytes, 0);
  const double peak = 2400e6 * 4;  // bytes per second
  const double seconds = static_cast<double>(bytes) / (peak * (1 - 350.0 / 7800));
  CHECK(s_from_ticks(end) == Approx(seconds).epsilon(1e-4));
}

TEST_CASE("a DRAM whose bus has no whole bytes is refused") {
  DramParameters p;
  CHECK_NOTHROW(check(p));
  p.bus_bits = 12;
  CHECK_THROWS_AS(check(p), ConfigError);
}

}  // namespace
}  // namespace nandscape::controller
