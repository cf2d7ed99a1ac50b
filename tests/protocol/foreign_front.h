// SPDX-License-Identifier: Apache-2.0
// An external front end and an external host for the tests. They forward every access through a SystemC process, as a
// bridge by another author might do. The built-in blocks do the work behind these processes, so the drive behaves as
// usual.
#pragma once

#include <tlm_utils/peq_with_get.h>
#include <array>
#include <cstring>
#include <deque>
#include <memory>
#include <systemc>
#include <tlm>

#include "host/memory/host_memory.h"
#include "host/memory/host_memory_module.h"
#include "platform/blocks/front_end_block.h"
#include "platform/blocks/host_block.h"
#include "protocol/immediate_target.h"
#include "protocol/simulated_time.h"

namespace nandscape {

// Connects two register sockets. Forwards reads within the call, and forwards each write at its time from an SC_METHOD.
class RegisterRelay final : public sc_core::sc_module,
                            public ImmediateTarget,
                            public tlm::tlm_fw_transport_if<>,
                            private tlm::tlm_bw_transport_if<> {
  using Payload = tlm::tlm_generic_payload;

 public:
  SC_HAS_PROCESS(RegisterRelay);
  explicit RegisterRelay(const sc_core::sc_module_name& name) : sc_module(name) {
    target.bind(*this);
    initiator.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    SC_METHOD(pass_on);
    sensitive << arrivals_.get_event();
    dont_initialize();
  }

  tlm::tlm_target_socket<32> target{"target"};
  tlm::tlm_initiator_socket<32> initiator{"initiator"};
  bool immediate() const override { return has_immediate_target(initiator); }
  bool at_work() const { return under_way_ != 0; }

 private:
  struct Write {
    Payload payload;
    std::array<unsigned char, 8> bytes;
  };

  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    if (!payload.is_write()) return initiator->b_transport(payload, delay);
    Write& write = writes_.emplace_back();
    write.payload.deep_copy_from(payload);
    write.payload.set_data_ptr(write.bytes.data());
    std::memcpy(write.bytes.data(), payload.get_data_ptr(), payload.get_data_length());
    arrivals_.notify(write, delay);
    ++under_way_;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  void pass_on() {
    while (Write* const write = arrivals_.get_next_transaction()) {
      sc_core::sc_time delay;
      initiator->b_transport(write->payload, delay);
      --under_way_;
    }
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload& payload) override { return initiator->transport_dbg(payload); }
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  std::deque<Write> writes_;
  int under_way_ = 0;
  tlm_utils::peq_with_get<Write> arrivals_{"arrivals"};
};

// Connects two DMA sockets. Forwards each phase at its time from an SC_METHOD.
class DmaRelay final : public sc_core::sc_module,
                       private tlm::tlm_fw_transport_if<>,
                       private tlm::tlm_bw_transport_if<> {
  using Payload = tlm::tlm_generic_payload;

 public:
  SC_HAS_PROCESS(DmaRelay);
  explicit DmaRelay(const sc_core::sc_module_name& name) : sc_module(name) {
    target.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    initiator.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    SC_METHOD(pass_on);
    sensitive << requests_.get_event();
    dont_initialize();
    SC_METHOD(pass_back);
    sensitive << responses_.get_event();
    dont_initialize();
  }

  tlm::tlm_target_socket<32> target{"target"};
  tlm::tlm_initiator_socket<32> initiator{"initiator"};
  bool at_work() const { return under_way_ != 0; }

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    if (phase == tlm::END_RESP) {
      end(payload);
      return tlm::TLM_COMPLETED;
    }
    payload.acquire();
    ++under_way_;
    requests_.notify(payload, delay);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void pass_on() {
    while (Payload* const payload = requests_.get_next_transaction()) {
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay;
      if (initiator->nb_transport_fw(*payload, phase, delay) == tlm::TLM_COMPLETED) responses_.notify(*payload, delay);
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    if (phase == tlm::BEGIN_RESP) responses_.notify(payload, delay);
    return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
  void pass_back() {
    while (Payload* const payload = responses_.get_next_transaction()) {
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay;
      if (target->nb_transport_bw(*payload, phase, delay) == tlm::TLM_COMPLETED) end(*payload);
    }
  }
  void end(Payload& payload) {
    --under_way_;
    payload.release();
  }
  void b_transport(Payload&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  tlm_utils::peq_with_get<Payload> requests_{"requests"};
  tlm_utils::peq_with_get<Payload> responses_{"responses"};
  int under_way_ = 0;
};

class RelayedFrontEnd final : public FrontEndBlock {
 public:
  using Parameters = NoParameters;
  RelayedFrontEnd(const Parameters&, const FrontEndContext& c)
      : nvme_(c.name.c_str(), c.calendar, c.parameters, c.device, c.keeps_data, c.link) {
    registers_.initiator.bind(nvme_.registers);
    nvme_.dma.bind(dma_.target);
  }

  bool at_work() const override { return registers_.at_work() || dma_.at_work(); }
  bool persists() const override { return true; }
  tlm::tlm_target_socket<32>& registers() override { return registers_.target; }
  tlm::tlm_initiator_socket<32>& dma() override { return dma_.initiator; }
  void host_lost() override { nvme_.controller().host_lost(); }
  void persist_lasting(Archive& archive, Tick now) override { nvme_.controller().persist(archive, now); }

 private:
  RegisterRelay registers_{"register_relay"};
  DmaRelay dma_{"dma_relay"};
  host::NvmeModule nvme_;
};

// Forwards accesses to a memory. The b_transport of this module waits for the delay instead of passing it on.
class WaitingMemory final : public sc_core::sc_module,
                            private tlm::tlm_fw_transport_if<>,
                            private tlm::tlm_bw_transport_if<> {
  using Payload = tlm::tlm_generic_payload;

 public:
  explicit WaitingMemory(const sc_core::sc_module_name& name) : sc_module(name) {
    target.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    initiator.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  }

  tlm::tlm_target_socket<32> target{"target"};
  tlm::tlm_initiator_socket<32> initiator{"initiator"};

 private:
  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    initiator->b_transport(payload, delay);
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload& payload) override { return initiator->transport_dbg(payload); }
  tlm::tlm_sync_enum nb_transport_bw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

class RelayedHost final : public HostBlock {
 public:
  using Parameters = NoParameters;
  RelayedHost(const Parameters&, const HostContext& c)
      : memory_(std::uint64_t{16} << 30),
        driver_("driver", c.calendar, c.parameters.driver, memory_),
        memory_module_("memory", c.calendar, memory_, driver_.driver()) {
    driver_.registers.bind(registers_.target);
    waiting_.initiator.bind(memory_module_.target);
  }

  bool at_work() const override { return registers_.at_work(); }
  bool persists() const override { return true; }  // it has no persistent state
  tlm::tlm_initiator_socket<32>& registers() override { return registers_.initiator; }
  tlm::tlm_target_socket<32>& memory() override { return waiting_.target; }
  host::Driver* driver() override { return &driver_.driver(); }

 private:
  RegisterRelay registers_{"register_relay"};
  WaitingMemory waiting_{"waiting_memory"};
  host::HostMemory memory_;
  host::DriverModule driver_;
  host::HostMemoryModule memory_module_;
};

}  // namespace nandscape
