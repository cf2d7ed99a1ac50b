// SPDX-License-Identifier: Apache-2.0
#include "host/guest/vhost_user.h"

#include <thread>

#include "catch.h"
#include "fake_guest.h"
#include "host/guest/guest_error.h"

namespace nandscape::host::guest {
namespace {

struct Bench {
  Bench() : Bench(socket_pair()) {}
  explicit Bench(std::pair<Descriptor, Descriptor> ends)
      : driver({std::move(ends.first), "driver"}),
        device({std::move(ends.second), "PCI"}, 2, [this](std::uint32_t queue) { kicked.push_back(queue); }) {}

  // Serves messages until the driver has closed its connection.
  void serve_all() {
    try {
      for (;;) device.serve();
    } catch (const GuestGone&) {
    }
  }
  std::string refusal() {
    try {
      device.serve();
    } catch (const GuestError& error) {
      return error.what();
    }
    return "accepted";
  }
  template <class T>
  std::string refusal_of(std::uint32_t request, const T& payload, std::span<const int> descriptors = {}) {
    driver.send(request, bytes_of(payload), descriptors);
    return refusal();
  }

  std::vector<std::uint32_t> kicked;
  VhostDriver driver;
  VhostUser device;
};

TEST_CASE("a driver connects, kicks queues and is called") {
  Bench b;
  SharedMemory shared;
  DriverRing commands(shared), interrupts(shared);
  std::thread kernel([&] {
    b.driver.start(shared, std::array{&commands, &interrupts});
    commands.offer(0, bytes_of(std::uint32_t{42}), 0);
    b.driver.kick(0);
    b.driver.kick(1);
    VhostDriver closing(std::move(b.driver.socket()));
  });
  b.serve_all();
  kernel.join();
  CHECK(b.kicked == std::vector<std::uint32_t>{0, 1});
  const auto buffer = b.device.queue(0).take();
  REQUIRE(buffer);
  CHECK(std::ranges::equal(buffer->out, bytes_of(std::uint32_t{42})));
  b.device.queue(0).give_back(*buffer, 0);
  CHECK(b.device.queue(0).uncalled() == 1);
  int awaited = -1;
  std::thread interrupted([&] {
    CHECK(b.driver.take_call() == 0);
    b.driver.answer_call();
  });
  b.device.call(0, [&](int descriptor) { awaited = descriptor; });
  interrupted.join();
  CHECK(awaited >= 0);
  CHECK(b.device.queue(0).uncalled() == 0);
}

TEST_CASE("a driver that does not know a queue, or answers something else, is refused") {
  Bench b;
  SharedMemory shared;
  DriverRing ring(shared);
  std::thread kernel([&] {
    b.driver.start(shared, std::array{&ring});
    VhostDriver closing(std::move(b.driver.socket()));
  });
  b.serve_all();
  kernel.join();
  b.driver.answer_call(1);
  CHECK_THROWS_WITH(b.device.call(0, [](int) {}), ContainsSubstring("knows no queue 0"));
}

TEST_CASE("malformed vhost-user messages are refused by name") {
  Bench b;
  using Words = std::array<std::uint32_t, 2>;
  SECTION("an unknown request") {
    CHECK(b.refusal_of(6, Words{}) ==
          "guest: vhost-user request 6 on the PCI connection: not a request of user-mode Linux");
  }
  SECTION("another version") {
    b.driver.send(1, {}, {}, 2);
    CHECK_THAT(b.refusal(), ContainsSubstring("version 2 instead of 1"));
  }
  SECTION("a long payload") {
    b.driver.socket().send(bytes_of(VhostDriver::Header{5, 1, 1u << 30}));
    CHECK_THAT(b.refusal(), ContainsSubstring("1073741824 bytes, but no message has more than 512"));
  }
  SECTION("a short payload") {
    CHECK_THAT(b.refusal_of(8, std::uint32_t{0}), ContainsSubstring("4 bytes of payload instead of 8"));
  }
  SECTION("a queue that does not exist") {
    CHECK_THAT(b.refusal_of(8, Words{2, 8}), ContainsSubstring("queue 2, but there are 2"));
  }
  SECTION("a kick before the queue is enabled") {
    CHECK_THAT(b.refusal_of(35, Words{0, 0}), ContainsSubstring("queue 0 is not enabled"));
  }
  SECTION("features") {
    CHECK_THAT(b.refusal_of(2, std::uint64_t{1} << 28), ContainsSubstring("features that were not offered"));
    CHECK_THAT(b.refusal_of(16, std::uint64_t{8}), ContainsSubstring("in-band notifications"));
  }
  SECTION("descriptors") {
    CHECK_THAT(b.refusal_of(21, std::array<std::byte, 0>{}), ContainsSubstring("takes one descriptor"));
  }
  SECTION("the memory table") {
    CHECK_THAT(b.refusal_of(5, Words{9, 0}), ContainsSubstring("1 to 8 regions of memory, not 9"));
    CHECK_THAT(b.refusal_of(5, Words{1, 0}), ContainsSubstring("ends before its last region"));
    CHECK_THAT(b.refusal_of(5, std::array<std::uint64_t, 5>{1, 0, 4096, 0, 0}),
               ContainsSubstring("one descriptor for each region"));
  }
  SECTION("addresses before the memory") {
    b.driver.send(8, bytes_of(Words{0, 8}));
    CHECK(b.refusal() == "accepted");
    CHECK_THAT(b.refusal_of(9, std::array<std::uint64_t, 5>{0, 4096, 8192, 12'288, 0}),
               ContainsSubstring("outside the guest's shared memory"));
  }
  SECTION("a message that ends in the middle") {
    b.driver.socket().send(bytes_of(std::uint32_t{1}));
    { VhostDriver closing(std::move(b.driver.socket())); }
    CHECK_THAT(b.refusal(), ContainsSubstring("ends in the middle"));
  }
  SECTION("a call before its channel") {
    CHECK_THROWS_WITH(b.device.call(0, [](int) {}), ContainsSubstring("before its request channel"));
  }
}

}  // namespace
}  // namespace nandscape::host::guest
