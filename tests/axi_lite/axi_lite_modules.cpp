// SPDX-License-Identifier: Apache-2.0
// Tests the AXI4-Lite adapter modules. Random accesses go from TLM to wires and back to TLM, to a memory, and are
// compared with a plain array. Another test connects a design that the adapter clocks internally, without wires.
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "axi_lite_design_module.h"
#include "axi_lite_memory.h"
#include "axi_lite_wires.h"
#include "catch.h"
#include "core/error.h"
#include "core/random.h"
#include "kernel.h"
#include "protocol/simulated_time.h"

namespace nandscape::rtl {
namespace {

using Payload = tlm::tlm_generic_payload;

constexpr std::uint64_t memory_bytes = AxiLiteMemory::bytes;
constexpr std::uint64_t failing_bytes =
    AxiLiteMemory::failing_to_here;  // slave error from memory_bytes up to this address; address error above it

void access_memory(std::array<unsigned char, memory_bytes>& bytes, Payload& payload) {
  const std::uint64_t address = payload.get_address();
  if (address >= failing_bytes) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (address >= memory_bytes) return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  for (unsigned int k = 0; k < payload.get_data_length(); ++k) {
    if (enables != nullptr && enables[k % payload.get_byte_enable_length()] == 0) continue;
    unsigned char& mine = bytes[address + k];
    unsigned char& theirs = payload.get_data_ptr()[k];
    payload.is_write() ? mine = theirs : theirs = mine;
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

// A memory with a random access time. It either waits for this time or adds it to `delay`, at random.
struct SlowMemory final : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
  explicit SlowMemory(const sc_core::sc_module_name& name) : sc_module(name) { target.bind(*this); }

  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    const Tick takes = random.below(longest + 1);
    random.below(2) == 0 ? sc_core::wait(to_sc_time(takes)) : void(delay += to_sc_time(takes));
    access_memory(bytes, payload);
    ++accesses;
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }

  tlm::tlm_target_socket<32> target{"target"};
  RandomStream random{1, "memory"};
  Tick longest = 60 * nanosecond;
  std::array<unsigned char, memory_bytes> bytes{};
  int accesses = 0;
};

// Runs the function of a test in a SystemC thread, from which it may make blocking accesses.
struct Script final : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
  SC_HAS_PROCESS(Script);
  Script(const sc_core::sc_module_name& name, std::function<void(Script&)> what)
      : sc_module(name), says(std::move(what)) {
    initiator.bind(*this);
    SC_THREAD(run);
  }
  void run() {
    says(*this);
    done = true;
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  struct Answer {
    tlm::tlm_response_status status;
    std::uint32_t data;
    Tick took;
  };
  Answer access(bool write, std::uint64_t address, std::uint32_t data, unsigned int length,
                unsigned char* enables = nullptr) {
    Payload payload;
    std::array<unsigned char, 8> bytes{};
    std::memcpy(bytes.data(), &data, sizeof data);
    payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    payload.set_byte_enable_ptr(enables);
    payload.set_byte_enable_length(enables == nullptr ? 0 : length);
    const Tick begin = to_ticks(sc_core::sc_time_stamp());
    sc_core::sc_time delay;
    initiator->b_transport(payload, delay);
    wait(delay);
    Answer answer{payload.get_response_status(), 0, to_ticks(sc_core::sc_time_stamp()) - begin};
    std::memcpy(&answer.data, bytes.data(), sizeof answer.data);
    return answer;
  }

  tlm::tlm_initiator_socket<32> initiator{"initiator"};
  std::function<void(Script&)> says;
  bool done = false;
};

// Makes `count` random accesses, and checks that they have the same results as accesses to a plain array.
void check_accesses(Script& script, int count, std::uint64_t seed) {
  RandomStream random(seed, "accesses");
  std::array<unsigned char, memory_bytes> model{};
  for (int k = 0; k < count; ++k) {
    const unsigned int length = 1u << random.below(3);
    const std::uint64_t address =
        (random.below(8) == 0 ? random.below(failing_bytes + memory_bytes) : random.below(32)) / length * length;
    const bool write = random.below(2) == 0;
    const auto data = static_cast<std::uint32_t>(random());
    std::array<unsigned char, 4> enables{};
    for (unsigned char& enable : enables) enable = random.below(3) == 0 ? TLM_BYTE_DISABLED : TLM_BYTE_ENABLED;
    unsigned char* const used = random.below(2) == 0 ? enables.data() : nullptr;

    std::array<unsigned char, 4> bytes{};
    std::memcpy(bytes.data(), &data, sizeof data);
    Payload expected;
    expected.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    expected.set_address(address);
    expected.set_data_ptr(bytes.data());
    expected.set_data_length(length);
    expected.set_byte_enable_ptr(used);
    expected.set_byte_enable_length(length);
    access_memory(model, expected);
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);

    const Script::Answer answer = script.access(write, address, data, length, used);
    CHECK(answer.status == expected.get_response_status());
    CHECK(answer.data == word);
  }
}

struct WireLoop {
  explicit WireLoop(std::function<void(Script&)> says)
      : script("script", std::move(says)),
        master("master", {.clock_mhz = 100, .watchdog_us = 2}),
        slave("slave"),
        memory("memory") {
    script.initiator.bind(master.target);
    wires.bind(master, slave);
    slave.initiator.bind(memory.target);
  }
  void run() {
    sc_core::sc_start(to_sc_time(10 * millisecond));
    CHECK(script.done);
  }

