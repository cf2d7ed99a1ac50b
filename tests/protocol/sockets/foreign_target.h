// SPDX-License-Identifier: Apache-2.0
// An external target. A Service does its work; the test case selects how the target answers and with which kind of
// process. Like a block by another author, it uses nothing of this project except the sockets.
#pragma once

#include <tlm_utils/peq_with_get.h>
#include <cstdint>
#include <deque>
#include <map>
#include <systemc>
#include <tlm>

#include "protocol/simulated_time.h"

namespace nandscape {

// How a target answers BEGIN_REQ, and which phases it sends until the response begins.
enum class Answer : std::uint8_t {
  calls,              // TLM_ACCEPTED; later calls END_REQ, then BEGIN_RESP
  announced_calls,    // like `calls`, but sends both phases at the start of the request, each with its delay
  end_returned,       // TLM_UPDATED with END_REQ and the delay until END_REQ; BEGIN_RESP is called later
  response_only,      // TLM_ACCEPTED; later calls BEGIN_RESP, which implies END_REQ
  response_returned,  // TLM_UPDATED with BEGIN_RESP and the delay until BEGIN_RESP
  completed,          // TLM_COMPLETED, and the delay until the transaction ends
};

// Returns whether the target sends END_REQ. If it does not, BEGIN_RESP or TLM_COMPLETED implies END_REQ, and the
// request occupies the link until then.
constexpr bool tells_end_of_request(Answer answer) {
  return answer == Answer::calls || answer == Answer::announced_calls || answer == Answer::end_returned;
}
// Returns whether the target answers within the call. Such a target has no process.
constexpr bool answers_in_the_call(Answer answer) {
  return answer == Answer::response_returned || answer == Answer::completed;
}

// The kind of SystemC process that sends the phases.
enum class Process : std::uint8_t {
  method,   // SC_METHODs that are sensitive to queues of payloads
  thread,   // SC_THREADs that wait for payloads from queues
  waiting,  // one SC_THREAD, which executes one request at a time and waits for its duration
};

class Service {
 public:
  struct Times {
    Tick request_ends;
    Tick response_begins;
  };
  // Executes the request in the payload, and returns the times of its phases. Calls are in the order of `now`.
  virtual Times begin(tlm::tlm_generic_payload& payload, Tick now) = 0;
  virtual void response_ended(tlm::tlm_generic_payload&, Tick /*now*/) {}

 protected:
  ~Service() = default;
};

template <class Types>
class ForeignTarget final : public sc_core::sc_module, private tlm::tlm_fw_transport_if<Types> {
  using Payload = tlm::tlm_generic_payload;
  using Queue = tlm_utils::peq_with_get<Payload>;

 public:
  ForeignTarget(const sc_core::sc_module_name& name, Service& service, Answer answer, Process process)
      : sc_module(name), service_(service), answer_(answer), process_(process) {
    socket.bind(static_cast<tlm::tlm_fw_transport_if<Types>&>(*this));
    if (process == Process::waiting) {
      sc_core::sc_spawn([this] { work(); }, "work");
      return;
    }
    serve(begun_.get_event(), "announce", &ForeignTarget::announce_all);
    serve(ends_.get_event(), "end_requests", &ForeignTarget::end_requests);
    serve(responses_.get_event(), "begin_responses", &ForeignTarget::begin_responses);
    serve(response_over_, "go_on", &ForeignTarget::begin_next_response);
  }

  tlm::tlm_target_socket<32, Types> socket{"socket"};

 private:
  using Handler = void (ForeignTarget::*)();

