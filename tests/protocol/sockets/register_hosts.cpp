// SPDX-License-Identifier: Apache-2.0
// Tests register accesses with every kind of host. An external host uses phases or b_transport, from a thread that may
// run ahead of SystemC. It brings the drive up, writes data and reads them back. The data and the times must be the
// same for each kind of access and at every quantum, with and without the link. The built-in driver makes different
// accesses, so all kinds are compared with the first kind and not with the driver.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <systemc>
#include <tlm>
#include <vector>

#include "catch.h"
#include "core/random.h"
#include "fakes/fake_storage.h"
#include "host/memory/host_memory_module.h"
#include "host/nvme/nvme_module.h"
#include "host/pcie/pcie_link_module.h"
#include "kernel.h"
#include "platform/wiring/calendar_module.h"
#include "protocol/protocol_checker.h"

// This header needs SystemC, but does not include it.
#include <tlm_utils/tlm_quantumkeeper.h>

namespace nandscape::host {
namespace {

namespace reg = nvme::reg;
using Payload = tlm::tlm_generic_payload;

enum class Style {
  blocking,         // b_transport without a delay; waits for the returned delay
  decoupled,        // b_transport with a delay: runs as far ahead of SystemC as the quantum keeper allows
  phases,           // BEGIN_REQ; BEGIN_RESP is answered with TLM_COMPLETED
  phases_returned,  // the same, but BEGIN_RESP is answered with TLM_UPDATED and END_RESP
  phases_called,    // the same, but BEGIN_RESP is answered with TLM_ACCEPTED, and END_RESP is a separate call
  phases_ahead      // the same, and BEGIN_REQ has a delay
};

struct Host final : sc_core::sc_module, tlm::tlm_bw_transport_if<>, tlm::tlm_mm_interface, InterruptSink {
  SC_HAS_PROCESS(Host);
  static constexpr std::uint32_t entries = 16;

  Host(const sc_core::sc_module_name& name, Calendar& c, HostMemory& m, Style s)
      : sc_module(name), calendar(c), memory(m), style(s) {
    registers.bind(*this);
    keeper.reset();
    SC_THREAD(run);
  }

  // --- one access in the style of the host; for the host, the access has ended when the function returns

  void access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned length) {
    Payload& payload = payload_of_my_own;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    switch (style) {
      case Style::blocking: {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        registers->b_transport(payload, delay);
        wait(delay);
        break;
      }
      case Style::decoupled: {
        sc_core::sc_time delay = keeper.get_local_time();
        registers->b_transport(payload, delay);
        keeper.set(delay);
        if (keeper.need_sync()) keeper.sync();
        break;
      }
      default: by_phases(payload); break;
    }
    CHECK(payload.is_response_ok());
    ends.push_back(local_time());
  }
  void by_phases(Payload& payload) {
    payload.acquire();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = keeper.get_local_time();
    const tlm::tlm_sync_enum answer = registers->nb_transport_fw(payload, phase, delay);
    REQUIRE(answer == tlm::TLM_UPDATED);
    REQUIRE(phase == tlm::END_REQ);
    wait(responded);
    keeper.reset();
    if (calls_end()) {
      phase = tlm::END_RESP;
      delay = sc_core::SC_ZERO_TIME;
      registers->nb_transport_fw(payload, phase, delay);
    }
    payload.release();
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    REQUIRE(phase == tlm::BEGIN_RESP);
    responded.notify(delay);
    if (calls_end()) return tlm::TLM_ACCEPTED;
    if (style == Style::phases) return tlm::TLM_COMPLETED;
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }
  bool calls_end() const { return style == Style::phases_called || style == Style::phases_ahead; }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void free(Payload*) override { ++freed; }

  Tick local_time() const { return to_ticks(keeper.get_current_time()); }
  // Models a computation of the host that lasts for the given time.
  void spend(Tick time) {
    if (style == Style::decoupled || style == Style::phases_ahead) {
      keeper.inc(to_sc_time(time));
    } else {
      wait(to_sc_time(time));
    }
  }

