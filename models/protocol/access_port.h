// SPDX-License-Identifier: Apache-2.0
// The target's end of a socket for plain reads and writes, the registers of a device for instance. Whoever calls, by
// b_transport or by phases, with or without a delay, the owner gets each access once, at its own time:
//
//   a block that runs in the calendar calls at the calendar's present, and is answered in the call;
//   a thread waits in b_transport until the calendar has come to its time, however far it has run ahead;
//   BEGIN_REQ at another time is an event of the calendar, its request ends at once, and BEGIN_RESP follows;
//   b_transport from a process that cannot wait, or from outside of all processes, is answered in the call as well.
#pragma once

#include <systemc>
#include <tlm>
#include <vector>

#include "core/calendar.h"
#include "protocol/entry_time.h"
#include "protocol/immediate_target.h"

namespace nandscape {

// Those who have called and wait for the end of their access.
class AccessCallers {
 public:
  using Payload = tlm::tlm_generic_payload;
  using Backward = sc_core::sc_port_b<tlm::tlm_bw_transport_if<>>;

  AccessCallers(Calendar& calendar, Backward& backward) : calendar_(calendar), backward_(backward) {}

  // The thread that calls waits until its access is over. Returns when that is for it.
  Tick wait(Payload& payload);

  // An access is over at `at`, now or later, for the thread that waits, or for whom BEGIN_RESP is sent.
  void end(Payload& payload, Tick at);

  [[noreturn]] static void refuse_to_wait(const char* socket);

 private:
  struct Blocking {
    Payload* payload;
    Tick end = 0;
    sc_core::sc_event over;
  };

  void respond(Payload& payload);

  Calendar& calendar_;
  Backward& backward_;
  std::vector<Blocking*> blocking_;
};

// Owner:
//   Tick access(Payload&, Tick at)  carries out an access of `at`: the present, or later when the caller cannot wait
//                                   until then. Sets the response status, and returns when the access is over for the
//                                   initiator, or `never`: then end() says so
//   unsigned int look_at(Payload&)  debug transport: the same in no time and without effects; returns the number of
//                                   bytes
//   bool immediate() const          whether access() never returns `never`; asked once all is bound
template <class Owner>
class AccessPort final : public tlm::tlm_fw_transport_if<>, public ImmediateTarget {
 public:
  using Payload = tlm::tlm_generic_payload;

  template <class Socket>
  AccessPort(Socket& socket, Calendar& calendar, Owner& owner)
      : calendar_(calendar), owner_(owner), name_(socket.name()), callers_(calendar, socket.get_base_port()) {
    socket.bind(*this);
  }

  // An access is over at `at`, now or later.
  void end(Payload& payload, Tick at) { callers_.end(payload, at); }

  bool immediate() const override { return owner_.immediate(); }

  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    // While the calendar runs, no process does that could wait.
    if (calendar_.running() || !in_waiting_process()) [[likely]] {
      const Tick at = entry_time(calendar_, delay, name_);
      const Tick end = owner_.access(payload, at);
      if (end == never) [[unlikely]]
        AccessCallers::refuse_to_wait(name_);
      delay += to_sc_time(end - at);
      return;
    }
    calendar_.schedule<&AccessPort::begin>(entry_time(calendar_, delay, name_), *this, payload);
    const Tick end = callers_.wait(payload);
    delay = to_sc_time(end) - sc_core::sc_time_stamp();
  }

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    if (phase == tlm::END_RESP) {
      payload.release();
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) refuse_phase(phase, name_);
    if (at_present(calendar_, delay)) {
      const Tick end = owner_.access(payload, calendar_.now());
      if (end != never) {
        delay += to_sc_time(end - calendar_.now());
        return tlm::TLM_COMPLETED;
      }
      payload.acquire();
    } else {
      payload.acquire();
      calendar_.schedule<&AccessPort::begin>(entry_time(calendar_, delay, name_), *this, payload);
    }
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }

  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload& payload) override { return owner_.look_at(payload); }

 private:
  void begin(Payload& payload) {
    const Tick at = owner_.access(payload, calendar_.now());
    if (at != never) end(payload, at);
  }

  Calendar& calendar_;
  Owner& owner_;
  const char* name_;
  AccessCallers callers_;
};

}  // namespace nandscape
