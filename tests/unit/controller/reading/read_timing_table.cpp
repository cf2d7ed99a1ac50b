// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/read_timing_table.h"

#include <limits>
#include <stdexcept>
#include <utility>

#include "catch.h"

namespace nandscape::controller {
namespace {

using Entries = std::vector<ReadTimingTable::Entry>;

// Returns entries with different values, so that the result of a lookup shows which entry was found.
Entries grid() { return {{0, 3, 136}, {0, 12, 130}, {1000, 3, 125}, {1000, 12, 119}, {2000, 3, 110}, {2000, 12, 102}}; }

TEST_CASE("read timing table: a profiled condition finds its own entry") {
  const ReadTimingTable table(grid());
  for (const auto& entry : grid()) {
    CAPTURE(entry.pe_cycles, entry.retention_months);
    CHECK(table.precharge_reduction(entry.pe_cycles, entry.retention_months) == entry.precharge_reduction);
  }
}

TEST_CASE("read timing table: between profiled conditions the next higher one is used") {
  const ReadTimingTable table(grid());
  CHECK(table.precharge_reduction(0, 0) == 136);
  CHECK(table.precharge_reduction(0, 3.001) == 130);
  CHECK(table.precharge_reduction(1, 3) == 125);
  CHECK(table.precharge_reduction(1, 3.001) == 119);
  CHECK(table.precharge_reduction(1000.5, 0.1) == 110);
  CHECK(table.precharge_reduction(1999, 11.9) == 102);
}

TEST_CASE("read timing table: beyond the profiled range the times are the default ones") {
  const ReadTimingTable table(grid());
  CHECK(table.precharge_reduction(2001, 0) == 0);
  CHECK(table.precharge_reduction(0, 12.001) == 0);
  CHECK(table.precharge_reduction(2001, 12.001) == 0);
}

TEST_CASE("read timing table: entries can be in any order") {
  Entries shuffled = grid();
  std::swap(shuffled[0], shuffled[5]);
  std::swap(shuffled[1], shuffled[2]);
  const ReadTimingTable table(shuffled);
  CHECK(table.precharge_reduction(0, 3) == 136);
  CHECK(table.precharge_reduction(0, 12) == 130);
  CHECK(table.precharge_reduction(1000, 3) == 125);
  CHECK(table.precharge_reduction(2000, 12) == 102);
  CHECK(std::vector(table.pe_cycles().begin(), table.pe_cycles().end()) == std::vector<double>{0, 1000, 2000});
  CHECK(std::vector(table.retention_months().begin(), table.retention_months().end()) == std::vector<double>{3, 12});
  CHECK(table.entries()[3].precharge_reduction == 119);
}

TEST_CASE("read timing table: anything but a full grid is refused") {
  CHECK_THROWS_WITH(ReadTimingTable({}), "a read timing table needs at least one entry");

  Entries hole = grid();
  hole.erase(hole.begin() + 3);
  CHECK_THROWS_WITH(ReadTimingTable(hole), "there is no entry for 1000 P/E cycles and 12 months");
  hole = grid();
  hole.pop_back();
  CHECK_THROWS_WITH(ReadTimingTable(hole), "there is no entry for 2000 P/E cycles and 12 months");

  Entries twice = grid();
  twice.push_back({1000, 3, 1});
  CHECK_THROWS_WITH(ReadTimingTable(twice), "there are two entries for 1000 P/E cycles and 3 months");

  CHECK_THROWS_WITH(ReadTimingTable({{-1, 3, 0}}),
                    "P/E cycles and months must be finite and at least 0, unlike -1 P/E cycles and 3 months");
  CHECK_THROWS_AS(ReadTimingTable({{0, -0.5, 0}}), std::invalid_argument);
  CHECK_THROWS_AS(ReadTimingTable({{0, std::numeric_limits<double>::quiet_NaN(), 0}}), std::invalid_argument);
}

}  // namespace
}  // namespace nandscape::controller
