// SPDX-License-Identifier: Apache-2.0
#include "host/guest/time_controller.h"

#include "catch.h"
#include "fake_guest.h"
#include "host/guest/guest_error.h"

namespace nandscape::host::guest {
namespace {

struct Bench {
  Bench() : Bench(socket_pair()) {}
  explicit Bench(std::pair<Descriptor, Descriptor> ends)
      : guest({std::move(ends.first), "guest"}),
        controller({std::move(ends.second), "time"}, 1'700'000'000'000'000'000) {}

  std::uint64_t ask(std::uint32_t operation, std::uint64_t time = 0) {
    guest.send(operation, time);
    controller.serve();
    const GuestClock::Message answer = guest.take();
    CHECK(answer.operation == GuestClock::ack);
    return answer.time;
  }
  void start_with_page() {
    guest.send(GuestClock::start);
    controller.serve();
    CHECK(guest.take().time == 1);  // the guest's number
    REQUIRE(guest.files.size() == 2);
    guest.page = static_cast<GuestClock::Page*>(
        ::mmap(nullptr, sizeof(GuestClock::Page), PROT_READ | PROT_WRITE, MAP_SHARED, guest.files[0].get(), 0));
    guest.page->client[1].capabilities = 1;
  }
  std::string refusal_of(std::uint32_t operation, std::uint64_t time = 0) {
    guest.send(operation, time);
    try {
      controller.serve();
    } catch (const GuestError& error) {
      return error.what();
    }
    return "accepted";
  }

  GuestClock guest;
  TimeController controller;
};

TEST_CASE("a guest with the shared page asks, waits and runs without acknowledgements") {
  Bench b;
  b.start_with_page();
  CHECK(b.controller.shares_page());
  CHECK(b.guest.page->version == 2);
  CHECK(b.guest.page->bytes >= 4096 + 2 * 128);
  CHECK(b.ask(GuestClock::tod) == 1'700'000'000'000'000'000);
  CHECK_FALSE(b.controller.waits());
  CHECK(b.controller.requested() == no_time);
  b.guest.page->now = 300;
  b.guest.request_time(1000);
  b.guest.send(GuestClock::wait);
  b.controller.serve();
  CHECK(b.controller.waits());
  CHECK(b.controller.now() == 300);
  CHECK(b.controller.requested() == 1000);
  b.controller.set_now(700);
  CHECK(b.guest.page->now == 700);
  CHECK(b.guest.page->running == 0);
  b.guest.request_time(700);  // an interrupt at 700
  CHECK(b.controller.requested() == 700);
  b.controller.run(900);
  CHECK_FALSE(b.controller.waits());
  CHECK(b.guest.take_turn() == 700);
  CHECK(b.guest.page->running == 1);
  CHECK(b.guest.page->free_until == 900);
  b.controller.lower_free_until(950);
  CHECK(b.guest.page->free_until == 900);
  b.controller.lower_free_until(750);
  CHECK(b.guest.page->free_until == 750);
}

TEST_CASE("a guest without the page gets an acknowledgement of each message") {
  Bench b;
  b.ask(GuestClock::start);
  CHECK_FALSE(b.controller.shares_page());
  b.ask(GuestClock::update, 250);
  CHECK(b.controller.now() == 250);
  CHECK(b.ask(GuestClock::get) == 250);
  b.ask(GuestClock::request, 5000);
  b.ask(GuestClock::request, 6000);  // replaces the first one
  b.ask(GuestClock::wait);
  CHECK(b.controller.waits());
  CHECK(b.controller.requested() == 6000);
  b.controller.set_now(6000);
  CHECK(b.ask(GuestClock::get) == 6000);
  b.controller.run(no_time);
  const GuestClock::Message run = b.guest.take();
  CHECK(run.operation == GuestClock::run);
  CHECK(run.time == 6000);
  b.guest.send(GuestClock::ack);
  b.controller.serve();
  CHECK(b.controller.requested() == no_time);
}

TEST_CASE("messages out of order are refused by name") {
  Bench b;
  SECTION("before the start") {
    CHECK(b.refusal_of(GuestClock::wait) == "guest: time message 3 before the clock's start");
  }
  b.ask(GuestClock::start);
  SECTION("a second start") { CHECK_THAT(b.refusal_of(GuestClock::start), ContainsSubstring("a second time")); }
  SECTION("an unknown message") { CHECK_THAT(b.refusal_of(77), ContainsSubstring("time message 77 is not known")); }
  SECTION("an acknowledgement of nothing") {
    CHECK_THAT(b.refusal_of(GuestClock::ack), ContainsSubstring("answers nothing"));
  }
  SECTION("a second wait") {
    b.ask(GuestClock::wait);
    CHECK_THAT(b.refusal_of(GuestClock::wait), ContainsSubstring("waits for time twice"));
  }
  SECTION("time that goes back") {
    b.ask(GuestClock::update, 100);
    CHECK_THAT(b.refusal_of(GuestClock::update, 99), ContainsSubstring("goes back from 100 ns to 99 ns"));
  }
}

}  // namespace
}  // namespace nandscape::host::guest
