// SPDX-License-Identifier: Apache-2.0
// Sends each command by the four phases of nb_transport. The calendar calls nb_transport_bw, possibly ahead of SystemC:
// the phase takes effect at sc_time_stamp() plus the call's delay, and the thread wakes up at that time.
#pragma once

#include <systemc>
#include <vector>

#include "job.h"
#include "protocol/job_socket.h"

class PhasesInitiator final : public sc_core::sc_module, private nandscape::JobBackward<nandscape::NandCommand> {
 public:
  explicit PhasesInitiator(sc_core::sc_module_name name);

  nandscape::JobInitiatorSocket<nandscape::NandCommand> socket{"socket"};
  std::vector<Times> times;
  bool data_right = true;

 private:
  using Payload = tlm::tlm_generic_payload;

  void run();
  void request(Payload& payload);
  void phase_came(Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay);

  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  nandscape::JobPayloadPool<nandscape::NandCommand> payloads_;
  // One command for each step. A command must exist until the last reference to its payload is released, which may
  // happen after END_RESP.
  std::array<nandscape::NandCommand, steps.size()> commands_;
  Times now_;
  sc_core::sc_event response_over_;
};
