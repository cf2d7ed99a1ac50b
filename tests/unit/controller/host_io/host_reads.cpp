// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/host_reads.h"

#include <cstring>

#include "catch.h"
#include "fakes/fake_drive.h"

namespace nandscape::controller {
namespace {

struct Bench final : FakeDrive, HostReads::Listener {
  explicit Bench(std::uint32_t unit_bytes = 4096) : FakeDrive(one_plane, with_units(unit_bytes)) {}
  static ControllerParameters with_units(std::uint32_t unit_bytes) {
    ControllerParameters p = small_controller();
    p.mapping.unit_bytes = unit_bytes;
    return p;
  }
  void look_up_again(PageAccess& access, Tick) override { again.push_back(&access); }

  struct Read {
    PageAccess access;
    Bytes data;
  };
  Read& read(std::uint64_t lpn, std::uint32_t first, std::uint32_t count) {
    Read& read = reads.emplace_back();
    read.data.assign(std::size_t{count} * sector_bytes, std::byte{0xaa});
    read.access = make_access(AccessKind::read, lpn, first, count, read.data.data());
    engine.read(read.access, calendar.now());
    return read;
  }

  HostReads engine{reading.io, reading.scheduler, mapping.map, writing.units, reading.reader, port,
                   *this,      calendar,          false};
  std::deque<Read> reads;
  std::vector<PageAccess*> again;
};

TEST_CASE("a unit that was never written reads as zeroes, without a command") {
  Bench b;
  const Bench::Read& read = b.read(7, 0, 2);
  CHECK(b.host.time_of(read.access).has_value());
  CHECK(read.data == Bench::Bytes(1024));
  CHECK(b.engine.unmapped() == 1);
  CHECK(b.flash.requests.empty());
}

TEST_CASE("a read returns its own sectors of the unit") {
  Bench b;
  b.page(b.write(3, 1)).data[2 * sector_bytes] = std::byte{77};
  const Bench::Read& read = b.read(3, 2, 3);
  CHECK_FALSE(b.host.time_of(read.access).has_value());
  b.run();
  CHECK(b.host.time_of(read.access).has_value());
  CHECK(read.access.status == AccessStatus::ok);
  CHECK(read.data.front() == std::byte{77});
  CHECK(std::count(read.data.begin(), read.data.end(), std::byte{1}) == 3 * 512 - 1);
}

TEST_CASE("data that cannot be corrected are marked, and the read fails") {
  Bench b;
  b.damage(b.write(3, 1));
  const Bench::Read& read = b.read(3, 0, 8);
  b.run();
  CHECK(read.access.status == AccessStatus::unrecovered_read_error);
  CHECK(std::memcmp(read.data.data(), unrecovered_mark.data(), unrecovered_mark.size()) == 0);
  CHECK(b.again.empty());
}

TEST_CASE("a read that fails is looked up again if its unit is elsewhere by now") {
  Bench b;
  const Ppa place = b.write(3, 1);
  b.damage(place);
  const Bench::Read& read = b.read(3, 0, 8);
  b.mapping.blocks.invalidate(place);
  b.mapping.map.unmap(Lpn(3));
  b.run();
  CHECK(b.again == std::vector<PageAccess*>{const_cast<PageAccess*>(&read.access)});
  CHECK(b.host.done.size() == 1);  // the write
  CHECK(b.at_rest());
}

TEST_CASE("units of one page that are read at one instant take one read of the flash") {
  Bench b(1024);
  for (int lpn = 0; lpn < 4; ++lpn) b.put(static_cast<std::uint64_t>(lpn), lpn);
  b.run();
  b.flash.sent.clear();
  const Bench::Read& first = b.read(1, 0, 2);
  const Bench::Read& second = b.read(2, 1, 1);
  b.run();
  REQUIRE(b.flash.sent.size() == 1);
  CHECK(b.flash.sent[0].first_byte == 1024);
  CHECK(b.flash.sent[0].bytes == 2048);
  CHECK(first.data == Bench::Bytes(1024, std::byte{1}));
  CHECK(second.data == Bench::Bytes(512, std::byte{2}));
}

}  // namespace
}  // namespace nandscape::controller
