// SPDX-License-Identifier: Apache-2.0
// The two ends of a job socket. An owner sees a request and its end, and a response and its end, each at the tick at
// which it happens. The ports accept everything that the protocol allows the partner:
//
//   - A call at the calendar's present is passed on in the call. A call ahead of it (with an annotated delay, or from a
//     process outside the calendar) becomes an event at its time. A call in the past is a ProtocolError.
//   - END_REQ may be a call, a return value, or implied by BEGIN_RESP; BEGIN_RESP a call or a return value; END_RESP a
//     call, a return value, or implied by TLM_COMPLETED.
//   - TLM_COMPLETED in answer to BEGIN_REQ is a request and a response that end at the returned delay.
//
// Everything else is a ProtocolError that names the socket: an unknown phase, a payload without a job, a phase at the
// wrong time.
//
//   initiator  begin_request()   -> request_ended() -> response_begins() [-> end_response()] -> job_over()
//   target     request_begins()  -> end_request()   -> begin_response()                      -> response_ended()
//
// Two ports that are bound to each other, with nothing between them, make their calls at the calendar's present through
// JobTargetEnd and JobInitiatorEnd: the same steps in the same order as by phases, at a third of the instructions.
#pragma once

#include <string>
#include <vector>

#include "core/error.h"
#include "protocol/direct_link.h"
#include "protocol/entry_time.h"
#include "protocol/job_socket.h"

namespace nandscape {

// The owner's answer to a new request.
enum class RequestAnswer : std::uint8_t {
  later,     // end_request() follows
  ended,     // the request has ended
  completed  // the request and the response have ended
};

// A port as the port at the other end of its link sees it. Both use one calendar; all calls are made at its present.
template <class Job>
class JobInitiatorEnd : public JobBackward<Job> {
 public:
  virtual bool runs_in(const Calendar& calendar) const = 0;
  virtual void request_ends(tlm::tlm_generic_payload& payload) = 0;
  // Returns whether the response has ended.
  [[nodiscard]] virtual bool response_comes(tlm::tlm_generic_payload& payload, Job& job) = 0;
};

template <class Job>
class JobTargetEnd : public JobForward<Job> {
 public:
  virtual bool runs_in(const Calendar& calendar) const = 0;
  [[nodiscard]] virtual RequestAnswer request_comes(tlm::tlm_generic_payload& payload, Job& job) = 0;
  virtual void response_ends(Job& job) = 0;
};

// Owner:
//   void request_ended(Job&, Tick now)
//   bool response_begins(Job&, Tick now)  returns whether the response ends at once; if not, end_response() must follow
//   void job_over(Payload&)               the job has ended, and the port no longer uses the payload
template <class Job, class Owner>
class JobInitiatorPort final : private JobInitiatorEnd<Job> {
 public:
  using Payload = tlm::tlm_generic_payload;

  JobInitiatorPort(const char* name, Calendar& calendar, Owner& owner)
      : socket(name), calendar_(calendar), owner_(owner) {
    socket.bind(static_cast<JobBackward<Job>&>(*this));
  }

  JobInitiatorSocket<Job> socket;

  // Whether a request has not ended yet. Until it ends, no other request may begin.
  bool requesting() const { return requesting_ != nullptr; }

  // Sends BEGIN_REQ. The owner makes this and all other calls at the calendar's present. The payload carries `job`.
  void begin_request(Payload& payload, Job& job) {
    requesting_ = &payload;
    requested_ = &job;
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    if (JobTargetEnd<Job>* const target = link_.found(calendar_)) [[likely]]
      return begin_request_at(*target, payload, job);
    find_target_and_begin(payload, job);
  }

  void end_response(Payload& payload, Job& job) {
    if (completed_.empty() || !take_completed(payload)) [[likely]]
      send_end_response(payload, job);
    owner_.job_over(payload);
  }

 private:
  // JobInitiatorEnd
  bool runs_in(const Calendar& calendar) const override { return &calendar == &calendar_; }
  void request_ends(Payload& payload) override { end_of_request(payload); }
  bool response_comes(Payload& payload, Job& job) override {
    if (!response_begins(payload, job)) return false;
    // Must come last: the owner may reuse the payload within job_over(), so the port must not need it any longer.
    owner_.job_over(payload);
    return true;
  }

  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    const bool now = at_present(calendar_, delay);
    if (now && phase == tlm::END_REQ && requesting_ == &payload) {
      end_of_request(payload);
      return tlm::TLM_ACCEPTED;
    }
    Job& job = checked_job<Job>(payload, socket);
    if (now) [[likely]] {
      if (phase == tlm::END_REQ) [[unlikely]]
        refuse_end();
      if (phase != tlm::BEGIN_RESP) [[unlikely]]
        refuse_phase(phase, socket.name());
      return response_comes(payload, job) ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    }
    phase_comes(payload, phase, entry_time(calendar_, delay, socket.name()));
    return tlm::TLM_ACCEPTED;
  }

  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  void begin_request_at(JobTargetEnd<Job>& target, Payload& payload, Job& job) {
    const RequestAnswer answer = target.request_comes(payload, job);
    if (answer == RequestAnswer::ended) return end_of_request(payload);
    if (answer == RequestAnswer::completed) completed(payload);
  }

