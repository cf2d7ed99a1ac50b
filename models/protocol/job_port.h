// SPDX-License-Identifier: Apache-2.0
// The two ends of a job socket, as the blocks behind them see them: a request and its end, a response and its end, each
// at the tick at which it happens. Whatever a partner may legally do comes to that:
//
//   - a call at the calendar's present is heard in the call, one that comes ahead of it (an annotated delay, or a
//     process outside of the calendar) as an event at its time, and one that is in the past is a ProtocolError
//   - END_REQ may be a call, a return value, or implied by BEGIN_RESP; BEGIN_RESP a call or a return value; END_RESP a
//     call, a return value, or implied by TLM_COMPLETED
//   - TLM_COMPLETED to BEGIN_REQ is a request and a response that end at the delay returned
//
// What no partner may do is a ProtocolError that names the socket: an unknown phase, a payload without its job, a phase
// that has no place there.
//
//   initiator  begin_request()   -> request_ended() -> response_begins() [-> end_response()] -> job_over()
//   target     request_begins()  -> end_request()   -> begin_response()                      -> response_ended()
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "protocol/entry_time.h"
#include "protocol/job_socket.h"

namespace nandscape {

// Owner:
//   void request_ended(Job&, Tick now)
//   bool response_begins(Job&, Tick now)  whether the response is over with that; else end_response() follows
//   void job_over(Payload&)               nothing more is heard of the job; the payload is the owner's again
template <class Job, class Owner>
class JobInitiatorPort final : private JobBackward<Job> {
 public:
  using Payload = tlm::tlm_generic_payload;

  JobInitiatorPort(const char* name, Calendar& calendar, Owner& owner)
      : socket(name), calendar_(calendar), owner_(owner) {
    socket.bind(static_cast<JobBackward<Job>&>(*this));
  }

  JobInitiatorSocket<Job> socket;

  // Whether a request has not ended: until then there is no other.
  bool requesting() const { return requesting_ != nullptr; }

  // At the calendar's present, as all that the owner does. The payload carries the job.
  void begin_request(Payload& payload, Job& job) {
    requesting_ = &payload;
    requested_ = &job;
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = annotated_delay(calendar_);
    switch (socket->nb_transport_fw(payload, phase, delay)) {
      case tlm::TLM_ACCEPTED: return;
      case tlm::TLM_UPDATED: return phase_returned(payload, job, phase, delay);
      case tlm::TLM_COMPLETED: break;
    }
    if (at_present(calendar_, delay)) return completed(payload);
    calendar_.schedule<&JobInitiatorPort::completed>(entry_time(calendar_, delay, socket.name()), *this, payload);
  }

  void end_response(Payload& payload) {
    if (completed_.empty() || std::erase(completed_, &payload) == 0) [[likely]]
      send_end_response(payload);
    owner_.job_over(payload);
  }

 private:
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    const bool now = at_present(calendar_, delay);
    if (now && phase == tlm::END_REQ && requesting_ == &payload) {
      end_of_request(payload, *requested_);
      return tlm::TLM_ACCEPTED;
    }
    Job& job = checked_job<Job>(payload, socket);
    if (now) [[likely]] {
      if (phase == tlm::END_REQ) [[unlikely]]
        refuse_end();
      if (phase != tlm::BEGIN_RESP) [[unlikely]]
        refuse_phase(phase, socket.name());
      if (!response_begins(payload, job)) return tlm::TLM_ACCEPTED;
      // Not before: what the owner sends from there must not travel with a payload that is still on its way back.
      owner_.job_over(payload);
      return tlm::TLM_COMPLETED;
    }
    phase_comes(payload, phase, entry_time(calendar_, delay, socket.name()));
    return tlm::TLM_ACCEPTED;
  }

  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  // As what begin_request() has returned.
  void phase_returned(Payload& payload, Job& job, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
    if (!at_present(calendar_, delay)) return phase_comes(payload, phase, entry_time(calendar_, delay, socket.name()));
    if (phase == tlm::END_REQ) return end_of_request(payload, job);
    if (phase != tlm::BEGIN_RESP) [[unlikely]]
      refuse_phase(phase, socket.name());
    response_came(payload);
  }

  void phase_comes(Payload& payload, const tlm::tlm_phase& phase, Tick at) {
    if (phase == tlm::END_REQ) {
      calendar_.schedule<&JobInitiatorPort::request_ended>(at, *this, payload);
    } else if (phase == tlm::BEGIN_RESP) {
      calendar_.schedule<&JobInitiatorPort::response_came>(at, *this, payload);
    } else {
      refuse_phase(phase, socket.name());
    }
  }

  void request_ended(Payload& payload) { end_of_request(payload, job_of<Job>(payload)); }

  void end_of_request(Payload& payload, Job& job) {
    if (requesting_ != &payload) [[unlikely]]
      refuse_end();
    requesting_ = nullptr;
    owner_.request_ended(job, calendar_.now());
  }

  bool response_begins(Payload& payload, Job& job) {
    if (requesting_ == &payload) end_of_request(payload, job);
    return owner_.response_begins(job, calendar_.now());
  }

  // In no call that could return its end. An owner that passes payloads on may have had this one released by the time
  // that END_RESP is sent.
  void response_came(Payload& payload) {
    payload.acquire();
    if (response_begins(payload, job_of<Job>(payload))) {
      send_end_response(payload);
      owner_.job_over(payload);
    }
    payload.release();
  }

  void completed(Payload& payload) {
    if (response_begins(payload, job_of<Job>(payload))) {
      owner_.job_over(payload);
    } else {
      completed_.push_back(&payload);
    }
  }

