// SPDX-License-Identifier: Apache-2.0
// A guest without a kernel on a GuestMachine: the guest's side runs in a thread.
#include "host/guest/guest_machine.h"

#include <filesystem>
#include <map>
#include <thread>

#include "catch.h"
#include "core/calendar.h"
#include "core/interruption.h"
#include "fake_guest.h"
#include "host/guest/guest_error.h"

namespace nandscape::host::guest {
namespace {

constexpr Tick ns = 1000;

// A function with one register. A write to it reads the guest's memory at the written address, doubles what it finds,
// and sends an interrupt after a time. A read ends after 700 ns.
class Doubler final : public PciFunction {
 public:
  Doubler(Calendar& calendar, PciHost& host) : calendar_(calendar), host_(host) {}

  Tick config_read(std::uint32_t offset, std::span<std::byte> into, Tick now) override {
    std::ranges::fill(into, static_cast<std::byte>(offset));
    return now + 700 * ns;
  }
  Tick config_write(std::uint32_t offset, std::span<const std::byte>, Tick now) override {
    accesses.emplace_back("config " + std::to_string(offset), now);
    return now;
  }
  Tick memory_read(std::uint32_t bar, std::uint64_t offset, std::span<std::byte> into, Tick now) override {
    accesses.emplace_back("read " + std::to_string(bar) + " " + std::to_string(offset), now);
    std::ranges::fill(into, std::byte{0x5a});
    return now + 700 * ns;
  }
  Tick memory_write(std::uint32_t, std::uint64_t, std::span<const std::byte> from, Tick now) override {
    accesses.emplace_back("write of " + std::to_string(from.size()), now);
    if (from.size() == 8) {
      std::memcpy(&address_, from.data(), sizeof address_);
      calendar_.schedule<&Doubler::transfer>(now + delay, *this);
    }
    return now;
  }

  Tick delay = 5 * ns * 1000 + 1;  // a tick more than whole nanoseconds
  std::vector<std::pair<std::string, Tick>> accesses;
  std::vector<bool> transfers;

 private:
  void transfer() {
    std::uint64_t value = 0;
    const Tick now = calendar_.now();
    bool there = host_.dma_read(address_, std::as_writable_bytes(std::span(&value, 1)), now);
    value *= 2;
    there = there && host_.dma_write(address_, std::as_bytes(std::span(&value, 1)), now);
    transfers.push_back(there);
    host_.message(0xa0000, 33, now);
  }

  Calendar& calendar_;
  PciHost& host_;
  std::uint64_t address_ = 0;
};

struct CalendarTime final : DriveTime {
  explicit CalendarTime(Calendar& c) : calendar(c) {}
  Tick now() const override { return calendar.now(); }
  Tick next_event() const override { return calendar.next_time(); }
  void run(Tick limit) override {
    calendar.run_until(limit);
    if (calendar.stopped() && std::exchange(cancelled, false)) throw Interrupted();
    if (limit != never && !calendar.stopped()) calendar.advance(limit);
  }
  void stop() override { calendar.stop(); }
  Calendar& calendar;
  bool cancelled = false;  // the next run that an interrupt ends is cancelled
};

struct Bench {
  Bench() { machine->attach(function, time); }
  ~Bench() {
    if (kernel.joinable()) kernel.join();
  }

  static std::string folder() {
    std::string path = std::filesystem::temp_directory_path() / "nandscape-test-XXXXXX";
    return ::mkdtemp(path.data());
  }

  const std::string place = folder();
  Calendar calendar;
  std::unique_ptr<GuestMachine> machine =
      std::make_unique<GuestMachine>(GuestSockets{place + "/time", place + "/pci", place + "/console"}, 1);
  Doubler function{calendar, machine->host()};
  CalendarTime time{calendar};
  std::thread kernel;
};

// The kernel's side, connected.
struct FakeKernel {
  explicit FakeKernel(const Bench& b) : clock(connect_to(b.place + "/time")), pci(connect_to(b.place + "/pci")) {
    clock.start_with_page();
    pci.start(shared, std::array{&commands, &interrupts});
    for (std::uint16_t k = 0; k < DriverRing::entries; ++k) interrupts.offer(k, {}, 20);
    pci.kick(1);
  }

