// SPDX-License-Identifier: Apache-2.0
#include "host/guest/virtqueue.h"

#include "catch.h"
#include "fake_guest.h"
#include "host/guest/guest_error.h"

namespace nandscape::host::guest {
namespace {

struct Bench {
  Bench() {
    std::vector<Descriptor> files;
    files.emplace_back(::dup(shared.file()));
    memory.map(std::array{GuestMemory::Region{SharedMemory::address, SharedMemory::bytes, 0}}, files);
    queue.set_size(DriverRing::entries);
    queue.set_addresses({ring.descriptors, ring.used, ring.available});
    queue.enable(true);
  }
  std::string refusal() {
    try {
      queue.take();
    } catch (const GuestError& error) {
      return error.what();
    }
    return "taken";
  }

  SharedMemory shared;
  DriverRing ring{shared};
  GuestMemory memory;
  Virtqueue queue{memory, "PCI queue 0"};
};

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> all;
  for (const int value : values) all.push_back(static_cast<std::byte>(value));
  return all;
}

TEST_CASE("a virtqueue takes buffers in their order, over its end, and gives them back with what it wrote") {
  Bench b;
  CHECK_FALSE(b.queue.take());
  for (int round = 0; round < 20; ++round) {
    const std::uint64_t place = b.ring.offer(2, bytes({1, 2, round}), 4);
    const std::uint64_t second = b.ring.offer(4, {}, 4);
    auto buffer = b.queue.take();
    REQUIRE(buffer);
    CHECK(buffer->out == bytes({1, 2, round}));
    b.queue.answer(*buffer, bytes({7, 8, 9}));
    CHECK(std::ranges::equal(std::span(b.shared.at(place), 4), bytes({7, 8, 9, 0})));
    CHECK(b.ring.used_index() == 2 * round + 1);
    CHECK(b.ring.used_bytes(static_cast<std::uint16_t>(2 * round)) == 3);
    buffer = b.queue.take();
    REQUIRE(buffer);
    CHECK(buffer->out.empty());
    CHECK(buffer->in.front().data() != b.shared.at(second));  // another mapping of the same memory
    b.queue.give_back(*buffer, 0);
    CHECK_FALSE(b.queue.take());
  }
}

TEST_CASE("a virtqueue refuses what a driver must not offer, by name") {
  Bench b;
  const auto place = static_cast<std::uint64_t>(SharedMemory::address + 65536);
  SECTION("a descriptor outside the table") {
    b.ring.offer(9);
    CHECK(b.refusal() == "guest: PCI queue 0: descriptor 9 of 8");
  }
  SECTION("a chain in a circle") {
    b.ring.set(0, {place, 8, DriverRing::chained, 1});
    b.ring.set(1, {place, 8, DriverRing::chained, 0});
    b.ring.offer(0);
    CHECK(b.refusal() == "guest: PCI queue 0: a chain of descriptors runs in a circle");
  }
  SECTION("memory that is not shared") {
    b.ring.set(0, {SharedMemory::address + SharedMemory::bytes - 4, 8, 0, 0});
    b.ring.offer(0);
    CHECK_THAT(b.refusal(), ContainsSubstring("a buffer of 8 bytes at") && ContainsSubstring("outside"));
  }
  SECTION("memory whose end wraps round") {
    b.ring.set(0, {~std::uint64_t{0} - 3, 8, 0, 0});
    b.ring.offer(0);
    CHECK_THAT(b.refusal(), ContainsSubstring("outside the guest's shared memory"));
  }
  SECTION("no bytes") {
    b.ring.set(0, {place, 0, 0, 0});
    b.ring.offer(0);
    CHECK_THAT(b.refusal(), ContainsSubstring("a buffer of 0 bytes"));
  }
  SECTION("an indirect descriptor") {
    b.ring.set(0, {place, 16, 4, 0});
    b.ring.offer(0);
    CHECK_THAT(b.refusal(), ContainsSubstring("indirect"));
  }
  SECTION("a part to read behind one to write") {
    b.ring.set(0, {place, 8, DriverRing::chained | DriverRing::device_writes, 1});
    b.ring.set(1, {place, 8, 0, 0});
    b.ring.offer(0);
    CHECK_THAT(b.refusal(), ContainsSubstring("a descriptor to read follows one to write"));
  }
  SECTION("too much to read") {
    for (std::uint16_t k = 0; k < 2; ++k) {
      b.ring.set(k, {SharedMemory::address, 40'000, DriverRing::chained, static_cast<std::uint16_t>(k + 1)});
    }
    b.ring.offer(0);
    CHECK_THAT(b.refusal(), ContainsSubstring("more than 64 KiB"));
  }
  SECTION("more buffers than entries") {
    b.ring.half(b.ring.available + 2) = 9;
    CHECK(b.refusal() == "guest: PCI queue 0: 9 buffers are available in a queue of 8");
  }
  SECTION("sizes and addresses") {
    CHECK_THROWS_WITH(b.queue.set_size(6), ContainsSubstring("power of two"));
    CHECK_THROWS_WITH(b.queue.set_size(0), ContainsSubstring("power of two"));
    CHECK_THROWS_WITH(b.queue.set_addresses({1, 2, 3}), ContainsSubstring("the descriptor table at 1 is outside"));
    CHECK_THROWS_WITH(b.queue.set_addresses({b.ring.descriptors + 4, b.ring.used, b.ring.available}),
                      ContainsSubstring("not aligned"));
  }
  SECTION("an answer larger than its buffer") {
    b.ring.offer(0, {}, 2);
    const auto buffer = b.queue.take();
    CHECK_THROWS_WITH(b.queue.answer(*buffer, bytes({1, 2, 3})), ContainsSubstring("3 bytes does not fit"));
  }
}

TEST_CASE("regions of memory must lie in their files") {
  SharedMemory shared;
  GuestMemory memory;
  std::vector<Descriptor> files;
  files.emplace_back(::dup(shared.file()));
  const auto map = [&](std::uint64_t address, std::uint64_t bytes, std::uint64_t offset) {
    memory.map(std::array{GuestMemory::Region{address, bytes, offset}}, files);
  };
  CHECK_THROWS_WITH(map(0, SharedMemory::bytes + 1, 0), ContainsSubstring("memory region 0 has 262145 bytes"));
  CHECK_THROWS_WITH(map(0, 4096, SharedMemory::bytes), ContainsSubstring("at offset 262144 of a file of 262144"));
  CHECK_THROWS_WITH(map(~std::uint64_t{0} - 4095, 8192, 0), ContainsSubstring("beyond the last address"));
  CHECK_THROWS_WITH(map(0, 4096, 1), ContainsSubstring("cannot be mapped"));
  map(4096, 8192, 4096);
  CHECK(memory.find(4096, 8192).size() == 8192);
  CHECK(memory.find(4095, 1).empty());
  CHECK(memory.find(12'288, 1).empty());
  CHECK(memory.find(8192, 4097).empty());
  std::array<std::byte, 2> two{std::byte{5}, std::byte{6}};
  CHECK(memory.write(4096, two));
  CHECK(shared.at(SharedMemory::address + 4096)[1] == std::byte{6});
  CHECK_FALSE(memory.write(12'287, two));
  CHECK_FALSE(memory.read(0, two));
}

}  // namespace
}  // namespace nandscape::host::guest
