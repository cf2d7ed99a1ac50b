// SPDX-License-Identifier: Apache-2.0
// An external initiator. It sends one job after another, with the kind of process and the kind of calls that the test
// case selects. Like a block by another author, it uses nothing of this project except the sockets.
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "catch.h"
#include "port_initiator.h"
#include "protocol/job_socket.h"
#include "protocol/simulated_time.h"

namespace nandscape {

// How an initiator ends a response: its answer to BEGIN_RESP, or b_transport, which has no phases.
enum class End : std::uint8_t {
  completed,        // TLM_COMPLETED without a delay
  completed_later,  // TLM_COMPLETED, and the delay until the response ends
  returned,         // TLM_UPDATED with END_RESP, without a delay
  returned_later,   // TLM_UPDATED with END_RESP, and the delay until END_RESP
  called,           // TLM_ACCEPTED; calls END_RESP when the response ends
  announced_call,   // TLM_ACCEPTED; calls END_RESP at the start of the response, with the delay until its end
  blocking,         // uses b_transport instead of phases
};

template <class Job>
class ForeignInitiator final : public sc_core::sc_module, private JobBackward<Job> {
  using Payload = tlm::tlm_generic_payload;

 public:
  struct Case {
    End end = End::called;
    bool method = false;  // true: calls from an SC_METHOD; false: from an SC_THREAD, which b_transport requires
    Tick ahead = 0;       // delay annotated to requests, as a loosely timed initiator does that runs ahead of SystemC
    Tick pause = some_time;
  };

  ForeignInitiator(const sc_core::sc_module_name& name, std::vector<Job>& jobs, Case how)
      : sc_module(name), passages(jobs.size()), jobs_(jobs), case_(how) {
    socket.bind(static_cast<JobBackward<Job>&>(*this));
    sc_core::sc_spawn_options method;
    method.spawn_method();
    if (how.method) {
      sc_core::sc_spawn([this] { step(); }, "step", &method);
    } else {
      sc_core::sc_spawn([this] { run(); }, "run");
    }
    method.dont_initialize();
    method.set_sensitivity(&announcement_);
    sc_core::sc_spawn([this] { announce_end(); }, "announce_end", &method);
  }

  JobInitiatorSocket<Job> socket{"socket"};
  std::vector<Passage> passages;  // one entry per job; with b_transport, only the end of the response is known

 private:
  enum class State : std::uint8_t { idle, pausing, open };

  void run() {
    for (; at_ < jobs_.size(); ++at_) {
      sc_core::wait(to_sc_time(case_.pause - case_.ahead));
      begin();
      if (case_.end != End::blocking) sc_core::wait(over_);
      end();
    }
  }

  // Does the same as run(), but in an SC_METHOD. `state_` records the point at which run() would be waiting.
  void step() {
    if (state_ == State::open) {
      end();
      ++at_;
    }
    if (state_ != State::pausing) {
      if (at_ == jobs_.size()) return;
      state_ = State::pausing;
      return sc_core::next_trigger(to_sc_time(case_.pause - case_.ahead));
    }
    state_ = State::open;
    begin();
    sc_core::next_trigger(over_);
  }

  void begin() {
    payload_ = &pool_.acquire(jobs_[at_]);
    ended_ = false;
    sc_core::sc_time delay = to_sc_time(case_.ahead);
    if (case_.end == End::blocking) {
      socket->b_transport(*payload_, delay);
      sc_core::wait(delay);
      return;
    }
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(*payload_, phase, delay);
    const Tick at = to_ticks(sc_core::sc_time_stamp() + delay);
    if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) passages[at_].request_ended = at;
    if (status != tlm::TLM_COMPLETED) return;
    respond(at);
    ended_ = true;
    over_.notify(delay);
  }

  void end() {
    passages[at_].over = to_ticks(sc_core::sc_time_stamp());
    CHECK(payload_->get_response_status() == tlm::TLM_OK_RESPONSE);
    const bool calls = case_.end == End::called || case_.end == End::announced_call;
    if (calls && !ended_) send_end(0);
    payload_->release();
  }

  void respond(Tick at) {
    Passage& passage = passages[at_];
    passage.response_began = at;
    if (passage.request_ended == never) passage.request_ended = at;
  }

  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    const Tick at = to_ticks(sc_core::sc_time_stamp() + delay);
    if (phase == tlm::END_REQ) {
      passages[at_].request_ended = at;
      return tlm::TLM_ACCEPTED;
    }
    respond(at);
    const Job& job = job_of<Job>(payload);
    const sc_core::sc_time takes = to_sc_time(response_time(job));
    over_.notify(delay + takes);
    ended_ = ends_in_the_call(job);
    if (ended_) return tlm::TLM_COMPLETED;
    switch (case_.end) {
      case End::completed: return tlm::TLM_COMPLETED;
      case End::completed_later: delay += takes; return tlm::TLM_COMPLETED;
      case End::returned_later: delay += takes; [[fallthrough]];
      case End::returned: phase = tlm::END_RESP; return tlm::TLM_UPDATED;
      case End::announced_call:
        announced_ = at + response_time(job);
        announcement_.notify(delay);
        return tlm::TLM_ACCEPTED;
      default: return tlm::TLM_ACCEPTED;
    }
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  void announce_end() {
    if (!ended_) send_end(announced_ - to_ticks(sc_core::sc_time_stamp()));
  }
  void send_end(Tick later) {
    ended_ = true;
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = to_sc_time(later);
    socket->nb_transport_fw(*payload_, phase, delay);
  }

  std::vector<Job>& jobs_;
  const Case case_;
  std::size_t at_ = 0;         // index of the current job
  State state_ = State::idle;  // state of the SC_METHOD
  Payload* payload_ = nullptr;
  bool ended_ = false;  // whether the target has been notified of the end of the response
  Tick announced_ = 0;  // time at which the response will end
  sc_core::sc_event over_, announcement_;
  JobPayloadPool<Job> pool_;
};

}  // namespace nandscape