  [[gnu::noinline]] void find_target_and_begin(Payload& payload, Job& job) {
    if (JobTargetEnd<Job>* const target = link_.find(socket, calendar_)) return begin_request_at(*target, payload, job);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = annotated_delay(calendar_);
    switch (socket->nb_transport_fw(payload, phase, delay)) {
      case tlm::TLM_ACCEPTED: return;
      case tlm::TLM_UPDATED: return phase_returned(payload, phase, delay);
      case tlm::TLM_COMPLETED: break;
    }
    if (at_present(calendar_, delay)) return completed(payload);
    calendar_.schedule<&JobInitiatorPort::completed>(entry_time(calendar_, delay, socket.name()), *this, payload);
  }

  // Handles a phase that was returned to begin_request().
  void phase_returned(Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
    if (!at_present(calendar_, delay)) return phase_comes(payload, phase, entry_time(calendar_, delay, socket.name()));
    if (phase == tlm::END_REQ) return end_of_request(payload);
    if (phase != tlm::BEGIN_RESP) [[unlikely]]
      refuse_phase(phase, socket.name());
    response_came(payload);
  }

  void phase_comes(Payload& payload, const tlm::tlm_phase& phase, Tick at) {
    if (phase == tlm::END_REQ) {
      calendar_.schedule<&JobInitiatorPort::end_of_request>(at, *this, payload);
    } else if (phase == tlm::BEGIN_RESP) {
      calendar_.schedule<&JobInitiatorPort::response_came>(at, *this, payload);
    } else {
      refuse_phase(phase, socket.name());
    }
  }

  void end_of_request(Payload& payload) {
    if (requesting_ != &payload) [[unlikely]]
      refuse_end();
    requesting_ = nullptr;
    owner_.request_ended(*requested_, calendar_.now());
  }

  bool response_begins(Payload& payload, Job& job) {
    if (requesting_ == &payload) end_of_request(payload);
    return owner_.response_begins(job, calendar_.now());
  }

  // Handles a response that did not begin in a call of the target, so a call must send its end. The payload is
  // acquired, since an owner that passes payloads on may release it before END_RESP is sent.
  void response_came(Payload& payload) {
    payload.acquire();
    Job& job = job_of<Job>(payload);
    if (response_begins(payload, job)) {
      send_end_response(payload, job);
      owner_.job_over(payload);
    }
    payload.release();
  }

  [[gnu::noinline]] void completed(Payload& payload) {
    if (response_begins(payload, job_of<Job>(payload))) {
      owner_.job_over(payload);
    } else {
      completed_.push_back(&payload);
    }
  }
  // Returns whether the payload was answered with TLM_COMPLETED.
  [[gnu::noinline]] bool take_completed(Payload& payload) { return std::erase(completed_, &payload) != 0; }

  void send_end_response(Payload& payload, Job& job) {
    if (JobTargetEnd<Job>* const target = link_.found(calendar_)) [[likely]]
      return target->response_ends(job);
    find_target_and_end(payload, job);
  }

  [[gnu::noinline]] void find_target_and_end(Payload& payload, Job& job) {
    if (JobTargetEnd<Job>* const target = link_.find(socket, calendar_)) return target->response_ends(job);
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = annotated_delay(calendar_);
    socket->nb_transport_fw(payload, phase, delay);
  }

  [[noreturn, gnu::noinline]] void refuse_end() const {
    throw ProtocolError(std::string(socket.name()) + ": END_REQ for a job whose request is not open");
  }

  Calendar& calendar_;
  Owner& owner_;
  DirectLink<JobTargetEnd<Job>> link_;
  Payload* requesting_ = nullptr;    // the payload whose request has not ended
  Job* requested_ = nullptr;         // the job of requesting_
  std::vector<Payload*> completed_;  // answered with TLM_COMPLETED; the owner has not called end_response()
};