  struct Access {
    std::uint8_t operation, bar;
    std::uint16_t reserved;
    std::uint32_t bytes;
    std::uint64_t address;
  };
  std::vector<std::byte> access(const Access& access, std::uint64_t value = 0, std::size_t data = 0) {
    std::vector<std::byte> all(sizeof access + data);
    std::memcpy(all.data(), &access, sizeof access);
    std::memcpy(all.data() + sizeof access, &value, data);
    return all;
  }
  void at(std::uint64_t time) { clock.page->now = time; }
  // Reads as Linux does: polls in steps of 1 us.
  std::uint64_t read(std::uint8_t operation, std::uint64_t address, std::uint32_t bytes) {
    const std::uint16_t before = commands.used_index();
    const std::uint64_t place = commands.offer(0, access({operation, 0, 0, bytes, address}), bytes);
    pci.kick(0);
    while (commands.used_index() == before) step(clock.page->now + 1000);
    std::uint64_t value = 0;
    std::memcpy(&value, shared.at(place), bytes);
    return value;
  }
  void write(std::uint64_t value, std::size_t bytes = 8) {
    commands.offer(4, access({4, 0, 0, static_cast<std::uint32_t>(bytes), 8}, value, bytes), 0);
    pci.kick(0);
  }
  // Lets time pass as a busy kernel does.
  void step(std::uint64_t to) {
    if (to < clock.page->free_until) return at(to);
    clock.request_time(to);
    at(clock.wait_for_turn());
  }
  // Sleeps until an interrupt, and returns its time.
  std::uint64_t sleep_until_interrupt(std::uint32_t queue = 1) {
    clock.request_time(INT64_MAX);
    clock.send(GuestClock::wait);
    CHECK(pci.take_call() == queue);
    clock.request_time(clock.page->now);
    pci.answer_call();
    return clock.take_turn();
  }