  template <class T = std::uint32_t>
  T read(std::uint64_t address) {
    T value = 0;
    access(tlm::TLM_READ_COMMAND, address, &value, sizeof value);
    return value;
  }
  template <class T>
  void write(std::uint64_t address, T value) {
    access(tlm::TLM_WRITE_COMMAND, address, &value, sizeof value);
  }

  // --- a small driver

  void interrupt(std::uint32_t) override {
    interrupts.push_back(calendar.now());
    interrupted.notify(annotated_delay(calendar));
    ++told;
  }
  void wait_for_interrupts(std::uint32_t count) {
    while (told < count) {
      wait(interrupted);
      keeper.reset();
    }
    told -= count;
  }

  void push(std::uint64_t queue, std::uint32_t& tail, nvme::SubmissionEntry entry) {
    entry.command_id = next_id++;
    memory.write(queue + tail * 64, std::as_bytes(std::span(&entry, 1)));
    tail = (tail + 1) % entries;
  }
  void admin(nvme::AdminOpcode opcode, std::uint32_t cdw10, std::uint32_t cdw11, std::uint64_t prp1) {
    nvme::SubmissionEntry e;
    e.opcode = static_cast<std::uint8_t>(opcode);
    e.cdw10 = cdw10;
    e.cdw11 = cdw11;
    e.prp1 = prp1;
    push(queues[0], tails[0], e);
    write(reg::submission_tail(0), tails[0]);
    wait_for_interrupts(1);
    write(reg::completion_head(0), tails[0]);
  }

  void bring_up() {
    CHECK((read<std::uint64_t>(reg::cap) & 0xffff) == 1023);
    CHECK(read<std::uint16_t>(reg::vs + 2) == 1);
    for (std::uint32_t vector = 0; vector < 2; ++vector) {
      write<std::uint64_t>(reg::msix_table + vector * 16, HostMemory::interrupt_window);
      write<std::uint64_t>(reg::msix_table + vector * 16 + 8, vector);
    }
    for (std::uint64_t& queue : queues) queue = memory.reserve(4096, 4096);
    write<std::uint32_t>(reg::aqa, (entries - 1) << 16 | (entries - 1));
    write<std::uint64_t>(reg::asq, queues[0]);
    write<std::uint64_t>(reg::acq, queues[1]);
    write<std::uint32_t>(reg::cc, nvme::cc::enable | 6u << 16 | 4u << 20);
    while ((read(reg::csts) & nvme::csts::ready) == 0) spend(microsecond);
    admin(nvme::AdminOpcode::create_io_cq, (entries - 1) << 16 | 1, 1u << 16 | 3, queues[3]);
    admin(nvme::AdminOpcode::create_io_sq, (entries - 1) << 16 | 1, 1u << 16 | 1, queues[2]);
  }

  // Executes several commands at the same time. Each command uses one page of host memory.
  void io(nvme::IoOpcode opcode, std::span<const std::uint32_t> first, std::uint64_t buffer) {
    for (std::uint32_t k = 0; k < first.size(); ++k) {
      nvme::SubmissionEntry e;
      e.opcode = static_cast<std::uint8_t>(opcode);
      e.nsid = 1;
      e.cdw10 = first[k];
      e.cdw12 = 7;
      e.prp1 = buffer + k * 4096;
      push(queues[2], tails[1], e);
      spend(300 * nanosecond);
      if (k % 2 == 1) write(reg::submission_tail(1), tails[1]);
    }
    wait_for_interrupts(static_cast<std::uint32_t>(first.size()));
    write(reg::completion_head(1), tails[1]);
  }

  void run() {
    wait(to_sc_time(777));
    bring_up();
    RandomStream random(1, "addresses");
    const std::uint64_t from = memory.reserve(16384, 4096), into = memory.reserve(16384, 4096);
    for (std::uint32_t round = 0; round < 20; ++round) {
      std::vector<std::byte> given(16384), found(16384);
      for (std::byte& byte : given) byte = static_cast<std::byte>(random.below(256));
      std::array<std::uint32_t, 4> first{};
      for (std::uint32_t k = 0; k < 4; ++k) first[k] = 8 * (4 * static_cast<std::uint32_t>(random.below(250)) + k);
      memory.write(from, given);
      io(nvme::IoOpcode::write, first, from);
      io(nvme::IoOpcode::read, first, into);
      memory.read(into, found);
      CHECK(found == given);
    }
    finished = true;
  }

