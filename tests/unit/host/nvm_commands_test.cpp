// SPDX-License-Identifier: Apache-2.0
// Tests the NVM command set: how commands are translated to page accesses, where their data are transferred to, and
// which commands are refused.
#include "catch.h"
#include "unit/host/controller_harness.h"

using namespace nandscape;
using namespace nandscape::host;
using nvme::IoOpcode;
using nvme::Status;

namespace {

struct IoFixture : ControllerHarness {
  explicit IoFixture(const NvmeParameters& p = {}, Tick latency = microsecond) : ControllerHarness(p, latency) {
    enable();
    queue = create_queue(1, 64);
    data = memory.reserve(std::uint64_t{1} << 20, page);
  }

  // Writes a PRP list with the pages at `from`, `from` + `stride`, and so on. Returns the address of the list.
  std::uint64_t list(std::uint64_t from, std::uint32_t entries, std::uint64_t stride) {
    const std::uint64_t at = memory.reserve(page, page);
    for (std::uint32_t k = 0; k < entries; ++k) {
      const std::uint64_t entry = from + k * stride;
      memory.write(at + k * 8, std::as_bytes(std::span(&entry, 1)));
    }
    return at;
  }

  Queue queue;
  std::uint64_t data = 0;
};

}  // namespace

TEST_CASE("an unaligned command is split at page boundaries, in order") {
  IoFixture h;
  const std::uint64_t prps = h.list(h.data + 4096, 17, 4096);
  REQUIRE(h.status(h.queue, h.io(IoOpcode::read, 30, 70, h.data, prps)) == Status::success);
  REQUIRE(h.device.log.size() == 4);
  const std::uint64_t pages[] = {0, 1, 2, 3};
  const unsigned first[] = {30, 0, 0, 0};
  const unsigned count[] = {2, 32, 32, 4};
  for (int k = 0; k < 4; ++k) {
    CHECK(h.device.log[k].kind == AccessKind::read);
    CHECK(h.device.log[k].lpn.value == pages[k]);
    CHECK(h.device.log[k].first_sector == first[k]);
    CHECK(h.device.log[k].sector_count == count[k]);
    CHECK(h.device.log[k].stream == 0);
  }
}

TEST_CASE("data written through one set of pages can be read through another") {
  IoFixture h;
  const std::uint32_t sectors = 200;  // 25 memory pages of data, which cover eight logical pages
  const auto bytes = pattern(sectors * 512, 1);
  // Writes the data from memory pages in reverse order with gaps, so that no two of them are adjacent.
  const std::uint64_t scattered = h.memory.reserve(64 * 8192, 4096);
  const std::uint64_t list = h.memory.reserve(4096, 4096);
  for (std::uint32_t k = 0; k < 25; ++k) {
    const std::uint64_t page = scattered + (24 - k) * 8192;
    h.memory.write(page, std::span(bytes).subspan(k * 4096, 4096));
    if (k > 0) h.memory.write(list + (k - 1) * 8, std::as_bytes(std::span(&page, 1)));
  }
  REQUIRE(h.status(h.queue, h.io(IoOpcode::write, 11, sectors, scattered + 24 * 8192, list)) == Status::success);

  // Reads the data to an unaligned address, so that the borders of memory pages and flash pages do not coincide.
  const std::uint64_t target = h.data + 0x234;
  const std::uint64_t rest = h.list(h.data + 4096, 25, 4096);
  REQUIRE(h.status(h.queue, h.io(IoOpcode::read, 11, sectors, target, rest)) == Status::success);
  CHECK(h.bytes_at(target, bytes.size()) == bytes);

  // Reads a part of the data once more, to two memory pages given by PRP1 and PRP2.
  REQUIRE(h.status(h.queue, h.io(IoOpcode::read, 20, 3, h.data + 4096 - 512, h.data + 8192)) == Status::success);
  CHECK(h.bytes_at(h.data + 4096 - 512, 512) == std::vector(bytes.begin() + 9 * 512, bytes.begin() + 10 * 512));
  CHECK(h.bytes_at(h.data + 8192, 1024) == std::vector(bytes.begin() + 10 * 512, bytes.begin() + 12 * 512));
}

