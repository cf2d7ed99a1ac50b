// SPDX-License-Identifier: Apache-2.0
// The target side of a socket for plain reads and writes, for example of the registers of a device. The initiator may
// call b_transport or use phases, with or without a delay. In every case, the owner of the port receives each access
// once, at the time of the access:
//
//   a block that runs in the calendar calls at the calendar's current time and receives its answer within the call;
//   a thread waits in b_transport until the calendar reaches its time, however far the thread has run ahead;
//   BEGIN_REQ at another time becomes an event of the calendar: the request ends at once and BEGIN_RESP follows;
//   b_transport from a process that cannot wait, or from outside all processes, is also answered within the call.
#pragma once

#include <systemc>
#include <tlm>
#include <vector>

#include "core/calendar.h"
#include "protocol/direct_writes.h"
#include "protocol/entry_time.h"
#include "protocol/immediate_target.h"

namespace nandscape {

// Keeps the initiators whose accesses have not ended, and ends their accesses.
class AccessCallers {
 public:
  using Payload = tlm::tlm_generic_payload;
  using Backward = sc_core::sc_port_b<tlm::tlm_bw_transport_if<>>;

  AccessCallers(Calendar& calendar, Backward& backward) : calendar_(calendar), backward_(backward) {}

  // Blocks the calling thread until its access ends. Returns the end time.
  Tick wait(Payload& payload);

  // Ends an access at the time `at`, which is the current time or later. Wakes the thread that waits for the access; if
  // there is none, sends BEGIN_RESP.
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

// Owner is a class with these members:
//   Tick access(Payload&, Tick at)  carries out an access at the time `at`, which is the current time, or later if the
//                                   caller cannot wait until then. Sets the response status. Returns the time at which
//                                   the access ends for the initiator, or `never` if the owner will call end()
//   unsigned int look_at(Payload&)  serves debug transport: the same access in no time and without side effects;
//                                   returns the number of bytes
//   bool immediate() const          true if access() never returns `never`; called once all sockets are bound
//   bool writes_directly()          true if write_doubleword() may be called; called once all sockets are bound
//   void write_doubleword(address, value, Tick at)  see DirectWrites
template <class Owner>
class AccessPort final : public tlm::tlm_fw_transport_if<>, public ImmediateTarget, public DirectWrites {
 public:
  using Payload = tlm::tlm_generic_payload;

  template <class Socket>
  AccessPort(Socket& socket, Calendar& calendar, Owner& owner)
      : calendar_(calendar), owner_(owner), name_(socket.name()), callers_(calendar, socket.get_base_port()) {
    socket.bind(*this);
  }

  // Ends an access for which access() has returned `never`. `at` is the time of the end, which is the current time or
  // later.
  void end(Payload& payload, Tick at) { callers_.end(payload, at); }

  bool immediate() const override { return owner_.immediate(); }

  bool runs_in(const Calendar& calendar) override { return &calendar == &calendar_ && owner_.writes_directly(); }
  void write_doubleword(std::uint64_t address, std::uint32_t value, Tick at) override {
    owner_.write_doubleword(address, value, at);
  }

  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    // The calendar runs in an SC_METHOD, which cannot wait. So the caller cannot wait either while the calendar runs.
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