  Calendar& calendar;
  HostMemory& memory;
  const Style style;
  tlm::tlm_initiator_socket<32> registers{"registers"};
  tlm_utils::tlm_quantumkeeper keeper;
  Payload payload_of_my_own{this};
  sc_core::sc_event responded, interrupted;
  std::uint32_t told = 0;
  std::array<std::uint64_t, 4> queues{};
  std::array<std::uint32_t, 2> tails{};
  std::uint16_t next_id = 0;
  std::vector<Tick> ends;        // ends of accesses, in the host's time
  std::vector<Tick> interrupts;  // times of the interrupts, in the calendar's time
  int freed = 0;
  bool finished = false;
};

struct Ticks {
  std::vector<Tick> accesses, interrupts;
  bool operator==(const Ticks&) const = default;
};

// Bound to the link's register sockets when they are unused.
struct DummyRegisters final : sc_core::sc_module, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<> {
  explicit DummyRegisters(const sc_core::sc_module_name& name) : sc_module(name) {
    in.bind(*this);
    out.bind(*this);
  }
  void b_transport(Payload&, sc_core::sc_time&) override {}
  tlm::tlm_sync_enum nb_transport_fw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  tlm::tlm_target_socket<32> in{"in"};
  tlm::tlm_initiator_socket<32> out{"out"};
};

Ticks times(Style style, bool behind_the_link, Tick quantum) {
  Kernel kernel;
  const sc_core::sc_time before = tlm::tlm_global_quantum::instance().get();
  if (style == Style::decoupled) tlm::tlm_global_quantum::instance().set(to_sc_time(quantum));
  Calendar calendar;
  CalendarModule driver("calendar", calendar, quantum);
  driver.limit_lookahead(0);
  HostMemory memory(std::uint64_t{1} << 30);
  FakeStorage storage(calendar, 4096, 4096, 1, 9 * microsecond);
  Host host("host", calendar, memory, style);
  HostMemoryModule memory_module("memory", calendar, memory, host);
  PcieLinkModule link("link", calendar, {});
  NvmeModule nvme("nvme", calendar, {}, storage, true);
  ProtocolChecker<> in("checker_in"), out("checker_out"), dma("checker_dma");
  std::optional<DummyRegisters> unused;
  host.registers.bind(in.target);
  if (behind_the_link) {
    in.initiator.bind(link.registers_in);
    link.registers_out.bind(out.target);
    out.initiator.bind(nvme.registers);
  } else {
    in.initiator.bind(nvme.registers);
    link.registers_out.bind(out.target);
    unused.emplace("unused");
    out.initiator.bind(unused->in);
    unused->out.bind(link.registers_in);
  }
  nvme.dma.bind(dma.target);
  dma.initiator.bind(link.dma_in);
  link.dma_out.bind(memory_module.target);
  sc_core::sc_start(to_sc_time(100 * millisecond));
  CHECK(host.finished);
  CHECK(in.outstanding_histories() == "");
  const bool by_phases = style != Style::blocking && style != Style::decoupled;
  CHECK(host.freed == (by_phases ? static_cast<int>(host.ends.size()) : 0));
  tlm::tlm_global_quantum::instance().set(before);
  return {host.ends, host.interrupts};
}

TEST_CASE("registers: every host gets the same data at the same ticks") {
  const bool behind_the_link = GENERATE(true, false);
  const Ticks expected = times(Style::blocking, behind_the_link, 0);
  CHECK(expected.interrupts.size() == 2 + 20 * 8);
  const Tick quantum = GENERATE(Tick{0}, microsecond, millisecond);
  const Style style = GENERATE(Style::blocking, Style::decoupled, Style::phases, Style::phases_returned,
                               Style::phases_called, Style::phases_ahead);
  CAPTURE(behind_the_link, quantum, static_cast<int>(style));
  CHECK(times(style, behind_the_link, quantum) == expected);
}

}  // namespace
}  // namespace nandscape::host
