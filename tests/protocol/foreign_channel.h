// SPDX-License-Identifier: Apache-2.0
// An external channel for the tests, written as another author might write it. The bus is an SC_THREAD that waits for
// the duration of each command's cycles.
#pragma once

#include <tlm_utils/peq_with_get.h>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "platform/blocks/channel_block.h"
#include "protocol/job_socket.h"
#include "protocol/simulated_time.h"

namespace nandscape {

class ThreadedBus final : public sc_core::sc_module, private JobForward<NandCommand> {
  using Payload = tlm::tlm_generic_payload;

 public:
  SC_HAS_PROCESS(ThreadedBus);
  ThreadedBus(const sc_core::sc_module_name& name, const channel::BusTiming& timing, std::uint32_t dies)
      : sc_module(name), timing_(timing) {
    socket.bind(static_cast<JobForward<NandCommand>&>(*this));
    for (std::uint32_t die = 0; die < dies; ++die) {
      dies_.push_back(std::make_unique<Die>(*this, ("die_" + std::to_string(die)).c_str()));
    }
    SC_THREAD(run);
  }

  JobTargetSocket<NandCommand> socket{"socket"};
  JobInitiatorSocket<NandCommand>& die_socket(DieInChannel die) { return dies_[die.value]->socket; }
  const channel::ChannelCounters& counters() const { return counters_; }

 private:
  struct Die final : private JobBackward<NandCommand> {
    Die(ThreadedBus& owner, const char* name) : bus(owner), socket(name) {
      socket.bind(static_cast<JobBackward<NandCommand>&>(*this));
    }
    tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
      if (phase == tlm::BEGIN_RESP) bus.response_comes(payload, delay);
      return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    ThreadedBus& bus;
    JobInitiatorSocket<NandCommand> socket;
  };

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    if (phase == tlm::END_RESP) {
      // Forwards END_RESP to the die within this call, because the controller may reuse the command when the call
      // returns.
      dies_[job_of<NandCommand>(payload).die.value]->socket->nb_transport_fw(payload, phase, delay);
      response_over_.notify(delay);
      return tlm::TLM_COMPLETED;
    }
    payload.acquire();
    requests_.notify(payload, delay);
    return tlm::TLM_ACCEPTED;
  }
  void b_transport(Payload&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }

  void response_comes(Payload& payload, const sc_core::sc_time& delay) { responses_.notify(payload, delay); }

  void run() {
    for (;;) {
      if (Payload* const request = requests_.get_next_transaction()) {
        send(*request);
      } else if (Payload* const response = responses_.get_next_transaction()) {
        fetch(*response);
      } else {
        wait(requests_.get_event() | responses_.get_event());
      }
    }
  }

  void send(Payload& payload) {
    NandCommand& command = job_of<NandCommand>(payload);
    const Tick takes = timing_.request(command);
    counters_.busy += takes;
    ++counters_.commands;
    wait(to_sc_time(takes));
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    const tlm::tlm_sync_enum status = dies_[command.die.value]->socket->nb_transport_fw(payload, phase, delay);
    if (status == tlm::TLM_COMPLETED) {
      call(payload, tlm::BEGIN_RESP);
      return payload.release();
    }
    call(payload, tlm::END_REQ);
  }

  void fetch(Payload& payload) {
    NandCommand& command = job_of<NandCommand>(payload);
    command.response_time = timing_.response(command);
    counters_.busy += command.response_time;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    call(payload, tlm::BEGIN_RESP);
    wait(response_over_);
    payload.release();
  }

  tlm::tlm_sync_enum call(Payload& payload, tlm::tlm_phase phase) {
    sc_core::sc_time delay;
    return socket->nb_transport_bw(payload, phase, delay);
  }

  const channel::BusTiming& timing_;
  std::vector<std::unique_ptr<Die>> dies_;
  tlm_utils::peq_with_get<Payload> requests_{"requests"};
  tlm_utils::peq_with_get<Payload> responses_{"responses"};
  sc_core::sc_event response_over_;
  channel::ChannelCounters counters_;
};

class ThreadedChannel final : public ChannelBlock {
 public:
  using Parameters = NoParameters;
  ThreadedChannel(const Parameters&, const ChannelContext& c) : bus_(c.name.c_str(), c.timing, c.dies) {}

  JobTargetSocket<NandCommand>& socket() override { return bus_.socket; }
  JobInitiatorSocket<NandCommand>& die_socket(DieInChannel die) override { return bus_.die_socket(die); }
  channel::ChannelCounters counters() const override { return bus_.counters(); }

 private:
  ThreadedBus bus_;
};

}  // namespace nandscape