  // Calls the handler each time the event occurs, from a process of the selected kind.
  void serve(const sc_core::sc_event& event, const char* name, Handler handler) {
    if (process_ == Process::thread) {
      sc_core::sc_spawn(
          [this, &event, handler] {
            for (;;) {
              sc_core::wait(event);
              (this->*handler)();
            }
          },
          name);
      return;
    }
    sc_core::sc_spawn_options method;
    method.spawn_method();
    method.dont_initialize();
    method.set_sensitivity(&event);
    sc_core::sc_spawn([this, handler] { (this->*handler)(); }, name, &method);
  }

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    const Tick now = to_ticks(sc_core::sc_time_stamp() + delay);
    if (phase == tlm::END_RESP) {
      service_.response_ended(payload, now);
      response_over_.notify(delay);
      responding_ = false;
      return tlm::TLM_COMPLETED;
    }
    const Service::Times times = service_.begin(payload, now);
    if (answers_in_the_call(answer_)) {
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      delay += to_sc_time(times.response_begins - now);
      if (answer_ == Answer::completed) {
        service_.response_ended(payload, times.response_begins);
        return tlm::TLM_COMPLETED;
      }
      phase = tlm::BEGIN_RESP;
      return tlm::TLM_UPDATED;
    }
    payload.acquire();
    times_[&payload] = times;
    if (process_ == Process::waiting || answer_ == Answer::announced_calls) {
      begun_.notify(payload, delay);
    } else if (answer_ == Answer::calls) {
      ends_.notify(payload, delay + to_sc_time(times.request_ends - now));
    } else {
      responses_.notify(payload, delay + to_sc_time(times.response_begins - now));
    }
    if (answer_ != Answer::end_returned) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    delay += to_sc_time(times.request_ends - now);
    return tlm::TLM_UPDATED;
  }
  void b_transport(Payload&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }

  // Handlers of the processes.

  void announce_all() {
    while (Payload* const payload = begun_.get_next_transaction()) announce(*payload);
  }
  void announce(Payload& payload) {
    const Tick now = to_ticks(sc_core::sc_time_stamp());
    call(payload, tlm::END_REQ, times_[&payload].request_ends - now);
    respond(payload, times_[&payload].response_begins - now);
  }

  void end_requests() {
    while (Payload* const payload = ends_.get_next_transaction()) {
      call(*payload, tlm::END_REQ, 0);
      responses_.notify(*payload, to_sc_time(times_[payload].response_begins) - sc_core::sc_time_stamp());
    }
  }

  // Begins the next response if none is in progress, because the link carries only one response at a time.
  void begin_responses() {
    while (Payload* const payload = responses_.get_next_transaction()) ready_.push_back(payload);
    begin_next_response();
  }
  void begin_next_response() {
    while (!responding_ && !ready_.empty()) {
      Payload& payload = *ready_.front();
      ready_.pop_front();
      respond(payload, 0);
    }
  }

  void work() {
    for (;;) {
      sc_core::wait(begun_.get_event());
      while (Payload* const payload = begun_.get_next_transaction()) work_on(*payload);
    }
  }
  void work_on(Payload& payload) {
    if (answer_ == Answer::announced_calls) return announce(payload);
    wait_until(times_[&payload].request_ends);
    if (answer_ == Answer::calls) call(payload, tlm::END_REQ, 0);
    wait_until(times_[&payload].response_begins);
    respond(payload, 0);
  }
  static void wait_until(Tick at) { sc_core::wait(to_sc_time(at) - sc_core::sc_time_stamp()); }

  void respond(Payload& payload, Tick later) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    responding_ = true;
    call(payload, tlm::BEGIN_RESP, later);
    payload.release();
  }
  void call(Payload& payload, tlm::tlm_phase phase, Tick later) {
    sc_core::sc_time delay = to_sc_time(later);
    const bool responds = phase == tlm::BEGIN_RESP;
    const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
    const bool over = status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
    if (!responds || !over) return;
    responding_ = false;
    service_.response_ended(payload, to_ticks(sc_core::sc_time_stamp() + delay));
  }

  Service& service_;
  const Answer answer_;
  const Process process_;
  std::map<const Payload*, Service::Times> times_;
  Queue begun_{"begun"};
  Queue ends_{"ends"};
  Queue responses_{"responses"};
  std::deque<Payload*> ready_;
  bool responding_ = false;
  sc_core::sc_event response_over_;
};

}  // namespace nandscape
