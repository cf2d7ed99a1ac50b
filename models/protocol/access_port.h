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
#include "protocol/immediate_target.h"

namespace nandscape {

class AccessPort final : public tlm::tlm_fw_transport_if<>, public ImmediateTarget {
 public:
  using Payload = tlm::tlm_generic_payload;

  class Owner {
   public:
    // Carries out an access of `at`: the present, or later when the caller cannot wait until then. Sets the response
    // status, and returns when the access is over for the initiator, or `never`: then AccessPort::end() says so.
    virtual Tick access(Payload& payload, Tick at) = 0;
    // Debug transport: the same in no time and without effects; returns the number of bytes.
    virtual unsigned int look_at(Payload& payload) = 0;
    // Whether access() never returns `never`; asked once all is bound.
    virtual bool immediate() const = 0;

   protected:
    ~Owner() = default;
  };

  template <class Socket>
  AccessPort(Socket& socket, Calendar& calendar, Owner& owner)
      : backward_(socket.get_base_port()), name_(socket.name()), calendar_(calendar), owner_(owner) {
    socket.bind(*this);
  }

  // An access is over at `at`, now or later.
  void end(Payload& payload, Tick at);

  bool immediate() const override { return owner_.immediate(); }
  void b_transport(Payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload& payload) override { return owner_.look_at(payload); }

 private:
  // A thread that waits in b_transport.
  struct Blocking {
    Payload* payload;
    Tick end = 0;
    sc_core::sc_event over;
  };

  void begin(Payload& payload);
  void respond(Payload& payload);

  sc_core::sc_port_b<tlm::tlm_bw_transport_if<>>& backward_;
  const char* name_;
  Calendar& calendar_;
  Owner& owner_;
  std::vector<Blocking*> blocking_;
};

}  // namespace nandscape
