// SPDX-License-Identifier: Apache-2.0
#include "channel/channel_module.h"

#include "core/error.h"
#include "protocol/simulated_time.h"

namespace nandscape::channel {

ChannelModule::ChannelModule(sc_core::sc_module_name name, Calendar& calendar, const BusTiming& timing,
                             BusArbitration arbitration, std::uint32_t dies)
    : sc_module(name), socket("socket"), calendar_(calendar), bus_(calendar, timing, arbitration, dies, *this) {
  socket.bind(static_cast<JobForward<NandCommand>&>(*this));
  for (std::uint32_t die = 0; die < dies; ++die) {
    dies_.push_back(std::make_unique<DieSide>(*this, ("die_socket_" + std::to_string(die)).c_str()));
  }
}

tlm::tlm_sync_enum ChannelModule::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
  NandCommand& command = job_of<NandCommand>(payload);
  if (phase == tlm::BEGIN_REQ) {
    if (is_cache_read(command)) {
      bus_.request_cache_read(command, call_time(calendar_, delay));
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }
    bus_.request(command, call_time(calendar_, delay));
    return tlm::TLM_ACCEPTED;
  }
  // END_RESP goes on to the die first, so that its next response queues for the bus before the bus is given away.
  dies_[command.die]->socket->nb_transport_fw(payload, phase, delay);
  bus_.response_ended(command, call_time(calendar_, delay));
  return tlm::TLM_COMPLETED;
}

void ChannelModule::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  // Blocking access would reserve the bus across the array time.
  payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
}

void ChannelModule::deliver(NandCommand& command, Tick) {
  if (command.operation == NandOperation::reset) drop_responses(command.die);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = annotated_delay(calendar_);
  const tlm::tlm_sync_enum status = dies_[command.die]->socket->nb_transport_fw(*command.payload, phase, delay);
  if (is_cache_read(command)) return;
  // A command that its die completes at once has no response phase of its own.
  send_up(command, status == tlm::TLM_COMPLETED ? tlm::BEGIN_RESP : tlm::END_REQ);
}

// What waits for the bus when its die is reset is not fetched any more. The next plane's response may come up behind
// it.
void ChannelModule::drop_responses(std::uint32_t die) {
  while (NandCommand* waiting = bus_.withdraw_response(die)) {
    waiting->status = NandStatus::aborted;
    waiting->response_time = 0;
    if (send_up(*waiting, tlm::BEGIN_RESP) != tlm::TLM_COMPLETED) {
      throw ProtocolError(std::string(name()) + ": " + to_string(*waiting) +
                          " was aborted, but its response was not completed in the call that brought it");
    }
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = annotated_delay(calendar_);
    dies_[die]->socket->nb_transport_fw(*waiting->payload, phase, delay);
  }
}

void ChannelModule::begin_response(NandCommand& command, Tick) { send_up(command, tlm::BEGIN_RESP); }

tlm::tlm_sync_enum ChannelModule::send_up(NandCommand& command, tlm::tlm_phase phase) {
  sc_core::sc_time delay = annotated_delay(calendar_);
  return socket->nb_transport_bw(*command.payload, phase, delay);
}

tlm::tlm_sync_enum ChannelModule::DieSide::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                           sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  NandCommand& command = job_of<NandCommand>(payload);
  // It takes no time on the bus, which is the reset's at this moment.
  if (command.status == NandStatus::aborted) return channel.send_up(command, tlm::BEGIN_RESP);
  channel.bus_.response_ready(command, call_time(channel.calendar_, delay));
  return tlm::TLM_ACCEPTED;
}

}  // namespace nandscape::channel
