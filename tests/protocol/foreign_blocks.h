// SPDX-License-Identifier: Apache-2.0
// External blocks for the tests, written as another author might write them. They have their own processes, payload
// queues and SystemC events, and use none of this project's port classes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include <tlm_utils/peq_with_get.h>
#include <systemc>
#include <tlm>

#include "ecc/engine.h"
#include "nand/die_module.h"
#include "platform/blocks/channel_block.h"
#include "platform/blocks/die_block.h"
#include "platform/blocks/ecc_engine_block.h"
#include "protocol/job_socket.h"
#include "protocol/simulated_time.h"

namespace nandscape {

using Payload = tlm::tlm_generic_payload;

// Counts its living instances. Each thread has an instance on its stack, so a test sees whether the stacks are unwound.
struct Counted {
  Counted() { ++alive; }
  ~Counted() { --alive; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  static inline int alive = 0;
};

// The encoder or the decoder of an ECC engine. One thread accepts jobs, and another thread returns them.
class ThreadedSide final : public sc_core::sc_module, private JobForward<EccJob> {
 public:
  SC_HAS_PROCESS(ThreadedSide);
  ThreadedSide(const sc_core::sc_module_name& name, ecc::EccEngine& engine) : sc_module(name), engine_(engine) {
    socket.bind(*this);
    SC_THREAD(take);
    SC_THREAD(give_back);
  }

  JobTargetSocket<EccJob> socket{"socket"};
  bool deaf = false;  // accepts requests and never answers them
  // if not zero: every job is accepted at once, and its response is announced this long ahead
  sc_core::sc_time announced;

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    payload.acquire();
    if (announced != sc_core::SC_ZERO_TIME) {
      const Tick now = to_ticks(sc_core::sc_time_stamp() + delay);
      const Tick done = engine_.accept(job_of<EccJob>(payload), now);
      results_.notify(payload, delay + to_sc_time(done - now) - announced);
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }
    requests_.notify(payload, delay);
    return tlm::TLM_ACCEPTED;
  }
  void b_transport(Payload&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }

  void call(Payload& payload, tlm::tlm_phase phase) {
    sc_core::sc_time delay = announced;
    socket->nb_transport_bw(payload, phase, delay);
  }

  void take() {
    const Counted counted;
    for (;;) {
      Payload* payload = requests_.get_next_transaction();
      if (payload == nullptr || deaf) {
        wait(requests_.get_event());
        continue;
      }
      EccJob& job = job_of<EccJob>(*payload);
      const Tick now = to_ticks(sc_core::sc_time_stamp());
      const Tick room = engine_.room(job.kind, now, job.code);
      if (room > now) wait(to_sc_time(room - now));
      const Tick begin = to_ticks(sc_core::sc_time_stamp());
      const Tick done = engine_.accept(job, begin);
      call(*payload, tlm::END_REQ);
      results_.notify(*payload, to_sc_time(done - begin));
    }
  }

  void give_back() {
    const Counted counted;
    for (;;) {
      Payload* payload = results_.get_next_transaction();
      if (payload == nullptr) {
        wait(results_.get_event());
        continue;
      }
      payload->set_response_status(tlm::TLM_OK_RESPONSE);
      call(*payload, tlm::BEGIN_RESP);
      payload->release();
    }
  }

  ecc::EccEngine& engine_;
  tlm_utils::peq_with_get<Payload> requests_{"requests"};
  tlm_utils::peq_with_get<Payload> results_{"results"};
};

class ThreadedEngine final : public EccEngineBlock {
 public:
  struct Parameters {
    double lookahead_us = 0;
    bool deaf = false;
    bool announces = false;
  };
  ThreadedEngine(const Parameters& p, EccEngineContext& c)
      : lookahead_(ticks_from_us(p.lookahead_us)),
        engine_(c.codes, c.hardware, std::move(c.coder)),
        decoder_((c.name + "_decoder").c_str(), engine_),
        encoder_((c.name + "_encoder").c_str(), engine_) {
    decoder_.deaf = p.deaf;
    if (p.announces) decoder_.announced = encoder_.announced = to_sc_time(lookahead_);
  }

  Tick lookahead() const override { return lookahead_; }
  JobTargetSocket<EccJob>& decode_socket() override { return decoder_.socket; }
  JobTargetSocket<EccJob>& encode_socket() override { return encoder_.socket; }
  ecc::EccCounters counters(CodeNumber code) const override { return engine_.counters(code); }

