// SPDX-License-Identifier: Apache-2.0
// The two ends of a job socket. A port passes four events to its owner, each at the tick at which it happens: the
// beginning and the end of a request, and the beginning and the end of a response. The port accepts everything that the
// protocol allows the module at the other end of the link (the partner):
//
//   - A call at the calendar's current time is passed on immediately. A call ahead of this time (with an annotated
//     delay, or from a process outside the calendar) becomes an event at its time. A call in the past is a
//     ProtocolError.
//   - The partner may send END_REQ as a call or as a return value, or imply it by BEGIN_RESP. It may send BEGIN_RESP as
//     a call or as a return value. It may send END_RESP as a call or as a return value, or imply it by TLM_COMPLETED.
//   - TLM_COMPLETED as the answer to BEGIN_REQ means that the request and the response both end after the returned
//     delay.
//
// Everything else throws a ProtocolError that names the socket, for example an unknown phase, a payload without a job,
// or a phase out of sequence. The functions are called in this order:
//
//   initiator  begin_request()   -> request_ended() -> response_begins() [-> end_response()] -> job_over()
//   target     request_begins()  -> end_request()   -> begin_response()                      -> response_ended()
//
// If two ports are bound to each other with no other module between them, their calls at the calendar's current time
// use the interfaces JobTargetEnd and JobInitiatorEnd instead of phases. The steps and their order are the same, but
// they need only a third of the instructions. The payload takes no part in them.
#pragma once

#include <forward_list>
#include <string>
#include <vector>

#include "core/error.h"
#include "protocol/direct_link.h"
#include "protocol/entry_time.h"
#include "protocol/job_socket.h"

namespace nandscape {

// The answer of the target port's owner to a new request.
enum class RequestAnswer : std::uint8_t {
  later,     // end_request() follows
  ended,     // the request has ended
  completed  // the request and the response have ended
};

// The interface of a port for the port at the other end of its link. Both ports use the same calendar, and all calls
// are made at its current time.
template <class Job>
class JobInitiatorEnd : public JobBackward<Job> {
 public:
  virtual bool runs_in(const Calendar& calendar) const = 0;
  virtual void request_ends(Job& job) = 0;
  // Returns whether the response has ended.
  [[nodiscard]] virtual bool response_comes(Job& job) = 0;
};

template <class Job>
class JobTargetEnd : public JobForward<Job> {
 public:
  virtual bool runs_in(const Calendar& calendar) const = 0;
  [[nodiscard]] virtual RequestAnswer request_comes(Job& job) = 0;
  virtual void response_ends(Job& job) = 0;
};

// The initiator's port. Its owner must have these functions:
//   void request_ended(Job&, Tick now)
//   bool response_begins(Job&, Tick now)  returns whether the response ends at once; if not, the owner calls
//                                         end_response() later
//   void job_over(Payload&)               the job has ended, and the port no longer uses the payload
template <class Job, class Owner>
class JobInitiatorPort final : private JobInitiatorEnd<Job> {
 public:
  using Payload = tlm::tlm_generic_payload;

  JobInitiatorPort(const char* name, Calendar& calendar, Owner& owner)
      : calendar_(calendar), owner_(owner), socket(name) {
    socket.bind(static_cast<JobBackward<Job>&>(*this));
  }

  // Returns whether a request has begun and not ended. Until it ends, the owner must not begin another request.
  bool requesting() const { return requesting_ != nullptr; }

  // Sends BEGIN_REQ with the payload `job.payload`, which carries the job. The owner must make this call and all other
  // calls at the calendar's current time.
  void begin_request(Job& job) {
    requesting_ = &job;
    if (JobTargetEnd<Job>* const target = link_.found(calendar_)) [[likely]]
      return begin_request_at(*target, job);
    find_target_and_begin(job);
  }

  void end_response(Job& job) {
    if (completed_.empty() || !take_completed(job)) [[likely]]
      send_end_response(*job.payload, job);
    owner_.job_over(*job.payload);
  }

 private:
  // JobInitiatorEnd
  bool runs_in(const Calendar& calendar) const override { return &calendar == &calendar_; }
  void request_ends(Job& job) override { end_of_request(job); }
  bool response_comes(Job& job) override { return response_comes(*job.payload, job); }

