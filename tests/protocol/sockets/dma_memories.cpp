// SPDX-License-Identifier: Apache-2.0
// Tests DMA transfers over the link with every kind of memory and every kind of device. An external memory may wait in
// b_transport or return a delay; transfers must include this time. The device may end responses in any way that TLM-2.0
// allows, and may call from the calendar or from a thread that runs ahead of SystemC. The times must be the same at
// every quantum.
#include <tlm_utils/peq_with_get.h>
#include <cstring>
#include <memory>
#include <vector>

#include "catch.h"
#include "host/pcie/pcie_link_module.h"
#include "kernel.h"
#include "platform/wiring/calendar_module.h"
#include "protocol/protocol_checker.h"

namespace nandscape::host {
namespace {

using Payload = tlm::tlm_generic_payload;

constexpr Tick access_takes = 700 * nanosecond;

enum class Takes { nothing, waits, returns_delay };

struct Memory : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
  Memory(const sc_core::sc_module_name& name, Takes how) : sc_module(name), takes(how) { socket.bind(*this); }

  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    if (takes == Takes::waits) {
      wait(delay + to_sc_time(access_takes));
      delay = sc_core::SC_ZERO_TIME;
    } else if (takes == Takes::returns_delay) {
      delay += to_sc_time(access_takes);
    }
    unsigned char* const here = bytes + payload.get_address();
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), here, payload.get_data_length());
    if (payload.is_write()) std::memcpy(here, payload.get_data_ptr(), payload.get_data_length());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }

  tlm::tlm_target_socket<32> socket{"socket"};
  const Takes takes;
  unsigned char bytes[256] = {};
};

struct ImmediateMemory final : Memory, ImmediateTarget {
  using Memory::Memory;
  bool immediate() const override { return true; }
};

// How the device answers BEGIN_RESP: by TLM_COMPLETED, by returning END_RESP, or by calling with END_RESP later.
enum class Ends { completed, returned, called };

// A device that writes data to memory and reads them back. It sends the requests from the calendar, or from its own
// thread ahead of SystemC.
struct Device final : sc_core::sc_module, tlm::tlm_bw_transport_if<>, tlm::tlm_mm_interface {
  SC_HAS_PROCESS(Device);
  Device(const sc_core::sc_module_name& name, Calendar& c, bool thread, Ends how)
      : sc_module(name), calendar(c), ends(how) {
    socket.bind(*this);
    SC_METHOD(end);
    dont_initialize();
    sensitive << responses.get_event();
    if (thread) {
      SC_THREAD(run);
    } else {
      calendar.schedule<&Device::begin>(microsecond, *this);
    }
  }

  void run() {
    send(write, tlm::TLM_WRITE_COMMAND, to_sc_time(microsecond));
    send(read, tlm::TLM_READ_COMMAND, to_sc_time(microsecond));
  }
  void begin(std::uint64_t) {
    send(write, tlm::TLM_WRITE_COMMAND, annotated_delay(calendar));
    send(read, tlm::TLM_READ_COMMAND, annotated_delay(calendar));
  }
  void send(Payload& payload, tlm::tlm_command command, sc_core::sc_time delay) {
    payload.set_command(command);
    payload.set_address(64);
    payload.set_data_ptr(command == tlm::TLM_READ_COMMAND ? found : given);
    payload.set_data_length(sizeof given);
    payload.set_streaming_width(sizeof given);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    payload.acquire();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    socket->nb_transport_fw(payload, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    CHECK(payload.is_response_ok());
    (payload.is_read() ? read_at : written_at) = to_ticks(sc_core::sc_time_stamp() + delay);
    if (ends == Ends::called) {
      responses.notify(payload, delay);
      return tlm::TLM_ACCEPTED;
    }
    payload.release();
    if (ends == Ends::completed) return tlm::TLM_COMPLETED;
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }
  void end() {
    while (Payload* const payload = responses.get_next_transaction()) {
      tlm::tlm_phase phase = tlm::END_RESP;
      sc_core::sc_time delay;
      socket->nb_transport_fw(*payload, phase, delay);
      payload->release();
    }
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void free(Payload*) override { ++freed; }

  Calendar& calendar;
  const Ends ends;
  tlm_utils::peq_with_get<Payload> responses{"responses"};
  tlm::tlm_initiator_socket<32> socket{"socket"};
  Payload write{this}, read{this};
  unsigned char given[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  unsigned char found[8] = {};
  Tick written_at = never;
  Tick read_at = never;
  int freed = 0;
};

std::vector<Tick> times(Takes takes, bool immediate, bool thread, Ends ends, Tick quantum) {
  Kernel kernel;
  Calendar calendar;
  CalendarModule driver("calendar", calendar, quantum);
  driver.limit_lookahead(0);
  PcieLinkModule link("link", calendar, {});
  std::unique_ptr<Memory> memory;
  if (immediate) {
    memory = std::make_unique<ImmediateMemory>("memory", takes);
  } else {
    memory = std::make_unique<Memory>("memory", takes);
  }
  Device device("device", calendar, thread, ends);
  ProtocolChecker<> checker("checker");
  device.socket.bind(link.dma_in);
  link.dma_out.bind(checker.target);
  checker.initiator.bind(memory->socket);
  struct Registers final : sc_core::sc_module, tlm::tlm_bw_transport_if<>, tlm::tlm_fw_transport_if<> {
    explicit Registers(const sc_core::sc_module_name& name) : sc_module(name) {
      to_link.bind(*this);
      from_link.bind(*this);
    }
    tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
      return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    tlm::tlm_sync_enum nb_transport_fw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
      return tlm::TLM_COMPLETED;
    }
    void b_transport(Payload&, sc_core::sc_time&) override {}
    bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(Payload&) override { return 0; }
    tlm::tlm_initiator_socket<32> to_link{"to_link"};
    tlm::tlm_target_socket<32> from_link{"from_link"};
  } registers("registers");
  registers.to_link.bind(link.registers_in);
  link.registers_out.bind(registers.from_link);
  sc_core::sc_start(to_sc_time(millisecond));
  CHECK(std::memcmp(device.found, device.given, sizeof device.given) == 0);
  CHECK(device.freed == 2);
  return {device.written_at, device.read_at};
}

TEST_CASE("DMA: the time of a memory counts, whether it waits or returns a delay, at the same ticks") {
  const Tick quantum = GENERATE(Tick{0}, microsecond, millisecond);
  const bool thread = GENERATE(false, true);
  const Ends ends = GENERATE(Ends::completed, Ends::returned, Ends::called);
  CAPTURE(quantum, thread, static_cast<int>(ends));
  const std::vector<Tick> at_once = times(Takes::nothing, true, thread, ends, quantum);
  CHECK(times(Takes::nothing, false, thread, ends, quantum) == at_once);
  const std::vector<Tick> waits = times(Takes::waits, false, thread, ends, quantum);
  CHECK(waits[0] == at_once[0] + access_takes);
  CHECK(waits[1] >= at_once[1] + access_takes);
  CHECK(times(Takes::returns_delay, false, thread, ends, quantum) == waits);
  CHECK(times(Takes::waits, false, false, Ends::completed, 0) == waits);
}

}  // namespace
}  // namespace nandscape::host