TEST_CASE("a read that the device completes at once waits for its PRP list") {
  IoFixture h({}, 0);
  const auto bytes = pattern(16384, 5);
  h.memory.write(h.data, bytes);
  const std::uint64_t list = h.list(h.data + 4096, 3, 4096);
  REQUIRE(h.status(h.queue, h.io(IoOpcode::write, 0, 32, h.data, list)) == Status::success);
  const std::uint64_t to = h.memory.reserve(65536, 4096);
  REQUIRE(h.status(h.queue, h.io(IoOpcode::read, 0, 32, to, h.list(to + 8192, 3, 8192))) == Status::success);
  CHECK(h.bytes_at(to + 8192, 4096) == std::vector(bytes.begin() + 4096, bytes.begin() + 8192));
  CHECK(h.bytes_at(to + 24576, 4096) == std::vector(bytes.begin() + 12288, bytes.end()));
}

TEST_CASE("force unit access is set by the command, or by a disabled write cache") {
  IoFixture h;
  auto e = h.io(IoOpcode::write, 0, 8, h.data);
  REQUIRE(h.status(h.queue, e) == Status::success);
  e.cdw12 |= nvme::force_unit_access;
  REQUIRE(h.status(h.queue, e) == Status::success);
  h.check(h.command(nvme::AdminOpcode::set_features, 6, 0));
  e.cdw12 &= ~nvme::force_unit_access;
  REQUIRE(h.status(h.queue, e) == Status::success);
  REQUIRE(h.device.log.size() == 3);
  CHECK_FALSE(h.device.log[0].force_unit_access);
  CHECK(h.device.log[1].force_unit_access);
  CHECK(h.device.log[2].force_unit_access);

  h.check(h.command(nvme::AdminOpcode::set_features, 6, 1));
  e = h.io(IoOpcode::write_zeroes, 5, 8);
  e.cdw12 |= nvme::force_unit_access;
  REQUIRE(h.status(h.queue, e) == Status::success);
  CHECK(h.device.log.back().force_unit_access);
}

TEST_CASE("Flush is one access, for this namespace or for all") {
  IoFixture h;
  auto e = h.io(IoOpcode::flush, 0, 1);
  REQUIRE(h.status(h.queue, e) == Status::success);
  e.nsid = 0xffff'ffff;
  REQUIRE(h.status(h.queue, e) == Status::success);
  REQUIRE(h.device.log.size() == 2);
  CHECK(h.device.log[0].kind == AccessKind::flush);
}

TEST_CASE("Write Zeroes deallocates whole pages and writes the edges") {
  IoFixture h;
  const auto bytes = pattern(4 * 16384, 9);
  h.memory.write(h.data, bytes);
  REQUIRE(h.status(h.queue, h.io(IoOpcode::write, 0, 128, h.data, h.list(h.data + 4096, 15, 4096))) == Status::success);
  h.device.log.clear();
  REQUIRE(h.status(h.queue, h.io(IoOpcode::write_zeroes, 20, 80)) == Status::success);
  REQUIRE(h.device.log.size() == 3);
  CHECK(h.device.log[0].kind == AccessKind::write);
  CHECK(h.device.log[0].first_sector == 20);
  CHECK(h.device.log[0].sector_count == 12);
  CHECK(h.device.log[1].kind == AccessKind::trim);
  CHECK(h.device.log[1].lpn.value == 1);
  CHECK(h.device.log[1].page_count == 2);
  CHECK(h.device.log[2].kind == AccessKind::write);
  CHECK(h.device.log[2].lpn.value == 3);
  CHECK(h.device.log[2].sector_count == 4);

  const std::uint64_t to = h.memory.reserve(65536, 4096);
  REQUIRE(h.status(h.queue, h.io(IoOpcode::read, 0, 128, to, h.list(to + 4096, 15, 4096))) == Status::success);
  auto expected = bytes;
  std::fill(expected.begin() + 20 * 512, expected.begin() + 100 * 512, std::byte{0});
  CHECK(h.bytes_at(to, expected.size()) == expected);

  h.device.log.clear();
  REQUIRE(h.status(h.queue, h.io(IoOpcode::write_zeroes, 33, 5)) == Status::success);  // inside one page
  REQUIRE(h.device.log.size() == 1);
  CHECK(h.device.log[0].first_sector == 1);
  CHECK(h.device.log[0].sector_count == 5);
  h.device.log.clear();
  REQUIRE(h.status(h.queue, h.io(IoOpcode::write_zeroes, 30, 4)) == Status::success);  // edges only
  CHECK(h.device.log.size() == 2);
}