 private:
  const Tick lookahead_;
  ecc::EccEngine engine_;
  ThreadedSide decoder_;
  ThreadedSide encoder_;
};
inline void describe(ThreadedEngine::Parameters& p, ParameterVisitor& v) {
  v.real("lookahead_us", p.lookahead_us, {0, 1e6}, "us", "how far ahead the engine claims to announce responses");
  v.boolean("announces", p.announces, "announce responses that far ahead");
  v.boolean("deaf", p.deaf, "its decoder never answers");
}

// Sits between a channel and a die. Forwards each phase at its time from a SystemC process instead of within the call.
class DieRelay final : public sc_core::sc_module, private JobForward<NandCommand>, private JobBackward<NandCommand> {
 public:
  SC_HAS_PROCESS(DieRelay);
  explicit DieRelay(const sc_core::sc_module_name& name) : sc_module(name) {
    target.bind(static_cast<JobForward<NandCommand>&>(*this));
    initiator.bind(static_cast<JobBackward<NandCommand>&>(*this));
    SC_METHOD(pass_down);
    sensitive << requests_.get_event();
    dont_initialize();
    SC_METHOD(pass_ends_down);
    sensitive << ends_.get_event();
    dont_initialize();
    SC_METHOD(pass_request_ends_up);
    sensitive << ended_requests_.get_event();
    dont_initialize();
    SC_METHOD(pass_up);
    sensitive << responses_.get_event();
    dont_initialize();
  }

  JobTargetSocket<NandCommand> target{"target"};
  JobInitiatorSocket<NandCommand> initiator{"initiator"};

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    (phase == tlm::BEGIN_REQ ? requests_ : ends_).notify(payload, delay);
    return phase == tlm::BEGIN_REQ ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    (phase == tlm::BEGIN_RESP ? responses_ : ended_requests_).notify(payload, delay);
    return tlm::TLM_ACCEPTED;
  }
  void b_transport(Payload&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  void pass_down() {
    while (Payload* payload = requests_.get_next_transaction()) {
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay;
      const tlm::tlm_sync_enum status = initiator->nb_transport_fw(*payload, phase, delay);
      if (status == tlm::TLM_COMPLETED) {
        completed_ = payload;
        respond(*payload);
      } else if (status == tlm::TLM_UPDATED) {
        target->nb_transport_bw(*payload, phase, delay);
      }
    }
  }
  void pass_ends_down() {
    while (Payload* payload = ends_.get_next_transaction()) end(*payload);
  }
  void pass_request_ends_up() {
    while (Payload* payload = ended_requests_.get_next_transaction()) {
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay;
      target->nb_transport_bw(*payload, phase, delay);
    }
  }
  void pass_up() {
    while (Payload* payload = responses_.get_next_transaction()) respond(*payload);
  }
  void respond(Payload& payload) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    if (target->nb_transport_bw(payload, phase, delay) == tlm::TLM_COMPLETED) end(payload);
  }
  void end(Payload& payload) {
    // The transaction has already ended by TLM_COMPLETED from the initiator.
    if (std::exchange(completed_, nullptr) == &payload) return;
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    initiator->nb_transport_fw(payload, phase, delay);
  }

  tlm_utils::peq_with_get<Payload> requests_{"requests"};
  tlm_utils::peq_with_get<Payload> ends_{"ends"};
  tlm_utils::peq_with_get<Payload> ended_requests_{"ended_requests"};
  tlm_utils::peq_with_get<Payload> responses_{"responses"};
  Payload* completed_ = nullptr;
};

class RelayedDie final : public DieBlock {
 public:
  using Parameters = NoParameters;
  RelayedDie(const Parameters&, DieContext& c)
      : relay_((c.name + "_relay").c_str()),
        die_(c.name.c_str(), c.calendar, c.geometry, c.timing, std::move(c.store), c.cells, std::move(c.tags)) {
    relay_.initiator.bind(die_.socket());
  }
  JobTargetSocket<NandCommand>& socket() override { return relay_.target; }
  nand::DieModule* inner() override { return &die_; }

 private:
  DieRelay relay_;
  nand::DieModule die_;
};

}  // namespace nandscape
