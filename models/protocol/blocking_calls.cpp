// SPDX-License-Identifier: Apache-2.0
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include "protocol/blocking_calls.h"

#include <utility>

#include "protocol/entry_time.h"

namespace nandscape {

BlockingCalls::BlockingCalls(sc_core::sc_module_name name, Calendar& calendar, Socket& socket, Client& client)
    : sc_module(name), calendar_(calendar), socket_(socket), client_(client) {}

void BlockingCalls::call(tlm::tlm_generic_payload& payload) {
  if (free_.empty()) {
    Worker& made = *workers_.emplace_back(std::make_unique<Worker>());
    sc_core::sc_spawn([this, &made] { work(made); });
    free_.push_back(&made);
  }
  Worker& worker = *free_.back();
  free_.pop_back();
  worker.payload = &payload;
  worker.begin = calendar_.now();
  worker.asked = true;
  calendar_.hold();
  worker.begun.notify(sc_core::SC_ZERO_TIME);
}

// The loop of a worker thread. A new thread is created for a call and begins with this call, although the event `begun`
// is notified only later. The flag `asked` therefore indicates whether there is a call, not the event.
void BlockingCalls::work(Worker& worker) {
  for (;;) {
    while (!std::exchange(worker.asked, false)) wait(worker.begun);
    sc_core::sc_time delay = to_sc_time(worker.begin) - sc_core::sc_time_stamp();
    socket_->b_transport(*worker.payload, delay);
    calendar_.schedule<&BlockingCalls::end>(entry_time(calendar_, delay, socket_.name()), *this, worker);
    calendar_.release();
  }
}

void BlockingCalls::end(Worker& worker) {
  free_.push_back(&worker);
  client_.call_ended(*worker.payload);
}

}  // namespace nandscape