  SharedMemory shared;
  DriverRing commands{shared}, interrupts{shared};
  GuestClock clock;
  VhostDriver pci;
};

TEST_CASE("accesses, transfers and interrupts happen at the times of the guest's clock") {
  Bench b;
  std::uint64_t read_at = 0, interrupted_at = 0, read = 0, doubled = 0, number = 0;
  b.kernel = std::thread([&] {
    FakeKernel k(b);
    k.step(250);
    read = k.read(3, 28, 4);
    read_at = k.clock.page->now;
    const std::uint64_t place = k.shared.take(8);
    *reinterpret_cast<std::uint64_t*>(k.shared.at(place)) = 21;
    k.at(2000);
    k.write(place);
    interrupted_at = k.sleep_until_interrupt();
    doubled = *reinterpret_cast<std::uint64_t*>(k.shared.at(place));
    number = k.interrupts.used_bytes(0);
  });
  CHECK(b.machine->run() == GuestMachine::End::gone);
  b.kernel.join();
  CHECK(read == 0x5a5a5a5a);
  CHECK(read_at == 1250);         // ends at 950 ns; Linux looks after 1 us
  CHECK(interrupted_at == 7001);  // the next whole nanosecond
  CHECK(doubled == 42);
  CHECK(number == 20);
  CHECK(b.function.accesses ==
        std::vector<std::pair<std::string, Tick>>{{"read 0 28", 250 * ns}, {"write of 8", 2000 * ns}});
  CHECK(b.function.transfers == std::vector<bool>{true});
  CHECK(b.calendar.now() == 7001 * ns);
  CHECK_THAT(b.machine->last_words(), ContainsSubstring("closed the"));
  CHECK(b.machine->counters().interrupts == 1);
  CHECK(b.machine->counters().register_reads == 1);
}

TEST_CASE("a cancelled run continues as if nothing had happened") {
  Bench b;
  std::uint64_t interrupted_at = 0;
  b.kernel = std::thread([&] {
    FakeKernel k(b);
    k.step(250);
    k.write(k.shared.take(8));
    interrupted_at = k.sleep_until_interrupt();
  });
  b.time.cancelled = true;
  CHECK_THROWS_AS(b.machine->run(), Interrupted);
  CHECK(b.machine->run() == GuestMachine::End::gone);
  b.kernel.join();
  CHECK(interrupted_at == 5251);
}

TEST_CASE("a running guest may go up to the calendar's next event, and no further") {
  Bench b;
  std::uint64_t before = 0, after = 0;
  b.kernel = std::thread([&] {
    FakeKernel k(b);
    k.step(100);
    before = k.clock.page->free_until;
    k.write(k.shared.take(8));
    after = k.clock.page->free_until;
  });
  b.machine->run();
  b.kernel.join();
  CHECK(before == INT64_MAX);
  CHECK(after == 100 + 5001);
}

TEST_CASE("DMA outside the guest's memory fails, and is counted") {
  Bench b;
  b.kernel = std::thread([&] {
    FakeKernel k(b);
    k.step(10);
    k.write(SharedMemory::address + SharedMemory::bytes - 4);
    k.sleep_until_interrupt();
  });
  b.machine->run();
  b.kernel.join();
  CHECK(b.function.transfers == std::vector<bool>{false});
  CHECK(b.machine->counters().refused_dma == 1);
}

TEST_CASE("without power, reads return ones, writes are lost, and the guest's time goes on") {
  Bench b;
  std::uint64_t read = 0, slept_to = 0, read_with_power = 0;
  b.machine->detach();
  b.kernel = std::thread([&] {
    FakeKernel k(b);
    k.step(250);
    read = k.read(3, 28, 4);
    k.write(k.shared.take(8));
    k.step(5'000'000);
    slept_to = k.clock.page->now;
    read_with_power = k.read(3, 28, 4);
  });
  CHECK(b.machine->run(1'000'000) == GuestMachine::End::limit);
  CHECK(b.machine->now() == 1'000'000);
  CHECK(b.calendar.now() == 0);
  b.machine->attach(b.function, b.time);
  CHECK(b.machine->run() == GuestMachine::End::gone);
  b.kernel.join();
  CHECK(read == 0xffff'ffff);
  CHECK(slept_to == 5'000'000);
  CHECK(read_with_power == 0x5a5a5a5a);
  CHECK(b.function.accesses.front().second == 4'000'000 * ns);
}

TEST_CASE("time that passes for the drive between two runs does not pass for the guest") {
  Bench b;
  b.kernel = std::thread([&] {
    FakeKernel k(b);
    k.step(1000);
    k.step(3000);
    k.write(0, 4);
  });
  CHECK(b.machine->run(2000) == GuestMachine::End::limit);
  CHECK(b.calendar.now() == 2000 * ns);
  b.calendar.advance(second);
  CHECK(b.machine->run() == GuestMachine::End::gone);
  b.kernel.join();
  CHECK(b.function.accesses.front().second == second + 1000 * ns);
}

TEST_CASE("Linux is called for its posted writes before their queue is full") {
  Bench b;
  b.kernel = std::thread([&] {
    FakeKernel k(b);
    for (int n = 0; n < 64; ++n) {
      k.step(10 * (n + 1));
      k.write(0, 4);
    }
    k.sleep_until_interrupt(0);
  });
  CHECK(b.machine->run() == GuestMachine::End::gone);
  b.kernel.join();
  CHECK(b.function.accesses.size() == 64);
}

TEST_CASE("a guest that breaks the protocol ends the run with an error") {
  Bench b;
  std::string expected;
  FakeKernel::Access wrong{};
  std::size_t data = 0;
  SECTION("an operation") {
    wrong = {9, 0, 0, 4, 0};
    expected = "PCI operation 9";
  }
  SECTION("a length") {
    wrong = {3, 0, 0, 1u << 20, 0};
    expected = "a PCI access to 1048576 bytes";
  }
  SECTION("a read without room") {
    wrong = {1, 0, 0, 8, 0};
    expected = "a PCI read of 8 bytes into a buffer of 4";
  }
  SECTION("a write without data") {
    wrong = {4, 0, 0, 8, 0};
    data = 4;
    expected = "a PCI write of 8 bytes with only 4";
  }
  b.kernel = std::thread([&] {
    try {
      FakeKernel k(b);
      k.commands.offer(0, k.access(wrong, 0, data), data == 0 ? 4 : 0);
      k.pci.kick(0);
    } catch (const std::exception&) {
    }
  });
  CHECK_THROWS_WITH(b.machine->run(), ContainsSubstring(expected));
  b.machine.reset();  // ends the kernel's wait
}

TEST_CASE("a guest and a drive that wait for each other are an error, not a hang") {
  Bench b;
  b.kernel = std::thread([&] {
    try {
      FakeKernel k(b);
      k.clock.request_time(INT64_MAX);
      k.clock.wait_for_turn();
    } catch (const std::exception&) {
    }
  });
  CHECK_THROWS_WITH(b.machine->run(), ContainsSubstring("waits forever"));
  b.machine.reset();
}

TEST_CASE("lines go to the guest's console and come back") {
  Bench b;
  b.kernel = std::thread([&] {
    FakeKernel k(b);
    SharedMemory shared;
    DriverRing input(shared), output(shared);
    VhostDriver console(connect_to(b.place + "/console"));
    console.start(shared, std::array{&input, &output});
    const std::uint64_t place = input.offer(0, {}, 64);
    console.kick(0);
    output.offer(0, std::as_bytes(std::span("ready\r\nhal", 10)), 0);
    console.kick(1);
    k.clock.request_time(INT64_MAX);
    k.clock.send(GuestClock::wait);
    CHECK(console.take_call() == 0);
    k.clock.request_time(k.clock.page->now);
    console.answer_call();
    k.clock.take_turn();
    CHECK(std::string(reinterpret_cast<char*>(shared.at(place)), input.used_bytes(0)) == "run 1\n");
    output.offer(1, std::as_bytes(std::span("f\ndone\n", 7)), 0);
    console.kick(1);
    k.step(k.clock.page->now + 10);
  });
  CHECK(b.machine->run() == GuestMachine::End::line);
  CHECK(b.machine->take_line() == "ready");
  CHECK_FALSE(b.machine->take_line());
  b.machine->send("run 1");
  CHECK(b.machine->run() == GuestMachine::End::line);
  CHECK(b.machine->take_line() == "half");
  CHECK(b.machine->take_line() == "done");
  CHECK(b.machine->run() == GuestMachine::End::gone);
}

}  // namespace
}  // namespace nandscape::host::guest
