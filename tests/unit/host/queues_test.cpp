// SPDX-License-Identifier: Apache-2.0
// Tests the controller's registers, queues, arbitration, interrupts, reset and shutdown.
#include <cstdlib>
#include <map>

#include "catch.h"
#include "unit/host/controller_harness.h"

using namespace nandscape;
using namespace nandscape::host;
using nvme::IoOpcode;
using nvme::Status;
namespace reg = nvme::reg;

namespace {

void push_reads(ControllerHarness& h, ControllerHarness::Queue& queue, int count, std::uint64_t data,
                std::uint16_t first_id = 0) {
  for (int k = 0; k < count; ++k) {
    auto e = h.io(IoOpcode::read, static_cast<std::uint64_t>(k), 1, data);
    e.command_id = static_cast<std::uint16_t>(first_id + k);
    h.push(queue, e);
  }
}

}  // namespace

TEST_CASE("registers report capabilities and state") {
  ControllerHarness h;
  CHECK((h.read(reg::cap) & 0xffff) == 1023);
  CHECK((h.read(reg::cap) >> 16 & 1) == 1);
  CHECK((h.read(reg::cap) >> 17 & 3) == 0);
  CHECK((h.read(reg::cap + 4) & 1u << 5) != 0);
  CHECK(h.read(reg::vs) == 0x10400);
  CHECK(h.read(reg::csts) == 0);
  h.enable();
  CHECK(h.read(reg::csts) == nvme::csts::ready);
  CHECK(h.read(reg::aqa) == (15u << 16 | 15));
  h.write(reg::intms, 6);
  h.write(reg::intmc, 2);
  CHECK(h.read(reg::intms) == 4);
  h.write(reg::cc, 0);
  CHECK(h.read(reg::csts) == nvme::csts::ready);  // must stay set until no transfer is in flight
  h.run();
  CHECK(h.read(reg::csts) == 0);
}

