// SPDX-License-Identifier: Apache-2.0
// The cycle classes of AXI4-Lite against each other, with handshakes that are held back at random, and a master against
// slaves that break the rules.
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "catch.h"
#include "core/error.h"
#include "core/random.h"
#include "rtl/axi/axi_lite_master.h"
#include "rtl/axi/axi_lite_slave.h"

namespace nandscape::rtl {
namespace {

// A memory of 2 KiB that answers after a while. The 2 KiB behind it fail, and nothing is behind these.
class Memory final : private AxiLiteSlave::Owner {
 public:
  explicit Memory(std::uint64_t seed) : random_(seed, "memory") {}

  AxiLiteSlave slave{*this};
  int latency = 0;  // cycles, up to

  void clock() {
    for (std::optional<Pending>* const pending : {&write_, &read_}) {
      if (!*pending || (*pending)->left-- > 0) continue;
      slave.answer(accessed((*pending)->access));
      pending->reset();
    }
  }
  void reset() {
    slave.reset();
    write_.reset();
    read_.reset();
  }

  // What an access of that memory comes to.
  AxiLiteAccess accessed(AxiLiteAccess access) {
    if (access.address >= 0x1000) {
      access.response = AxiResponse::decerr;
    } else if (access.address >= 0x800) {
      access.response = AxiResponse::slverr;
    } else if (access.write) {
      for (unsigned int k = 0; k < 4; ++k) {
        if ((access.strobes >> k & 1) != 0)
          bytes_[access.address + k] = static_cast<std::uint8_t>(access.data >> 8 * k);
      }
    } else {
      access.data = 0;
      for (unsigned int k = 0; k < 4; ++k) access.data |= std::uint32_t{bytes_[access.address + k]} << 8 * k;
    }
    return access;
  }

 private:
  struct Pending {
    AxiLiteAccess access;
    std::uint64_t left;
  };
  void access_begins(const AxiLiteAccess& access) override {
    (access.write ? write_ : read_) = Pending{access, random_.below(static_cast<std::uint64_t>(latency) + 1)};
  }

  RandomStream random_;
  std::map<std::uint32_t, std::uint8_t> bytes_;
  std::optional<Pending> write_;
  std::optional<Pending> read_;
};

// A master, a memory, and wires that hold each channel back in some cycles: neither side sees the other's half of the
// handshake then.
struct Loop {
  explicit Loop(std::uint64_t seed) : memory(seed), random(seed, "wires") {}

  void cycle() {
    AxiLiteMasterPins m = master.pins();
    AxiLiteSlavePins s = memory.slave.pins();
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
    memory.slave.clock(m);
    memory.clock();
  }

  AxiLiteMaster master{"platform.registers", Clock(100), ticks_from_us(1)};
  Memory memory;
  RandomStream random;
  double flow = 1;
};

AxiLiteAccess random_access(RandomStream& random) {
  return {.write = random.below(2) == 0,
          .address = static_cast<std::uint32_t>(random.below(8) == 0 ? random.below(0x600) * 4 : random.below(16) * 4),
          .data = static_cast<std::uint32_t>(random()),
          .strobes = static_cast<std::uint8_t>(random.below(16))};
}

TEST_CASE("a memory behind AXI4-Lite is that memory, whatever is held back") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Loop loop(seed);
    Memory reference(seed);
    RandomStream random(seed, "accesses");
    loop.flow = 0.2 + 0.8 * random.uniform();
    loop.memory.latency = static_cast<int>(random.below(6));
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
  Loop loop(1);
  for (const bool write : {true, false}) {
    loop.master.begin({.write = write});
    while (!loop.master.ended()) loop.cycle();
    CHECK(loop.master.cycles() == 2);
  }
}

TEST_CASE("a reset in the middle of an access leaves nothing behind") {
  Loop loop(3);
  loop.flow = 0.6;
  loop.memory.latency = 3;
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

TEST_CASE("slaves that are silent, or speak unasked, are named") {
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
             ContainsSubstring("bvalid comes without a write whose address and data have been taken"));
  CHECK_THAT(text_of(read, [](int) { return AxiLiteSlavePins{.rvalid = true}; }),
             ContainsSubstring("rvalid comes without a read"));
  CHECK_THAT(text_of(read, [](int) { return AxiLiteSlavePins{.bvalid = true, .arready = true}; }),
             ContainsSubstring("bvalid comes without a write"));
}

}  // namespace
}  // namespace nandscape::rtl