  // Returns whether the response has ended. The owner may use the job again within response_begins(), so the payload is
  // an argument.
  bool response_comes(Payload& payload, Job& job) {
    if (!response_begins(job)) return false;
    // This call must come last, because the owner may reuse the payload within job_over().
    owner_.job_over(payload);
    return true;
  }

  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    Job& job = checked_job<Job>(payload, socket);
    if (at_present(calendar_, delay)) [[likely]] {
      if (phase == tlm::END_REQ) {
        end_of_request(job);
        return tlm::TLM_ACCEPTED;
      }
      if (phase != tlm::BEGIN_RESP) [[unlikely]]
        refuse_phase(phase, socket.name());
      return response_comes(payload, job) ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    }
    phase_comes(payload, phase, entry_time(calendar_, delay, socket.name()));
    return tlm::TLM_ACCEPTED;
  }

  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  void begin_request_at(JobTargetEnd<Job>& target, Job& job) {
    const RequestAnswer answer = target.request_comes(job);
    if (answer == RequestAnswer::ended) return end_of_request(job);
    if (answer == RequestAnswer::completed) completed(*job.payload, job);
  }

  [[gnu::noinline]] void find_target_and_begin(Job& job) {
    if (JobTargetEnd<Job>* const target = link_.find(socket, calendar_)) return begin_request_at(*target, job);
    Payload& payload = *job.payload;
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = annotated_delay(calendar_);
    switch (socket->nb_transport_fw(payload, phase, delay)) {
      case tlm::TLM_ACCEPTED: return;
      case tlm::TLM_UPDATED: return phase_returned(payload, phase, delay);
      case tlm::TLM_COMPLETED: break;
    }
    if (at_present(calendar_, delay)) return completed(payload, job);
    calendar_.schedule<&JobInitiatorPort::completed_later>(entry_time(calendar_, delay, socket.name()), *this, payload);
  }

  // Handles a phase that the target returned from the call of BEGIN_REQ.
  void phase_returned(Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
    if (!at_present(calendar_, delay)) return phase_comes(payload, phase, entry_time(calendar_, delay, socket.name()));
    if (phase == tlm::END_REQ) return request_ended(payload);
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

  void request_ended(Payload& payload) { end_of_request(job_of<Job>(payload)); }

  void end_of_request(Job& job) {
    if (requesting_ != &job) [[unlikely]]
      refuse_end();
    requesting_ = nullptr;
    owner_.request_ended(job, calendar_.now());
  }

  bool response_begins(Job& job) {
    if (requesting_ == &job) [[unlikely]]
      return request_ends_and_response_begins(job);
    return owner_.response_begins(job, calendar_.now());
  }
  // Begins a response that implies the end of the request.
  [[gnu::noinline]] bool request_ends_and_response_begins(Job& job) {
    end_of_request(job);
    return owner_.response_begins(job, calendar_.now());
  }

  // Handles a response that did not begin in a call of the target, so the port must send END_RESP in a call. The port
  // acquires the payload, because an owner that passes payloads on may release it before END_RESP has been sent.
  void response_came(Payload& payload) {
    payload.acquire();
    Job& job = job_of<Job>(payload);
    if (response_begins(job)) {
      send_end_response(payload, job);
      owner_.job_over(payload);
    }
    payload.release();
  }

  void completed_later(Payload& payload) { completed(payload, job_of<Job>(payload)); }
  [[gnu::noinline]] void completed(Payload& payload, Job& job) {
    if (!response_comes(payload, job)) completed_.push_front(&job);
  }
  // Returns whether the target answered the request of this job with TLM_COMPLETED, and forgets the job.
  [[gnu::noinline]] bool take_completed(Job& job) { return std::erase(completed_, &job) != 0; }

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

  // The members that each job uses are next to each other. The socket is large, so it comes last.
  Calendar& calendar_;
  Owner& owner_;
  DirectLink<JobTargetEnd<Job>> link_;
  Job* requesting_ = nullptr;          // the job whose request has not ended
  std::forward_list<Job*> completed_;  // answered with TLM_COMPLETED; end_response() has not been called

 public:
  JobInitiatorSocket<Job> socket;
};

// The target's port. Its owner must have these functions:
//   RequestAnswer request_begins(Job&, Tick now)  `job.payload` is the payload that carries the job
//   void response_ended(Job&, Tick now)
//   Tick response_time(const Job&)        returns the duration of the response to a blocking call (without END_RESP)
//   unsigned int look_at(Payload&, Job&)  called by the debug transport: carries out the job without simulated time
//                                         and returns the number of bytes
template <class Job, class Owner>
class JobTargetPort final : private JobTargetEnd<Job> {
 public:
  using Payload = tlm::tlm_generic_payload;