  void send_end_response(Payload& payload) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = annotated_delay(calendar_);
    socket->nb_transport_fw(payload, phase, delay);
  }

  [[noreturn]] void refuse_end() const {
    throw ProtocolError(std::string(socket.name()) + ": END_REQ comes for a job whose request is not open");
  }

  Calendar& calendar_;
  Owner& owner_;
  Payload* requesting_ = nullptr;    // its request has not ended
  Job* requested_ = nullptr;         // by that
  std::vector<Payload*> completed_;  // whose partner has done with them, and the owner has not
};

// How the owner of a target takes a request that begins.
enum class RequestAnswer : std::uint8_t {
  later,     // end_request() follows
  ended,     // the request has ended
  completed  // so has the response
};

// Owner:
//   RequestAnswer request_begins(Payload&, Job&, Tick now)
//   void response_ended(Job&, Tick now)
//   Tick response_time(const Job&)  for blocking calls: how long a response takes, whose end is the initiator's
//   unsigned int look_at(Payload&, Job&)  debug transport: what the job asks for, in no time; returns how many bytes
template <class Job, class Owner>
class JobTargetPort final : private JobForward<Job> {
 public:
  using Payload = tlm::tlm_generic_payload;

  JobTargetPort(const char* name, Calendar& calendar, Owner& owner) : socket(name), calendar_(calendar), owner_(owner) {
    socket.bind(static_cast<JobForward<Job>&>(*this));
  }

  JobTargetSocket<Job> socket;

  void end_request(Payload& payload) {
    if (blocking(payload) != nullptr) return;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = annotated_delay(calendar_);
    // A partner has nothing to say to that.
    socket->nb_transport_bw(payload, phase, delay);
  }

  // Returns whether the response has ended in the call; else response_ended() follows.
  bool begin_response(Payload& payload) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (Blocking* const call = blocking(payload)) {
      const Tick takes = owner_.response_time(job_of<Job>(payload));
      if (takes != 0) {
        calendar_.schedule<&JobTargetPort::blocking_ended>(calendar_.now() + takes, *this, payload);
        return false;
      }
      end_blocking(*call);
      return true;
    }
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = annotated_delay(calendar_);
    const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
    const bool over = status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
    if (!over || at_present(calendar_, delay)) return over;
    end_later(payload, entry_time(calendar_, delay, socket.name()));
    return false;
  }

 private:
  // A call of b_transport that waits.
  struct Blocking {
    Payload* payload;
    bool completed;  // by the owner, who hears no more of it
    sc_core::sc_event done;
  };

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    Job& job = checked_job<Job>(payload, socket);
    if (!at_present(calendar_, delay)) [[unlikely]] {
      const Tick at = entry_time(calendar_, delay, socket.name());
      if (phase == tlm::BEGIN_REQ) {
        calendar_.schedule<&JobTargetPort::request_came>(at, *this, payload);
        return tlm::TLM_ACCEPTED;
      }
      if (phase != tlm::END_RESP) refuse_phase(phase, socket.name());
      end_later(payload, at);
      return tlm::TLM_COMPLETED;
    }
    if (phase == tlm::BEGIN_REQ) {
      switch (owner_.request_begins(payload, job, calendar_.now())) {
        case RequestAnswer::later: return tlm::TLM_ACCEPTED;
        case RequestAnswer::ended: phase = tlm::END_REQ; return tlm::TLM_UPDATED;
        case RequestAnswer::completed: break;
      }
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::END_RESP) [[unlikely]]
      refuse_phase(phase, socket.name());
    owner_.response_ended(job, calendar_.now());
    return tlm::TLM_COMPLETED;
  }

  // As an event, so that the answer is a call.
  void request_came(Payload& payload) {
    switch (owner_.request_begins(payload, job_of<Job>(payload), calendar_.now())) {
      case RequestAnswer::later: return;
      case RequestAnswer::ended: return end_request(payload);
      case RequestAnswer::completed:
        if (Blocking* const call = blocking(payload)) call->completed = true;
        begin_response(payload);
    }
  }

  // The initiator has said when the response ends, and may have released the payload by then.
  void end_later(Payload& payload, Tick at) {
    payload.acquire();
    calendar_.schedule<&JobTargetPort::end_came>(at, *this, payload);
  }

  void end_came(Payload& payload) {
    response_ended(payload);
    payload.release();
  }

  void response_ended(Payload& payload) { owner_.response_ended(job_of<Job>(payload), calendar_.now()); }

  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    checked_job<Job>(payload, socket);
    if (!in_waiting_process()) {
      throw ProtocolError(std::string(socket.name()) + ": b_transport takes simulated time, and is called from " +
                          calling_process() + ", which is no SC_THREAD");
    }
    Blocking call{&payload, false, {}};
    blocking_.push_back(&call);
    calendar_.schedule<&JobTargetPort::request_came>(entry_time(calendar_, delay, socket.name()), *this, payload);
    sc_core::wait(call.done);
    delay = sc_core::SC_ZERO_TIME;
  }

  Blocking* blocking(const Payload& payload) const {
    for (Blocking* const call : blocking_) {
      if (call->payload == &payload) return call;
    }
    return nullptr;
  }

  void blocking_ended(Payload& payload) {
    Blocking& call = *blocking(payload);
    if (!call.completed) response_ended(payload);
    end_blocking(call);
  }

  void end_blocking(Blocking& call) {
    std::erase(blocking_, &call);
    call.done.notify(annotated_delay(calendar_));
  }

  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload& payload) override {
    return owner_.look_at(payload, checked_job<Job>(payload, socket));
  }

  Calendar& calendar_;
  Owner& owner_;
  std::vector<Blocking*> blocking_;
};

}  // namespace nandscape
