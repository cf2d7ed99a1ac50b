// SPDX-License-Identifier: Apache-2.0
// Sends each command by a blocking call, which returns when the die has completed the command.
#pragma once

#include <systemc>
#include <vector>

#include "job.h"
#include "protocol/job_socket.h"
#include "protocol/simulated_time.h"

class BlockingInitiator final : public sc_core::sc_module, private nandscape::JobBackward<nandscape::NandCommand> {
 public:
  SC_HAS_PROCESS(BlockingInitiator);
  explicit BlockingInitiator(sc_core::sc_module_name name) : sc_module(name) {
    socket.bind(*this);
    SC_THREAD(run);
  }

  nandscape::JobInitiatorSocket<nandscape::NandCommand> socket{"socket"};
  std::vector<Times> times;
  bool data_right = true;

 private:
  void run() {
    std::vector<std::byte> data(page_bytes);
    for (const Step& step : steps) {
      const bool reads = step.operation == nandscape::NandOperation::read;
      std::fill(data.begin(), data.end(), static_cast<std::byte>(reads ? 0xee : step.page));
      nandscape::NandCommand command = command_of(step, data.data());
      tlm::tlm_generic_payload& payload = payloads_.acquire(command);
      const nandscape::Tick begin = nandscape::to_ticks(sc_core::sc_time_stamp());
      sc_core::sc_time delay;
      socket->b_transport(payload, delay);
      wait(delay);
      times.push_back({.begin_request = begin, .end_response = nandscape::to_ticks(sc_core::sc_time_stamp())});
      data_right = data_right && payload.is_response_ok() && command.status == nandscape::NandStatus::pass &&
                   (!reads || data == std::vector(page_bytes, static_cast<std::byte>(step.page)));
      payload.release();
    }
  }

  // Required by the interface, but never called: b_transport has no phases.
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  nandscape::JobPayloadPool<nandscape::NandCommand> payloads_;
};