TEST_CASE("a register read sees earlier writes, even those still in flight") {
  ControllerHarness h;
  h.controller.write_register(reg::aqa, 0x000f'000f, h.calendar.now() + microsecond);
  CHECK(h.controller.peek_register(reg::aqa) == 0);
  CHECK(h.read(reg::aqa) == 0x000f'000f);
  h.run();
  CHECK(h.read(reg::aqa) == 0x000f'000f);
}

TEST_CASE("unsupported settings and unreadable queues are fatal") {
  SECTION("an arbitration mechanism that CAP does not offer") {
    ControllerHarness h;
    h.enable(ControllerHarness::enable_value | 1u << 11);
    CHECK((h.read(reg::csts) & nvme::csts::fatal) != 0);
  }
  SECTION("a memory page past CAP.MPSMAX") {
    ControllerHarness h;
    h.enable(ControllerHarness::enable_value | 9u << 7);
    CHECK((h.read(reg::csts) & nvme::csts::fatal) != 0);
  }
  SECTION("an admin submission queue outside of memory") {
    ControllerHarness h;
    h.write(reg::aqa, 15u << 16 | 15);
    h.write(reg::asq + 4, 0x100);
    h.write(reg::cc, ControllerHarness::enable_value);
    h.run();
    CHECK(h.read(reg::csts) == nvme::csts::ready);
    h.write(reg::submission_tail(0), 1);
    h.run();
    CHECK((h.read(reg::csts) & nvme::csts::fatal) != 0);
  }
}

TEST_CASE("rings wrap, the phase tag toggles with each round, and SQHD follows") {
  ControllerHarness h;
  h.enable();
  auto queue = h.create_queue(1, 5);
  const std::uint64_t data = h.memory.reserve(4096, 4096);
  for (std::uint32_t k = 1; k <= 23; ++k) {
    const auto entry = h.execute(queue, h.io(IoOpcode::read, 0, 1, data));
    CHECK(entry.sq_head == k % 5);
    CHECK(entry.sq_id == 1);
    CHECK(nvme::phase_of(entry) == ((k - 1) / 5 % 2 == 0));
  }
}

TEST_CASE("completions wait while their queue is full, and are posted in order when the host frees entries") {
  ControllerHarness h;
  h.enable();
  // The completion queue has room for three entries, the submission queue for sixteen.
  auto small = h.make_queue(2, 4);
  h.check(h.command(nvme::AdminOpcode::create_io_cq, 3u << 16 | 2, 2u << 16 | 3, small.completions));
  auto wide = h.make_queue(2, 16);
  h.check(h.command(nvme::AdminOpcode::create_io_sq, 15u << 16 | 2, 2u << 16 | 1, wide.submissions));
  const std::uint64_t data = h.memory.reserve(4096, 4096);
  push_reads(h, wide, 10, data);
  h.ring(wide);
  h.run();
  std::uint16_t expected = 0;
  for (const int round : {3, 3, 3, 1}) {
    const auto entries = h.reap(small);
    REQUIRE(entries.size() == static_cast<std::size_t>(round));
    for (const auto& entry : entries) CHECK(entry.command_id == expected++);
    h.run();
  }
  CHECK(h.controller.counters().completions_held_back == 7);
}

TEST_CASE("a head doorbell takes effect when it arrives, not when it is sent") {
  ControllerHarness h;
  h.enable();
  auto queue = h.create_queue(1, 2);  // one completion at a time
  auto wide = h.make_queue(2, 16);
  h.check(h.command(nvme::AdminOpcode::create_io_sq, 15u << 16 | 2, 1u << 16 | 1, wide.submissions));
  push_reads(h, wide, 2, h.memory.reserve(4096, 4096));
  h.ring(wide);
  h.run();
  REQUIRE(h.reap(queue, false).size() == 1);
  const Tick arrival = h.calendar.now() + microsecond;
  h.controller.write_register(reg::completion_head(1), queue.head, arrival);
  h.calendar.run_until(arrival - 1);
  CHECK(h.reap(queue, false).empty());
  h.calendar.run_until(arrival);
  CHECK(h.reap(queue, false).size() == 1);
}

TEST_CASE("round robin gives each queue its burst") {
  NvmeParameters p;
  p.arbitration_burst = 1;  // two commands
  p.fetches = 1;
  ControllerHarness h(p);
  h.enable();
  auto first = h.create_queue(1, 64);
  auto second = h.create_queue(2, 64);
  const std::uint64_t data = h.memory.reserve(4096, 4096);
  push_reads(h, first, 8, data);
  push_reads(h, second, 8, data);
  h.device.log.clear();
  h.ring(first);
  h.ring(second);
  h.run();
  REQUIRE(h.device.log.size() == 16);
  // The doorbell of the first queue arrives first. This queue gets a turn before the controller knows of the second
  // queue.
  for (std::size_t k = 0; k < 2; ++k) CHECK(h.device.log[k].stream == 0);
  for (std::size_t k = 2; k < 14; ++k) CHECK(h.device.log[k].stream == (k - 2) / 2 % 2);
}

TEST_CASE("weighted round robin: urgent first, then shares by weight") {
  NvmeParameters p;
  p.arbitration = ArbitrationMechanism::weighted_round_robin;
  p.arbitration_burst = 0;
  p.fetches = 1;
  ControllerHarness h(p);
  h.enable(ControllerHarness::enable_value | 1u << 11);
  CHECK(h.read(reg::csts) == nvme::csts::ready);
  // Sets the weights 4 for high, 2 for medium and 1 for low priority. The fields contain the weight minus 1.
  h.check(h.command(nvme::AdminOpcode::set_features, 1, 3u << 24 | 1u << 16 | 0u << 8 | 0));
  std::vector<ControllerHarness::Queue> queues;
  for (std::uint16_t id = 1; id <= 4; ++id) queues.push_back(h.create_queue(id, 256, id - 1u));
  const std::uint64_t data = h.memory.reserve(4096, 4096);
  for (auto& queue : queues) push_reads(h, queue, queue.id == 1 ? 10 : 140, data);
  h.device.log.clear();
  for (auto queue = queues.rbegin(); queue != queues.rend(); ++queue) h.ring(*queue);
  h.run();
  REQUIRE(h.device.log.size() == 430);
  // The doorbell of the low-priority queue arrived first. Its first command was fetched before the controller knew of
  // the others.
  CHECK(h.device.log[0].stream == 3);
  for (std::size_t k = 1; k <= 10; ++k) CHECK(h.device.log[k].stream == 0);
  std::map<std::uint16_t, int> share;
  for (std::size_t k = 11; k < 11 + 140; ++k) ++share[h.device.log[k].stream];
  // Each access must have the priority class of its queue. Here the queue numbers follow the classes.
  for (const PageAccess& access : h.device.log) CHECK(static_cast<std::uint16_t>(access.priority) == access.stream);
  CHECK(std::abs(share[1] - 80) <= 1);
  CHECK(std::abs(share[2] - 40) <= 1);
  CHECK(std::abs(share[3] - 20) <= 1);
}

TEST_CASE("commands wait in their queue when all slots are in use") {
  NvmeParameters p;
  p.command_slots = 4;
  ControllerHarness h(p, millisecond);
  h.enable();
  auto queue = h.create_queue(1, 64);
  push_reads(h, queue, 10, h.memory.reserve(4096, 4096));
  h.device.log.clear();
  h.ring(queue);
  h.run_for(100 * microsecond);
  CHECK(h.device.log.size() == 4);
  h.run();
  CHECK(h.device.log.size() == 10);
  CHECK(h.reap(queue).size() == 10);
}

TEST_CASE("interrupts follow completions, are masked, and can be coalesced") {
  ControllerHarness h;
  h.enable();
  auto queue = h.create_queue(1, 64);
  const std::uint64_t data = h.memory.reserve(4096, 4096);
  push_reads(h, queue, 3, data);
  h.ring(queue);
  h.run();
  REQUIRE(h.port.interrupts.size() == 2);
  CHECK(h.port.interrupts[1] == 3);
  h.reap(queue);

  h.write(reg::msix_table + 16 + 12, 1);
  push_reads(h, queue, 2, data);
  h.ring(queue);
  h.run();
  CHECK(h.port.interrupts[1] == 3);
  h.write(reg::msix_table + 16 + 12, 0);
  h.run();
  CHECK(h.port.interrupts[1] == 4);  // a single interrupt for all completions in the meantime
  h.reap(queue);

  // Coalesces interrupts until there are four completions or 200 us have passed.
  h.check(h.command(nvme::AdminOpcode::set_features, 8, 2u << 8 | 3));
  push_reads(h, queue, 6, data);
  h.ring(queue);
  h.run_for(100 * microsecond);
  CHECK(h.port.interrupts[1] == 5);
  h.run_for(150 * microsecond);
  CHECK(h.port.interrupts[1] == 6);
  h.reap(queue);

  h.check(h.command(nvme::AdminOpcode::set_features, 9, 1u << 16 | 1));  // CD: this vector is not coalesced
  push_reads(h, queue, 2, data);
  h.ring(queue);
  h.run();
  CHECK(h.port.interrupts[1] == 8);
}

TEST_CASE("a command identifier in use is refused, and the command that holds it continues") {
  ControllerHarness h({}, millisecond);
  h.enable();
  auto queue = h.create_queue(1, 16);
  auto other = h.create_queue(2, 16);
  const std::uint64_t data = h.memory.reserve(4096, 4096);
  const auto send = [&](ControllerHarness::Queue& to, std::uint16_t id) {
    auto e = h.io(IoOpcode::read, 0, 8, data);
    e.command_id = id;
    h.push(to, e);
    h.ring(to);
    h.run_for(10 * microsecond);
  };
  for (const std::uint16_t id : {std::uint16_t{0}, std::uint16_t{63}, std::uint16_t{0xffff}}) {
    CAPTURE(id);
    send(queue, id);
    CHECK(h.reap(queue).empty());
    for (int again = 0; again < 2; ++again) {
      send(queue, id);
      const auto entries = h.reap(queue);
      REQUIRE(entries.size() == 1);
      CHECK(nvme::status_of(entries[0]) == Status::command_id_conflict);
      CHECK(entries[0].command_id == id);
    }
    send(other, id);  // identifiers are separate per queue
    CHECK(h.reap(other).empty());
    h.run();
    for (ControllerHarness::Queue* each : {&queue, &other}) {
      const auto entries = h.reap(*each);
      REQUIRE(entries.size() == 1);
      CHECK(nvme::status_of(entries[0]) == Status::success);
    }
    send(queue, id);  // free again
    h.run();
    const auto entries = h.reap(queue);
    REQUIRE(entries.size() == 1);
    CHECK(nvme::status_of(entries[0]) == Status::success);
  }
}

TEST_CASE("a reset drops all commands and leaves a working controller") {
  ControllerHarness h({}, millisecond);
  h.enable();
  auto queue = h.create_queue(1, 16);
  const std::uint64_t data = h.memory.reserve(16384, 4096);
  push_reads(h, queue, 5, data);
  auto write = h.io(IoOpcode::write, 0, 8, data);
  write.command_id = 100;
  h.push(queue, write);
  h.ring(queue);
  h.run_for(150 * nanosecond);  // the entries have been fetched, and the data of the write are in flight
  h.write(reg::cc, 0);
  h.run();
  CHECK(h.read(reg::csts) == 0);
  CHECK(h.reap(queue).empty());

  h.enable();
  auto again = h.create_queue(1, 16);
  CHECK(h.status(again, h.io(IoOpcode::read, 0, 8, data)) == Status::success);
}

TEST_CASE("a reset during a fetch of entries") {
  ControllerHarness h;
  h.enable();
  auto queue = h.create_queue(1, 16);
  const std::uint64_t data = h.memory.reserve(4096, 4096);
  push_reads(h, queue, 5, data);
  h.device.log.clear();
  h.ring(queue);
  h.run_for(50 * nanosecond);
  h.write(reg::cc, 0);
  h.run();
  CHECK(h.device.log.empty());
  h.enable();
  auto again = h.create_queue(1, 16);
  CHECK(h.status(again, h.io(IoOpcode::read, 0, 8, data)) == Status::success);
}

TEST_CASE("shutdown notification flushes the device") {
  ControllerHarness h({}, millisecond);
  h.enable();
  h.device.log.clear();
  h.write(reg::cc, ControllerHarness::enable_value | nvme::cc::shutdown_normal);
  h.run_for(microsecond);
  CHECK((h.read(reg::csts) & nvme::csts::shutdown_mask) == nvme::csts::shutdown_occurring);
  h.run();
  CHECK((h.read(reg::csts) & nvme::csts::shutdown_mask) == nvme::csts::shutdown_complete);
  REQUIRE(h.device.log.size() == 1);
  CHECK(h.device.log[0].kind == AccessKind::flush);
}
