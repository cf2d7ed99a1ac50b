// SPDX-License-Identifier: Apache-2.0
#include "phases_initiator.h"

#include <algorithm>

#include "protocol/simulated_time.h"

using nandscape::NandCommand;
using nandscape::to_sc_time;
using nandscape::to_ticks;

PhasesInitiator::PhasesInitiator(sc_core::sc_module_name name) : sc_module(name) {
  SC_HAS_PROCESS(PhasesInitiator);
  socket.bind(*this);
  SC_THREAD(run);
}

void PhasesInitiator::run() {
  std::vector<std::byte> data(page_bytes);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Step& step = steps[k];
    const bool reads = step.operation == nandscape::NandOperation::read;
    std::fill(data.begin(), data.end(), static_cast<std::byte>(reads ? 0xee : step.page));
    NandCommand& command = commands_[k] = command_of(step, data.data());
    Payload& payload = payloads_.acquire(command);
    request(payload);
    wait(response_over_);

    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    socket->nb_transport_fw(payload, phase, delay);
    now_.end_response = to_ticks(sc_core::sc_time_stamp());
    times.push_back(now_);
    data_right = data_right && payload.is_response_ok() && command.status == nandscape::NandStatus::pass &&
                 (!reads || data == std::vector(page_bytes, static_cast<std::byte>(step.page)));
    payload.release();
  }
}

void PhasesInitiator::request(Payload& payload) {
  now_ = {.begin_request = to_ticks(sc_core::sc_time_stamp())};
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  // TLM_COMPLETED cannot occur, since it is only for commands without data and status cycles.
  if (socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_UPDATED) phase_came(payload, phase, delay);
}

tlm::tlm_sync_enum PhasesInitiator::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  phase_came(payload, phase, delay);
  return tlm::TLM_ACCEPTED;
}

// After BEGIN_RESP, the command occupies the bus for its `response_time`; then this initiator sends END_RESP.
void PhasesInitiator::phase_came(Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
  const nandscape::Tick at = to_ticks(sc_core::sc_time_stamp() + delay);
  if (phase == tlm::END_REQ) {
    now_.end_request = at;
  } else if (phase == tlm::BEGIN_RESP) {
    now_.begin_response = at;
    response_over_.notify(delay + to_sc_time(nandscape::job_of<NandCommand>(payload).response_time));
  }
}