TEST_CASE("deallocation is durable when a forced Write Zeroes ends, or any command with the write cache off") {
  IoFixture h;
  auto zeroes = h.io(IoOpcode::write_zeroes, 20, 80);
  const nvme::DatasetRange range{0, 64, 32};
  h.memory.write(h.data, std::as_bytes(std::span(&range, 1)));
  auto deallocates = h.io(IoOpcode::dataset_management, 0, 1, h.data);
  deallocates.cdw10 = 0;
  deallocates.cdw11 = nvme::deallocate_attribute;
  SECTION("forced") { zeroes.cdw12 |= nvme::force_unit_access; }
  SECTION("the write cache is off") {
    const auto off = static_cast<std::uint32_t>(nvme::Feature::volatile_write_cache);
    h.check(h.command(nvme::AdminOpcode::set_features, off, 0));
    REQUIRE(h.status(h.queue, deallocates) == Status::success);
    REQUIRE(h.device.log.size() == 2);
    CHECK(h.device.log[0].kind == AccessKind::trim);
    CHECK(h.device.log[1].kind == AccessKind::flush);
    h.device.log.clear();
  }
  REQUIRE(h.status(h.queue, zeroes) == Status::success);
  REQUIRE(h.device.log.size() == 4);
  CHECK(h.device.log[0].force_unit_access);
  CHECK(h.device.log[1].kind == AccessKind::trim);
  CHECK(std::ranges::count(h.device.log, AccessKind::flush, &PageAccess::kind) == 1);
}

TEST_CASE("Dataset Management deallocates whole pages and writes zeroes to parts of them") {
  IoFixture h;
  const nvme::DatasetRange ranges[] = {{0, 64, 32}, {0, 40, 200}, {0, 3, 7}};
  const std::uint64_t at = h.data + 4096 - 16;  // the list of ranges crosses the border of a memory page
  h.memory.write(at, std::as_bytes(std::span(ranges).first(1)));
  h.memory.write(h.data + 8192, std::as_bytes(std::span(ranges).subspan(1)));
  auto e = h.io(IoOpcode::dataset_management, 0, 1, at, h.data + 8192);
  e.cdw10 = 2;
  e.cdw11 = nvme::deallocate_attribute;
  e.cdw12 = 0;
  REQUIRE(h.status(h.queue, e) == Status::success);
  REQUIRE(h.device.log.size() == 4);
  CHECK(h.device.log[0].kind == AccessKind::trim);
  CHECK(h.device.log[0].lpn.value == 1);
  CHECK(h.device.log[0].page_count == 2);
  // These ranges cover no whole page: they are parts of pages 6, 7 and 0, and are zeroed by writes.
  const std::uint32_t parts[][3] = {{6, 8, 24}, {7, 0, 16}, {0, 7, 3}};
  for (int k = 0; k < 3; ++k) {
    const PageAccess& part = h.device.log[k + 1];
    CAPTURE(k);
    CHECK(part.kind == AccessKind::write);
    CHECK(part.deallocates);
    CHECK(part.lpn.value == parts[k][0]);
    CHECK(part.first_sector == parts[k][1]);
    CHECK(part.sector_count == parts[k][2]);
  }

  e.cdw11 = 0;  // hints only
  REQUIRE(h.status(h.queue, e) == Status::success);
  CHECK(h.device.log.size() == 4);

  const nvme::DatasetRange bad = {0, 1, 256 * 32};
  h.memory.write(h.data, std::as_bytes(std::span(&bad, 1)));
  e.prp1 = h.data;
  e.cdw10 = 0;
  e.cdw11 = nvme::deallocate_attribute;
  CHECK(h.status(h.queue, e) == Status::lba_out_of_range);
}