// Owner:
//   RequestAnswer request_begins(Payload&, Job&, Tick now)
//   void response_ended(Job&, Tick now)
//   Tick response_time(const Job&)  duration of the response to a blocking call, which gets no END_RESP
//   unsigned int look_at(Payload&, Job&)  debug transport: carries out the job in no time; returns the number of bytes
template <class Job, class Owner>
class JobTargetPort final : private JobTargetEnd<Job> {
 public:
  using Payload = tlm::tlm_generic_payload;

  JobTargetPort(const char* name, Calendar& calendar, Owner& owner) : socket(name), calendar_(calendar), owner_(owner) {
    socket.bind(static_cast<JobForward<Job>&>(*this));
  }

  JobTargetSocket<Job> socket;

  void end_request(Payload& payload) {
    if (JobInitiatorEnd<Job>* const initiator = found_initiator()) [[likely]]
      return initiator->request_ends(payload);
    find_initiator_and_end(payload);
  }

  // Returns whether the response ended in the call; if not, response_ended() follows.
  bool begin_response(Payload& payload, Job& job) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (JobInitiatorEnd<Job>* const initiator = found_initiator()) [[likely]]
      return initiator->response_comes(payload, job);
    return find_initiator_and_respond(payload, job);
  }

 private:
  // A waiting call of b_transport.
  struct Blocking {
    Payload* payload;
    bool completed;  // the owner completed it in request_begins(), so response_ended() is not called
    sc_core::sc_event done;
  };

  // Null before the initiator has been found, if its answer must be a phase, or if it may belong to a blocking call.
  JobInitiatorEnd<Job>* found_initiator() const { return blocking_.empty() ? link_.found(calendar_) : nullptr; }

  // JobTargetEnd
  bool runs_in(const Calendar& calendar) const override { return &calendar == &calendar_; }
  RequestAnswer request_comes(Payload& payload, Job& job) override {
    const RequestAnswer answer = owner_.request_begins(payload, job, calendar_.now());
    if (answer == RequestAnswer::completed) payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return answer;
  }
  void response_ends(Job& job) override { owner_.response_ended(job, calendar_.now()); }

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
      switch (request_comes(payload, job)) {
        case RequestAnswer::later: return tlm::TLM_ACCEPTED;
        case RequestAnswer::ended: phase = tlm::END_REQ; return tlm::TLM_UPDATED;
        case RequestAnswer::completed: return tlm::TLM_COMPLETED;
      }
    }
    if (phase != tlm::END_RESP) [[unlikely]]
      refuse_phase(phase, socket.name());
    response_ends(job);
    return tlm::TLM_COMPLETED;
  }

  // Handles a request that arrives as an event of the calendar. The port answers with a call.
  void request_came(Payload& payload) {
    Job& job = job_of<Job>(payload);
    switch (owner_.request_begins(payload, job, calendar_.now())) {
      case RequestAnswer::later: return;
      case RequestAnswer::ended: return end_request(payload);
      case RequestAnswer::completed:
        if (Blocking* const call = blocking(payload)) call->completed = true;
        begin_response(payload, job);
    }
  }

  [[gnu::noinline]] void find_initiator_and_end(Payload& payload) {
    if (blocking(payload) != nullptr) return;
    if (JobInitiatorEnd<Job>* const initiator = link_.find(socket, calendar_)) return initiator->request_ends(payload);
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = annotated_delay(calendar_);
    // The return value carries no information here.
    socket->nb_transport_bw(payload, phase, delay);
  }

  [[gnu::noinline]] bool find_initiator_and_respond(Payload& payload, Job& job) {
    if (Blocking* const call = blocking(payload)) {
      const Tick takes = owner_.response_time(job);
      if (takes != 0) {
        calendar_.schedule<&JobTargetPort::blocking_ended>(calendar_.now() + takes, *this, payload);
        return false;
      }
      end_blocking(*call);
      return true;
    }
    if (JobInitiatorEnd<Job>* const initiator = link_.find(socket, calendar_)) {
      return initiator->response_comes(payload, job);
    }
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = annotated_delay(calendar_);
    const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
    const bool over = status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
    if (!over || at_present(calendar_, delay)) return over;
    end_later(payload, entry_time(calendar_, delay, socket.name()));
    return false;
  }

  // Schedules the end of a response, whose time the initiator has given. The initiator may release the payload before
  // that time.
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
                          calling_process() + ", which is not an SC_THREAD");
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
  DirectLink<JobInitiatorEnd<Job>> link_;
  std::vector<Blocking*> blocking_;
};

}  // namespace nandscape