  Kernel kernel;
  Script script;
  AxiLiteMasterModule master;
  AxiLiteWires wires;
  AxiLiteSlaveModule slave;
  SlowMemory memory;
};

TEST_CASE("AXI4-Lite: a memory behind wires acts like the memory alone") {
  for (const Tick longest : {Tick{0}, 60 * nanosecond}) {
    WireLoop loop([](Script& script) { check_accesses(script, 600, 1); });
    loop.memory.longest = longest;
    loop.run();
  }
}

TEST_CASE("AXI4-Lite: a memory that is clocked internally acts like the memory alone") {
  Kernel kernel;
  AxiLiteDesignModule design("design", {.clock_mhz = 100}, std::make_unique<AxiLiteMemoryDesign>(1, 0));
  Script script("script", [](Script& s) { check_accesses(s, 600, 2); });
  script.initiator.bind(design.target);
  sc_core::sc_start(to_sc_time(10 * millisecond));
  CHECK(script.done);
}

// On wires, the slave answers one clock edge later than a design that is clocked internally, which answers in the cycle
// of the request.
TEST_CASE("AXI4-Lite: accesses take the expected cycles") {
  WireLoop loop([](Script& script) {
    sc_core::wait(to_sc_time(microsecond));
    for (const bool write : {true, false}) CHECK(script.access(write, 0, 0, 4).took == 3 * 10 * nanosecond);
  });
  loop.memory.longest = 0;
  loop.run();
  Kernel kernel;
  AxiLiteDesignModule design("design", {.clock_mhz = 100}, std::make_unique<AxiLiteMemoryDesign>(1, 0));
  Script inside("script", [](Script& script) {
    for (const bool write : {true, false}) CHECK(script.access(write, 0, 0, 4).took == 2 * 10 * nanosecond);
  });
  inside.initiator.bind(design.target);
  sc_core::sc_start(to_sc_time(microsecond));
  CHECK(inside.done);
}

TEST_CASE("AXI4-Lite: accesses that do not fit a word end with an error status") {
  WireLoop loop([](Script& script) {
    CHECK(script.access(false, 0, 0, 8).status == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(script.access(true, 2, 0, 4).status == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(script.access(true, 1, 0, 2).status == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(script.access(true, std::uint64_t{1} << 32, 0, 4).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(script.access(true, memory_bytes, 0, 4).status == tlm::TLM_GENERIC_ERROR_RESPONSE);
    CHECK(script.access(true, failing_bytes, 0, 4).status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
  loop.run();
  CHECK(loop.memory.accesses == 2);
}

TEST_CASE("AXI4-Lite: an access that a reset interrupts begins again") {
  std::optional<WireLoop> loop;
  loop.emplace([](Script& script) { check_accesses(script, 300, 3); });
  Script resets("resets", [&](Script&) {
    RandomStream random(3, "resets");
    for (int k = 0; k < 100; ++k) {
      sc_core::wait(to_sc_time(random.below(500 * nanosecond)));
      loop->master.reset();
    }
  });
  AxiLiteDesignModule unused("unused", {}, std::make_unique<AxiLiteMemoryDesign>(1, 0));
  resets.initiator.bind(unused.target);
  loop->run();
  CHECK(resets.done);
  CHECK(loop->memory.accesses > 300);
}

TEST_CASE("AXI4-Lite: a silent slave is an error in the caller") {
  std::string text;
  WireLoop loop([&](Script& script) {
    try {
      script.access(true, 0x10, 0, 4);
    } catch (const ProtocolError& error) {
      text = error.what();
    }
  });
  loop.memory.longest = millisecond;
  loop.run();
  CHECK_THAT(text, ContainsSubstring("master, write of 0x10: no handshake for 200 cycles (2.000000 us at 100.000000 "
                                     "MHz): bvalid stays low"));
}

TEST_CASE("AXI4-Lite: the error for an unbound port names it") {
  Kernel kernel;
  AxiLiteMasterModule master("master", {});
  Script script("script", [](Script&) {});
  script.initiator.bind(master.target);
  CHECK_THROWS_WITH(sc_core::sc_start(sc_core::SC_ZERO_TIME), ContainsSubstring("port not bound: port 'master.aclk'"));
}

}  // namespace
}  // namespace nandscape::rtl
