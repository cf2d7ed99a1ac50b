// SPDX-License-Identifier: Apache-2.0
// Monitors a link that carries jobs. Forwards every call unchanged and reports the phases of each job to a watcher. A
// phase may be signalled by a call, by a return value, or by the end of a blocking call.
#pragma once

#include <tlm>
#include <utility>

#include "protocol/immediate_target.h"
#include "protocol/job_socket.h"
#include "protocol/simulated_time.h"

namespace nandscape {

// Watcher must have the functions request_begins(job, at), request_ends(job, at), response_begins(job, at) and
// response_ends(job, at). If a job completes early, only some of them are called.
template <class Job, class Watcher>
class TimelineMonitor final : public sc_core::sc_module,
                              public ImmediateTarget,
                              private JobForward<Job>,
                              private JobBackward<Job> {
  using Payload = tlm::tlm_generic_payload;

 public:
  JobTargetSocket<Job> target{"target"};
  JobInitiatorSocket<Job> initiator{"initiator"};

  TimelineMonitor(const sc_core::sc_module_name& name, Watcher watcher)
      : sc_module(name), watcher_(std::move(watcher)) {
    target.bind(static_cast<JobForward<Job>&>(*this));
    initiator.bind(static_cast<JobBackward<Job>&>(*this));
  }

  bool immediate() const override { return has_immediate_target(initiator); }

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    return pass(payload, phase, delay, [&] { return initiator->nb_transport_fw(payload, phase, delay); });
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    return pass(payload, phase, delay, [&] { return target->nb_transport_bw(payload, phase, delay); });
  }
  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    Job& job = job_of<Job>(payload);
    watcher_.request_begins(job, time_of(delay));
    initiator->b_transport(payload, delay);
    watcher_.response_ends(job, time_of(delay));
  }
  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override {
    return initiator->get_direct_mem_ptr(payload, dmi);
  }
  unsigned int transport_dbg(Payload& payload) override { return initiator->transport_dbg(payload); }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    target->invalidate_direct_mem_ptr(first, last);
  }

  // Forwards a call and reports its phase. The job may be destroyed after END_RESP, so this phase is reported before
  // the call.
  template <class Call>
  tlm::tlm_sync_enum pass(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay, Call call) {
    Job& job = job_of<Job>(payload);
    tell(job, phase, time_of(delay));
    if (phase == tlm::END_RESP) return call();
    const tlm::tlm_sync_enum answer = call();
    if (answer == tlm::TLM_UPDATED) tell(job, phase, time_of(delay));
    if (answer == tlm::TLM_COMPLETED) watcher_.response_ends(job, time_of(delay));
    return answer;
  }

  void tell(Job& job, const tlm::tlm_phase& phase, Tick at) {
    switch (static_cast<unsigned int>(phase)) {
      case tlm::BEGIN_REQ: return watcher_.request_begins(job, at);
      case tlm::END_REQ: return watcher_.request_ends(job, at);
      case tlm::BEGIN_RESP: return watcher_.response_begins(job, at);
      case tlm::END_RESP: return watcher_.response_ends(job, at);
      default: return;
    }
  }

  // Returns the time of a phase. A monitor has no calendar, so it uses the time of the SystemC kernel.
  static Tick time_of(const sc_core::sc_time& delay) { return to_ticks(sc_core::sc_time_stamp() + delay); }

  Watcher watcher_;
};

}  // namespace nandscape
