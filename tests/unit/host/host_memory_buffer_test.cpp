// SPDX-License-Identifier: Apache-2.0
// Tests the feature Host Memory Buffer of the controller, and the grant of the driver.
#include "host/nvme/host_memory_buffer.h"

#include "catch.h"
#include "host/driver/host_buffer_grant.h"
#include "unit/host/controller_harness.h"

using namespace nandscape;
using namespace nandscape::host;
using nvme::AdminOpcode;
using nvme::Feature;
using nvme::Status;

namespace {

constexpr std::uint32_t feature = static_cast<std::uint32_t>(Feature::host_memory_buffer);
constexpr std::uint32_t page = ControllerHarness::page;

struct User final : HostBufferUser {
  std::uint64_t preferred_bytes() const override { return 64 * page; }
  std::uint64_t least_bytes() const override { return 4 * page; }
  void granted(HostBuffer& given, std::uint64_t size, Tick) override {
    buffer = &given;
    bytes = size;
  }
  void withdrawn(Tick) override { buffer = nullptr; }
  void arrived(std::uint32_t tag, Tick now) override { arrivals.emplace_back(tag, now); }

  HostBuffer* buffer = nullptr;
  std::uint64_t bytes = 0;
  std::vector<std::pair<std::uint32_t, Tick>> arrivals;
};

struct Bench : ControllerHarness {
  Bench() {
    controller.lend_to(user);
    enable();
  }

  // Grants the pages in two ranges that do not touch.
  Status grant(std::uint32_t pages, std::uint32_t entries = 2, std::uint32_t flags = nvme::host_buffer_enable) {
    const nvme::HostBufferDescriptor ranges[] = {{memory.reserve(2 * page, page), 2, 0},
                                                 {memory.reserve(64 * page, 1 << 20), 62, 0}};
    const std::uint64_t list = memory.reserve(sizeof ranges, page);
    memory.write(list, std::as_bytes(std::span(ranges)));
    nvme::SubmissionEntry e;
    e.opcode = static_cast<std::uint8_t>(AdminOpcode::set_features);
    e.cdw10 = feature;
    e.cdw11 = flags;
    e.cdw12 = pages;
    e.cdw13 = static_cast<std::uint32_t>(list);
    e.cdw14 = static_cast<std::uint32_t>(list >> 32);
    e.cdw15 = entries;
    return status(admin, e);
  }
  Status take_back() { return nvme::status_of(command(AdminOpcode::set_features, feature, 0)); }

  User user;
};

}  // namespace

TEST_CASE("a drive that uses no buffer does not know the feature") {
  ControllerHarness h;
  h.enable();
  CHECK(nvme::status_of(h.command(AdminOpcode::set_features, feature, 1)) == Status::invalid_field);
  CHECK(nvme::status_of(h.command(AdminOpcode::get_features, feature)) == Status::invalid_field);
  const std::uint64_t at = h.memory.reserve(4096, 4096);
  h.check(h.command(AdminOpcode::identify, 1, 0, at));
  CHECK(h.load<nvme::IdentifyController>(at).hmpre == 0);
}

TEST_CASE("Identify tells the sizes, and Get Features the buffer that is granted") {
  Bench bench;
  const std::uint64_t at = bench.memory.reserve(4096, 4096);
  bench.check(bench.command(AdminOpcode::identify, 1, 0, at));
  CHECK(bench.load<nvme::IdentifyController>(at).hmpre == 64);
  CHECK(bench.load<nvme::IdentifyController>(at).hmmin == 4);
  CHECK(bench.command(AdminOpcode::get_features, feature, 0, at).dw0 == 0);
  CHECK(bench.load<nvme::HostBufferAttributes>(at).hsize == 0);
  REQUIRE(bench.grant(16, 2, nvme::host_buffer_enable | nvme::host_buffer_returned) == Status::success);
  CHECK(bench.user.bytes == 16 * page);
  CHECK(bench.command(AdminOpcode::get_features, feature, 0, at).dw0 == 3);
  CHECK(bench.load<nvme::HostBufferAttributes>(at).hsize == 16);
  CHECK(bench.load<nvme::HostBufferAttributes>(at).hmdlec == 2);
  CHECK(bench.command(AdminOpcode::get_features, feature | 3 << 8).dw0 == 4);
  CHECK(bench.command(AdminOpcode::get_features, feature | 1 << 8, 0, at).dw0 == 0);
  CHECK(bench.load<nvme::HostBufferAttributes>(at).hsize == 0);
}