TEST_CASE("adjacent ranges are trimmed as one, others one after the other") {
  for (const Tick latency : {Tick{0}, microsecond}) {
    ControllerHarness h({}, latency, true, 1 << 20);
    h.enable();
    auto queue = h.create_queue(1, 16);
    const std::uint64_t data = h.memory.reserve(4096, 4096);
    const nvme::DatasetRange ranges[] = {
        {0, 32 * 10'000, 32 * 5 + 1}, {0, 40, 32 * 10'005 + 1}, {0, 0, ~std::uint64_t{0}}, {0, 64, 0}, {0, 32, 64}};
    h.memory.write(data, std::as_bytes(std::span(ranges)));
    auto e = h.io(IoOpcode::dataset_management, 0, 1, data);
    e.cdw10 = 4;
    e.cdw11 = nvme::deallocate_attribute;
    REQUIRE(h.status(queue, e) == Status::success);
    REQUIRE(h.device.log.size() == 4);
    CHECK(h.device.log[0].lpn.value == 5);  // the extent starts within this page
    CHECK(h.device.log[0].first_sector == 1);
    CHECK(h.device.log[0].sector_count == 31);
    CHECK(h.device.log[1].lpn.value == 6);
    CHECK(h.device.log[1].page_count == 10'000);
    CHECK(h.device.log[2].lpn.value == 10'006);
    CHECK(h.device.log[2].sector_count == 9);
    CHECK(h.device.log[3].lpn.value == 0);
    CHECK(h.device.log[3].page_count == 3);
  }
}

TEST_CASE("each access tells its place in its command") {
  using enum CommandPlace;
  for (const Tick latency : {Tick{0}, microsecond}) {
    CAPTURE(latency);
    IoFixture h({}, latency);
    const auto places = [&h](const nvme::SubmissionEntry& entry) {
      h.device.log.clear();
      REQUIRE(h.status(h.queue, entry) == Status::success);
      std::vector<CommandPlace> found;
      for (const PageAccess& access : h.device.log) found.push_back(access.place);
      return found;
    };
    const std::uint64_t prps = h.list(h.data + 4096, 17, 4096);
    CHECK(places(h.io(IoOpcode::read, 0, 1, h.data)) == std::vector{first});
    CHECK(places(h.io(IoOpcode::read, 30, 70, h.data, prps)) == std::vector{first, beside, beside, beside});
    CHECK(places(h.io(IoOpcode::write, 30, 70, h.data, prps)) == std::vector{first, beside, beside, beside});
    CHECK(places(h.io(IoOpcode::flush, 0, 1)) == std::vector{first});
    CHECK(places(h.io(IoOpcode::write_zeroes, 20, 80)) == std::vector{first, beside, beside});
    auto forced = h.io(IoOpcode::write_zeroes, 32, 32);
    forced.cdw12 |= nvme::force_unit_access;
    CHECK(places(forced) == std::vector{first, after});
    // Page 1 and the first half of page 2 are deallocated one after the other.
    const nvme::DatasetRange range{0, 48, 32};
    h.memory.write(h.data, std::as_bytes(std::span(&range, 1)));
    auto deallocates = h.io(IoOpcode::dataset_management, 0, 1, h.data);
    deallocates.cdw10 = 0;
    deallocates.cdw11 = nvme::deallocate_attribute;
    CHECK(places(deallocates) == std::vector{first, after});
  }
}

TEST_CASE("a failing trim stops") {
  ControllerHarness h({}, microsecond, true, 1 << 20);
  h.enable();
  auto queue = h.create_queue(1, 16);
  const std::uint64_t data = h.memory.reserve(4096, 4096);
  const nvme::DatasetRange range = {0, 32 * 10'000, 0};
  h.memory.write(data, std::as_bytes(std::span(&range, 1)));
  auto e = h.io(IoOpcode::dataset_management, 0, 1, data);
  e.cdw10 = 0;
  e.cdw11 = nvme::deallocate_attribute;
  h.device.answer = AccessStatus::write_protected;
  CHECK(h.status(queue, e) == Status::namespace_write_protected);
  CHECK(h.device.log.size() == 1);
}

TEST_CASE("the slot of a failing trim is given to the next command") {
  IoFixture h({.command_slots = 1});
  const nvme::DatasetRange range = {0, 33, 0};  // one whole page and a part of another
  h.memory.write(h.data, std::as_bytes(std::span(&range, 1)));
  auto trim = h.io(IoOpcode::dataset_management, 0, 1, h.data);
  trim.cdw10 = 0;
  trim.cdw11 = nvme::deallocate_attribute;
  auto read = h.io(IoOpcode::read, 0, 1, h.data);
  trim.command_id = 1;
  read.command_id = 2;
  h.device.answer = AccessStatus::write_protected;
  h.push(h.queue, trim);
  h.push(h.queue, read);
  h.ring(h.queue);
  h.run();
  CHECK(h.reap(h.queue).size() == 2);
}

TEST_CASE("invalid I/O commands return their status") {
  IoFixture h;
  const auto read = [&](std::uint64_t first, std::uint32_t sectors) {
    return h.io(IoOpcode::read, first, sectors, h.data, h.data + 4096);
  };
  CHECK(h.status(h.queue, read(256 * 32 - 8, 8)) == Status::success);
  CHECK(h.status(h.queue, read(256 * 32 - 7, 8)) == Status::lba_out_of_range);
  CHECK(h.status(h.queue, read(~std::uint64_t{0}, 2)) == Status::lba_out_of_range);
  CHECK(h.status(h.queue, read(0, 513)) == Status::invalid_field);  // MDTS is 256 KiB

  auto e = read(0, 8);
  e.nsid = 2;
  CHECK(h.status(h.queue, e) == Status::invalid_namespace);
  e = read(0, 8);
  e.opcode = 0x05;  // Compare
  CHECK(h.status(h.queue, e) == Status::invalid_opcode);
  e = read(0, 8);
  e.flags = 0x40;  // SGL
  CHECK(h.status(h.queue, e) == Status::invalid_field);
  e = read(0, 8);
  e.prp1 += 2;
  CHECK(h.status(h.queue, e) == Status::prp_offset_invalid);
  e = read(0, 16);
  e.prp2 += 512;
  CHECK(h.status(h.queue, e) == Status::prp_offset_invalid);
  e = read(0, 32);
  e.prp2 = h.list(h.data + 512, 3, 4096);  // entries with an offset
  CHECK(h.status(h.queue, e) == Status::prp_offset_invalid);
  e = h.io(IoOpcode::write, 0, 32, h.data, h.list(h.data + 512, 3, 4096));
  CHECK(h.status(h.queue, e) == Status::prp_offset_invalid);
  e = read(0, 32);
  e.prp2 = std::uint64_t{1} << 40;  // no memory there
  CHECK(h.status(h.queue, e) == Status::data_transfer_error);
  e = h.io(IoOpcode::write, 0, 8, std::uint64_t{1} << 40);
  CHECK(h.status(h.queue, e) == Status::data_transfer_error);
}

TEST_CASE("device errors become media errors") {
  IoFixture h;
  h.device.answer = AccessStatus::unrecovered_read_error;
  CHECK(h.status(h.queue, h.io(IoOpcode::read, 0, 8, h.data)) == Status::unrecovered_read_error);
  h.device.answer = AccessStatus::write_fault;
  CHECK(h.status(h.queue, h.io(IoOpcode::write, 0, 8, h.data)) == Status::write_fault);
  CHECK(h.controller.counters().failed_commands == 2);
  h.device.answer = AccessStatus::write_protected;
  CHECK(h.status(h.queue, h.io(IoOpcode::write, 0, 8, h.data)) == Status::namespace_write_protected);
  CHECK(h.status(h.queue, h.io(IoOpcode::write_zeroes, 0, 64)) == Status::namespace_write_protected);
}
