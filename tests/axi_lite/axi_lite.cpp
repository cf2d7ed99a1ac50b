// SPDX-License-Identifier: Apache-2.0
// Tests AxiLiteMaster connected to AxiLiteMemory under random back-pressure, and the errors that the master reports for
// slaves that break the protocol.
#include <functional>
#include <string>

#include "axi_lite_master.h"
#include "axi_lite_memory.h"
#include "catch.h"
#include "core/error.h"
#include "core/random.h"

namespace nandscape::rtl {
namespace {

// Connects a master to a memory. In random cycles it clears valid and ready of a channel on both sides, so that no
// handshake takes place on this channel.
struct Loop {
  Loop(std::uint64_t seed, std::uint64_t latency) : memory(seed, latency), random(seed, "wires") {}

  void cycle() {
    AxiLiteMasterPins m = master.pins();
    AxiLiteSlavePins s = memory.pins();
    const auto hold = [&](bool& valid, bool& ready) {
      if (random.uniform() < flow) return;
      valid = ready = false;
    };
    hold(m.awvalid, s.awready);
    hold(m.wvalid, s.wready);
    hold(s.bvalid, m.bready);
    hold(m.arvalid, s.arready);
    hold(s.rvalid, m.rready);
    master.clock(s);
    memory.clock(m);
  }

  AxiLiteMaster master{"platform.registers", Clock(100), ticks_from_us(1)};
  AxiLiteMemory memory;
  RandomStream random;
  double flow = 1;
};

AxiLiteAccess random_access(RandomStream& random) {
  return {.write = random.below(2) == 0,
          .address = static_cast<std::uint32_t>(random.below(8) == 0 ? random.below(0x600) * 4 : random.below(16) * 4),
          .data = static_cast<std::uint32_t>(random()),
          .strobes = static_cast<std::uint8_t>(random.below(16))};
}

TEST_CASE("a memory behind AXI4-Lite behaves the same under any back-pressure") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomStream random(seed, "accesses");
    Loop loop(seed, random.below(6));
    AxiLiteMemory reference(seed, 0);
    loop.flow = 0.2 + 0.8 * random.uniform();
    int failed = 0;
    for (int k = 0; k < 500; ++k) {
      AxiLiteAccess access = random_access(random);
      loop.master.begin(access);
      while (!loop.master.ended()) loop.cycle();
      const AxiLiteAccess expected = reference.accessed(access);
      failed += expected.response != AxiResponse::okay;
      CHECK(loop.master.access().response == expected.response);
      if (expected.response == AxiResponse::okay) CHECK(loop.master.access() == expected);
    }
    CHECK(failed > 10);
  }
}

TEST_CASE("an access without back-pressure takes a cycle for the request and one for the response") {
  Loop loop(1, 0);
  for (const bool write : {true, false}) {
    loop.master.begin({.write = write});
    while (!loop.master.ended()) loop.cycle();
    CHECK(loop.master.cycles() == 2);
  }
}

TEST_CASE("a reset during an access leaves no trace") {
  Loop loop(3, 3);
  loop.flow = 0.6;
  RandomStream random(3, "accesses");
  for (int k = 0; k < 500; ++k) {
    AxiLiteAccess cut = random_access(random);
    cut.strobes = 0;
    loop.master.begin(cut);
    for (std::uint64_t left = random.below(8); left > 0 && !loop.master.ended(); --left) loop.cycle();
    loop.master.reset();
    loop.memory.reset();
    const auto data = static_cast<std::uint32_t>(random());
    for (const bool write : {true, false}) {
      loop.master.begin({.write = write, .address = 0x40, .data = write ? data : 0});
      while (!loop.master.ended()) loop.cycle();
    }
    CHECK(loop.master.access().data == data);
  }
}

// The address may point to any byte of a word. The byte lanes still belong to the whole word, and the strobes select
// the bytes to be written.
TEST_CASE("a byte address accesses its word") {
  Loop loop(1, 0);
  const auto run = [&](const AxiLiteAccess& access) {
    loop.master.begin(access);
    while (!loop.master.ended()) loop.cycle();
    return loop.master.access().data;
  };
  run({.write = true, .address = 0x20, .data = 0x11223344});
  run({.write = true, .address = 0x23, .data = 0xaabbccdd, .strobes = 0x8});
  CHECK(run({.address = 0x20}) == 0xaa223344);
  CHECK(run({.address = 0x21}) == 0xaa223344);
}

TEST_CASE("errors name slaves that are silent or respond unasked") {
  AxiLiteMaster master("platform.registers", Clock(100), ticks_from_us(1));
  const auto text_of = [&](const AxiLiteAccess& access, const std::function<AxiLiteSlavePins(int)>& slave) {
    master.reset();
    master.begin(access);
    try {
      for (int cycle = 0; !master.ended(); ++cycle) master.clock(slave(cycle));
    } catch (const ProtocolError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const AxiLiteAccess write{.write = true, .address = 0x24}, read{.address = 0x24};
  CHECK_THAT(text_of(write, [](int) { return AxiLiteSlavePins{}; }),
             ContainsSubstring("platform.registers, write of 0x24: no handshake for 100 cycles (1.000000 us at "
                               "100.000000 MHz): awready and wready stay low"));
  CHECK_THAT(text_of(write, [](int) { return AxiLiteSlavePins{.awready = true}; }),
             ContainsSubstring(": wready stays low"));
  CHECK_THAT(text_of(write, [](int) { return AxiLiteSlavePins{.awready = true, .wready = true}; }),
             ContainsSubstring(": bvalid stays low"));
  CHECK_THAT(text_of(read, [](int) { return AxiLiteSlavePins{}; }), ContainsSubstring(": arready stays low"));
  CHECK_THAT(text_of(read, [](int) { return AxiLiteSlavePins{.arready = true}; }),
             ContainsSubstring(": rvalid stays low"));
  CHECK_THAT(text_of(write, [](int) { return AxiLiteSlavePins{.awready = true, .bvalid = true}; }),
             ContainsSubstring("bvalid comes without a write whose address and data have been accepted"));
  CHECK_THAT(text_of(read, [](int) { return AxiLiteSlavePins{.rvalid = true}; }),
             ContainsSubstring("rvalid comes without a read"));
  CHECK_THAT(text_of(read, [](int) { return AxiLiteSlavePins{.bvalid = true, .arready = true}; }),
             ContainsSubstring("bvalid comes without a write"));
}

}  // namespace
}  // namespace nandscape::rtl
