// SPDX-License-Identifier: Apache-2.0
// Makes blocking transport calls for a block that runs in the calendar, to targets that may call wait(). Each call runs
// in a thread from a pool. The end of the call is an event of the calendar. It occurs when the target has returned and
// the delay that it returned has passed.
#pragma once

#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "core/calendar.h"

namespace nandscape {

class BlockingCalls final : public sc_core::sc_module {
 public:
  class Client {
   public:
    virtual void call_ended(tlm::tlm_generic_payload& payload) = 0;

   protected:
    ~Client() = default;
  };

  using Socket = sc_core::sc_port_b<tlm::tlm_fw_transport_if<>>;

  // Each call is made to the target that is bound to `socket`.
  BlockingCalls(sc_core::sc_module_name name, Calendar& calendar, Socket& socket, Client& client);

  // Calls b_transport at the current time of the calendar. The payload must exist until Client::call_ended() is called.
  void call(tlm::tlm_generic_payload& payload);

 private:
  struct Worker {
    sc_core::sc_event begun;
    tlm::tlm_generic_payload* payload = nullptr;
    Tick begin = 0;
    bool asked = false;
  };

  void work(Worker& worker);
  void end(Worker& worker);

  Calendar& calendar_;
  Socket& socket_;
  Client& client_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Worker*> free_;
};

}  // namespace nandscape