  JobTargetPort(const char* name, Calendar& calendar, Owner& owner) : calendar_(calendar), owner_(owner), socket(name) {
    socket.bind(static_cast<JobForward<Job>&>(*this));
  }

  void end_request(Job& job) {
    if (JobInitiatorEnd<Job>* const initiator = link_.found(calendar_)) [[likely]]
      return initiator->request_ends(job);
    find_initiator_and_end(job);
  }

  // Sends BEGIN_RESP. Returns whether the response has ended during the call. If not, response_ended() is called later.
  bool begin_response(Job& job) {
    if (JobInitiatorEnd<Job>* const initiator = link_.found(calendar_)) [[likely]]
      return initiator->response_comes(job);
    return find_initiator_and_respond(job);
  }

 private:
  // A waiting call of b_transport. A JobInitiatorPort makes no such calls, so a link that is called directly has none.
  struct Blocking {
    Payload* payload;
    bool completed;  // request_begins() has completed the job, so response_ended() is not called
    sc_core::sc_event done;
  };

  // JobTargetEnd
  bool runs_in(const Calendar& calendar) const override { return &calendar == &calendar_; }
  RequestAnswer request_comes(Job& job) override { return owner_.request_begins(job, calendar_.now()); }
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
      job.payload = &payload;
      switch (request_comes(job)) {
        case RequestAnswer::later: return tlm::TLM_ACCEPTED;
        case RequestAnswer::ended: phase = tlm::END_REQ; return tlm::TLM_UPDATED;
        case RequestAnswer::completed: payload.set_response_status(tlm::TLM_OK_RESPONSE); return tlm::TLM_COMPLETED;
      }
    }
    if (phase != tlm::END_RESP) [[unlikely]]
      refuse_phase(phase, socket.name());
    response_ends(job);
    return tlm::TLM_COMPLETED;
  }

  // Handles a request that arrives as an event of the calendar. The port answers it with a call to the initiator,
  // because there is no call that could return the answer.
  void request_came(Payload& payload) {
    Job& job = job_of<Job>(payload);
    job.payload = &payload;
    switch (request_comes(job)) {
      case RequestAnswer::later: return;
      case RequestAnswer::ended: return end_request(job);
      case RequestAnswer::completed:
        if (Blocking* const call = blocking(payload)) call->completed = true;
        begin_response(job);
    }
  }

  [[gnu::noinline]] void find_initiator_and_end(Job& job) {
    Payload& payload = *job.payload;
    if (blocking(payload) != nullptr) return;
    if (JobInitiatorEnd<Job>* const initiator = link_.find(socket, calendar_)) return initiator->request_ends(job);
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = annotated_delay(calendar_);
    // The initiator's return value carries no information after END_REQ.
    socket->nb_transport_bw(payload, phase, delay);
  }

  [[gnu::noinline]] bool find_initiator_and_respond(Job& job) {
    Payload& payload = *job.payload;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (Blocking* const call = blocking(payload)) {
      const Tick takes = owner_.response_time(job);
      if (takes != 0) {
        calendar_.schedule<&JobTargetPort::blocking_ended>(calendar_.now() + takes, *this, payload);
        return false;
      }
      end_blocking(*call);
      return true;
    }
    if (JobInitiatorEnd<Job>* const initiator = link_.find(socket, calendar_)) return initiator->response_comes(job);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = annotated_delay(calendar_);
    const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
    const bool over = status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
    if (!over || at_present(calendar_, delay)) return over;
    end_later(payload, entry_time(calendar_, delay, socket.name()));
    return false;
  }

  // Schedules the end of a response at the time that the initiator has given. The port acquires the payload, because
  // the initiator may release it before this time.
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

 public:
  JobTargetSocket<Job> socket;
};

}  // namespace nandscape
