// SPDX-License-Identifier: Apache-2.0
// Tests DmaTransfers as a directly connected device sees it, with a fake host side and the times of PcieLink.
#include "host/pcie/dma_transfers.h"

#include <array>
#include <cstring>
#include <vector>

#include "catch.h"

using namespace nandscape;
using namespace nandscape::host;

namespace {

constexpr std::uint64_t window = 0xfee0'0000;
constexpr std::uint64_t outside = 0x8000'0000;  // no memory that can be copied directly

// Host memory of one region at address 0, and a handler of messages. Records what happens, and when.
struct Bench final : DmaTransfers::HostSide, DmaClient, DirectInterrupts {
  struct Ended {
    std::uint32_t index;
    Tick at;
    bool ok;
  };

  Bench() { transfers.connect(*this, this); }

  DmaTransfers::Region region_of(DmaTransfer& transfer) override {
    if (transfer.address >= memory.size()) return {transfer.address, transfer.address, nullptr};
    return {0, memory.size() - 1, memory.data()};
  }
  bool move(DmaTransfer& transfer) override {
    ++moved;
    transfer.moved_by_host = true;
    transfer.ok = false;
    return true;
  }
  void ended(DmaTransfer&) override { FAIL("a transfer without a payload ended as one with a payload"); }

  void read_ended(DmaTag tag, bool ok) override { reads.push_back({tag.index, calendar.now(), ok}); }
  void write_ended(DmaTag tag) override { writes.push_back({tag.index, calendar.now(), true}); }

  bool runs_in(const Calendar&) const override { return true; }
  bool interrupt_comes(std::uint64_t address, std::uint32_t message) override {
    if (address != window) return false;
    messages.push_back({message, calendar.now(), true});
    return true;
  }

  static DmaTag tag(std::uint32_t index) { return {DmaTag::Purpose::access_data, index}; }

  Calendar calendar;
  PcieLink link{PcieLinkParameters{}};
  DmaTransfers transfers{calendar, link, *this};
  std::array<std::byte, 4096> memory{};
  std::vector<Ended> reads;
  std::vector<Ended> writes;
  std::vector<Ended> messages;
  int moved = 0;
};

}  // namespace

TEST_CASE("a write, the entry after it and the message arrive in order, when their last bytes have crossed the link") {
  Bench b;
  PcieLink same{PcieLinkParameters{}};
  const Tick data_arrive = same.write_upstream(0, 0, 512);
  const Tick entry_arrives = same.write_upstream(0, 1024, 16);
  const Tick message_arrives = same.write_upstream(0, window, 4);
  std::array<std::byte, 512> data;
  data.fill(std::byte{7});
  DmaPort::InlineBytes entry{};
  entry[3] = std::byte{9};
  b.transfers.write(0, data.data(), 512, Bench::tag(1), true);
  b.transfers.write_and_interrupt(1024, entry, {window, 42});
  b.calendar.run_until(message_arrives - 1);
  CHECK(b.memory[511] == std::byte{0});
  b.calendar.run_until(never);
  // The host looks at memory only when the message has come, so all three are delivered then.
  CHECK(data_arrive < entry_arrives);
  REQUIRE(b.messages.size() == 1);
  CHECK(b.messages[0].index == 42);
  CHECK(b.messages[0].at == message_arrives);
  CHECK(b.memory[511] == std::byte{7});
  CHECK(b.memory[1027] == std::byte{9});
  REQUIRE(b.writes.size() == 1);
  CHECK(b.writes[0].index == 1);
}

TEST_CASE("a read returns the bytes of a write that was sent before its request") {
  Bench b;
  const std::array<std::byte, 4> data{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  std::array<std::byte, 4> into{};
  b.transfers.write(64, data.data(), 4, Bench::tag(1), false);
  b.transfers.read(64, into.data(), 4, Bench::tag(2));
  b.calendar.run_until(never);
  CHECK(into == data);
  REQUIRE(b.reads.size() == 1);
  CHECK(b.reads[0].index == 2);
  CHECK(b.reads[0].ok);
  CHECK(b.reads[0].at > b.writes[0].at);
  CHECK(b.moved == 0);
}

TEST_CASE("a transfer without a buffer takes the time of its bytes and moves none") {
  Bench b;
  PcieLink same{PcieLinkParameters{}};
  PcieLink::Read read;
  same.begin_read(0, read, 0, 4096);
  b.transfers.read(0, nullptr, 4096, Bench::tag(3));
  b.calendar.run_until(never);
  REQUIRE(b.reads.size() == 1);
  CHECK(b.reads[0].at == same.oldest_read_expected());
}

TEST_CASE("the host side moves the bytes of memory that cannot be copied, and its failure reaches the device") {
  Bench b;
  std::array<std::byte, 4> into{};
  b.transfers.read(outside, into.data(), 4, Bench::tag(4));
  b.calendar.run_until(never);
  REQUIRE(b.reads.size() == 1);
  CHECK_FALSE(b.reads[0].ok);
  CHECK(b.moved == 1);
}

TEST_CASE("a message outside of the interrupt window is a write") {
  Bench b;
  b.transfers.send_message({128, 0x01020304});
  b.calendar.run_until(never);
  CHECK(b.messages.empty());
  std::uint32_t value = 0;
  std::memcpy(&value, b.memory.data() + 128, sizeof value);
  CHECK(value == 0x01020304);
}

TEST_CASE("a region that was invalidated is asked for again") {
  Bench b;
  const std::array<std::byte, 1> data{std::byte{5}};
  b.transfers.write(0, data.data(), 1, Bench::tag(5), false);
  b.calendar.run_until(never);
  b.transfers.invalidate(0, 4095);
  b.memory = {};
  b.transfers.write(1, data.data(), 1, Bench::tag(6), false);
  b.calendar.run_until(never);
  CHECK(b.memory[1] == std::byte{5});
  CHECK(b.writes.size() == 2);
}
