// SPDX-License-Identifier: Apache-2.0
// Accesses the registers of a design from TLM in two ways. In the first, the TLM call itself clocks the design. In the
// second, the design is connected by AXI4-Lite signals. Prints the data, the response and the duration of each access.
// Fails unless both ways return the same data and responses.
#include <array>
#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

#include "axi_lite_memory.h"
#include "axi_lite_wires.h"
#include "protocol/simulated_time.h"

namespace {

using namespace nandscape;

struct Access {
  bool write;
  std::uint32_t address;
  std::uint32_t data;
  unsigned int bytes;
};
constexpr std::array<Access, 7> accesses{{{true, 0x10, 0x11223344, 4},
                                          {false, 0x10, 0, 4},
                                          {true, 0x13, 0xaa, 1},
                                          {false, 0x12, 0, 2},
                                          {false, 0x10, 0, 4},
                                          {true, AxiLiteMemory::bytes, 0, 4},
                                          {false, AxiLiteMemory::failing_to_here, 0, 4}}};

struct Answer {
  std::uint32_t data;
  tlm::tlm_response_status response;
  Tick took;
};

// Makes the accesses one after the other, by blocking calls.
class Processor final : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  SC_HAS_PROCESS(Processor);
  explicit Processor(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.bind(*this);
    SC_THREAD(run);
  }

  tlm::tlm_initiator_socket<32> socket{"socket"};
  std::vector<Answer> answers;

 private:
  void run() {
    wait(to_sc_time(microsecond));  // the resets have ended by then
    for (const Access& access : accesses) {
      std::array<unsigned char, 4> bytes{};
      for (unsigned int k = 0; k < access.bytes; ++k) bytes[k] = static_cast<unsigned char>(access.data >> 8 * k);
      tlm::tlm_generic_payload payload;
      payload.set_command(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
      payload.set_address(access.address);
      payload.set_data_ptr(bytes.data());
      payload.set_data_length(access.bytes);
      payload.set_streaming_width(access.bytes);
      const sc_core::sc_time begin = sc_core::sc_time_stamp();
      sc_core::sc_time delay;
      socket->b_transport(payload, delay);
      wait(delay);
      std::uint32_t data = 0;
      for (unsigned int k = 0; k < access.bytes; ++k) data |= std::uint32_t{bytes[k]} << 8 * k;
      answers.push_back({data, payload.get_response_status(), to_ticks(sc_core::sc_time_stamp() - begin)});
    }
  }

  // Required by the interface, but not called: this initiator makes only blocking calls.
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

const char* name_of(tlm::tlm_response_status response) {
  switch (response) {
    case tlm::TLM_OK_RESPONSE: return "OKAY";
    case tlm::TLM_ADDRESS_ERROR_RESPONSE: return "DECERR";
    default: return "SLVERR";
  }
}

std::unique_ptr<ClockedAxiLite> registers() { return std::make_unique<AxiLiteMemoryDesign>(1, 0); }

int run() {
  const AxiLiteTiming timing{.clock_mhz = 100};
  Processor near("near");
  AxiLiteDesignModule inside("inside", timing, registers());
  near.socket.bind(inside.target);

  Processor far("far");
  AxiLiteMasterModule master("master", timing);
  AxiLiteWires wires;
  AxiLiteSlaveModule slave("slave");
  AxiLiteDesignModule behind("behind", timing, registers());
  far.socket.bind(master.target);
  wires.bind(master, slave);
  slave.initiator.bind(behind.target);

  sc_core::sc_start(to_sc_time(millisecond));

  std::printf("access bytes address     data response  inside ps  on wires ps\n");
  bool same = near.answers.size() == accesses.size() && far.answers.size() == accesses.size();
  for (std::size_t k = 0; same && k < accesses.size(); ++k) {
    const Answer& a = near.answers[k];
    const Answer& b = far.answers[k];
    same = a.data == b.data && a.response == b.response;
    std::printf("%-6s %5u  0x%04x %08x %-8s %10llu %12llu\n", accesses[k].write ? "write" : "read", accesses[k].bytes,
                accesses[k].address, b.data, name_of(b.response), static_cast<unsigned long long>(a.took),
                static_cast<unsigned long long>(b.took));
  }
  std::puts(same ? "The same data and responses." : "Data or responses differ.");
  return same ? 0 : 1;
}

}  // namespace

int sc_main(int, char**) {
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "axi_lite: %s\n", error.what());
    return 1;
  }
}