TEST_CASE("a buffer that is too small, or smaller than its ranges say, is refused") {
  Bench bench;
  CHECK(bench.grant(3) == Status::invalid_field);
  CHECK(bench.grant(65) == Status::invalid_field);
  CHECK(bench.grant(16, 1) == Status::invalid_field);
  CHECK(bench.grant(16, 0) == Status::invalid_field);
  CHECK(bench.user.buffer == nullptr);
  CHECK(bench.grant(64) == Status::success);
  CHECK(bench.user.buffer != nullptr);
  CHECK(bench.grant(64) == Status::command_sequence_error);
  CHECK(bench.take_back() == Status::success);
  CHECK(bench.user.buffer == nullptr);
  CHECK(bench.grant(64) == Status::success);
}

TEST_CASE("reads arrive in order, also over the border of two ranges") {
  Bench bench;
  REQUIRE(bench.grant(16) == Status::success);
  const Tick begin = bench.calendar.now();
  bench.user.buffer->read(2 * page - 32, 64, 7);
  bench.user.buffer->write(page, page);
  bench.user.buffer->read(0, 64, 8);
  bench.run();
  REQUIRE(bench.user.arrivals.size() == 2);
  CHECK(bench.user.arrivals[0] == std::pair(7u, begin + PromptPort::latency));
  CHECK(bench.user.arrivals[1] == std::pair(8u, begin + PromptPort::latency));
}

TEST_CASE("the host gets its memory back when the reads under way have ended") {
  Bench bench;
  REQUIRE(bench.grant(16) == Status::success);
  for (std::uint32_t tag = 0; tag < 50; ++tag) bench.user.buffer->read(0, 64, tag);
  CHECK(bench.take_back() == Status::success);
  CHECK(bench.user.buffer == nullptr);
  CHECK(bench.user.arrivals.size() == 50);
}

TEST_CASE("a reset of the controller ends the feature") {
  Bench bench;
  REQUIRE(bench.grant(16) == Status::success);
  bench.user.buffer->read(0, 64, 1);
  bench.write(nvme::reg::cc, 0);
  bench.run();
  CHECK(bench.user.buffer == nullptr);
  CHECK(bench.user.arrivals.size() == 1);
  bench.enable();
  CHECK(bench.grant(16) == Status::success);
}

TEST_CASE("the driver grants what the drive prefers, up to its limit, or nothing") {
  HostMemory memory(std::uint64_t{1} << 30);
  HostBufferGrant grant(memory, 9 << 20, 4096);
  CHECK_FALSE(grant.decide(0, 0));
  CHECK_FALSE(grant.decide(4096, 2305));
  REQUIRE(grant.decide(4096, 2304));
  const nvme::SubmissionEntry e = grant.command();
  CHECK(e.cdw11 == nvme::host_buffer_enable);
  CHECK(e.cdw12 == 2304);
  CHECK(e.cdw15 == 3);  // 4 + 4 + 1 MiB
  std::uint64_t pages = 0;
  for (std::uint32_t k = 0; k < 3; ++k) {
    nvme::HostBufferDescriptor d;
    memory.read(e.cdw13 + k * sizeof d, std::as_writable_bytes(std::span(&d, 1)));
    CHECK(d.badd % 4096 == 0);
    pages += d.bsize;
  }
  CHECK(pages == 2304);
  const nvme::SubmissionEntry again = grant.command();
  CHECK(again.cdw11 == (nvme::host_buffer_enable | nvme::host_buffer_returned));
  CHECK(again.cdw13 == e.cdw13);
}
