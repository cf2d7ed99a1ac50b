// SPDX-License-Identifier: Apache-2.0
// Tests fullpages that are spread over layers, from the writer to the reads of their parity donors.
#include <deque>
#include <set>

#include "catch.h"
#include "controller/fullpages/fullpage_writer.h"
#include "controller/fullpages/parity_donors.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

// units in a group: each quarter of the layers has a wordline of three pages
constexpr std::uint64_t group = 12 * layer_quarters;

struct Bench final : FakeDrive, UnitGatherer::Client {
  Bench() : FakeDrive(quarters(), over_layers()) { reading.reader.set_companions(donors); }
  static Geometry quarters() {
    Geometry g = one_plane;
    g.blocks_per_plane = 80;
    g.pages_per_block = 12;
    return g;
  }
  static ControllerParameters over_layers() {
    ControllerParameters p = small_controller();
    p.fullpages.allocation = FullpageAllocation::fpa;
    p.mapping.unit_bytes = 1024;
    return p;
  }
  void write_alone(UnitWrite& unit, Tick) override { alone.push_back(unit.lpn.value); }

  void take(std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t lpn = first; lpn < first + count; ++lpn) {
      FakeUnit& unit = units.emplace_back(*this);
      unit.lpn = Lpn(lpn);
      unit.version = mapping.map.next_version();
      unit.access = &accesses.emplace_back();
      unit.data = bytes(static_cast<int>(lpn));
      writer.take(unit, calendar.now());
    }
    run();
  }

  const FullpagePattern pattern = fullpage_pattern(parameters.fullpages, geometry).value();
  FullpageWriter writer{mapping.blocks, writing.assembly, writing.planes, 1,    chosen.stream_ids.gathered,
                        microsecond,    millisecond,      calendar,       *this};
  ParityDonors donors{pattern, reading.io, reading.scheduler, mapping.blocks, reading.reader};
  std::vector<std::uint64_t> alone;
};

TEST_CASE("the units of a fullpage are in different quarters of the layers and of their pages") {
  Bench b;
  b.take(0, group);
  CHECK(b.alone.empty());
  CHECK(b.flash.count(NandOperation::program) == 12);
  for (std::uint64_t fullpage = 0; fullpage < group; fullpage += 4) {
    std::set<std::uint32_t> members, quarters;
    for (std::uint64_t lpn = fullpage; lpn < fullpage + 4; ++lpn) {
      members.insert(b.mapping.layout.find(b.place(lpn)).block_of_plane.value % layer_quarters);
      quarters.insert(b.mapping.layout.unit_in_page(b.place(lpn)));
      CHECK(b.value(lpn) == static_cast<int>(lpn));
    }
    CHECK(members.size() == 4);
    CHECK(quarters.size() == 4);
  }
}

TEST_CASE("fullpages of a group that is not complete in time are written like other units") {
  Bench b;
  b.take(0, group - 4);
  CHECK(b.alone.size() == group - 4);
  CHECK(b.flash.sent.empty());
}

TEST_CASE("only a page that borrows parity is read with its donor, which lies in the same row") {
  Bench b;
  b.take(0, group);
  for (std::uint64_t lpn = 0; lpn < 4; ++lpn) {
    b.flash.sent.clear();
    const std::uint32_t first = b.mapping.layout.unit_in_page(b.place(lpn)) * 1024;
    Bench::Read read(b.reading.reader);
    b.run(read, b.reading.io, b.reading.reader, b.place(lpn), first, first + 1024);
    const bool borrows = lpn == FullpagePattern::borrowing;
    REQUIRE(b.flash.sent.size() == (borrows ? 2 : 1));
    CHECK(b.flash.sent.back().page == b.flash.sent.front().page);
    if (borrows) CHECK(b.flash.sent.front().block == b.mapping.layout.find(b.place(2)).block_of_plane);
  }
  CHECK(b.donors.lone_reads() == 1);
}

}  // namespace
}  // namespace nandscape::controller
