// SPDX-License-Identifier: Apache-2.0
#include "channel/channel_module.h"

#include "core/error.h"

namespace nandscape::channel {

ChannelModule::ChannelModule(sc_core::sc_module_name name, Calendar& calendar, const BusTiming& timing,
                             BusArbitration arbitration, std::uint32_t dies)
    : sc_module(name),
      controller_("socket", calendar, *this),
      bus_(calendar, timing, arbitration, dies, *this),
      calendar_(calendar) {
  for (std::uint32_t die = 0; die < dies; ++die) {
    dies_.push_back(std::make_unique<DieSide>(*this, ("die_socket_" + std::to_string(die)).c_str()));
  }
}

RequestAnswer ChannelModule::request_begins(NandCommand& command, Tick now) {
  if (is_cache_read(command)) {
    bus_.request_cache_read(command, now);
    return RequestAnswer::ended;
  }
  bus_.request(command, now);
  return RequestAnswer::later;
}

// Ends the response at the die first. The die's next response, if any, then queues for the bus before the bus is
// granted again.
void ChannelModule::response_ended(NandCommand& command, Tick now) {
  dies_[command.die.value]->port.end_response(command);
  bus_.response_ended(now);
}

unsigned int ChannelModule::look_at(tlm::tlm_generic_payload& payload, NandCommand& command) {
  return command.die.value < dies_.size() ? dies_[command.die.value]->port.socket->transport_dbg(payload) : 0;
}

void ChannelModule::deliver(NandCommand& command, Tick) {
  if (command.operation == NandOperation::reset) drop_responses(command.die);
  dies_[command.die.value]->port.begin_request(command);
}

void ChannelModule::DieSide::request_ended(NandCommand& command, Tick) {
  if (request_ends_by_itself(command)) channel.controller_.end_request(command);
}

bool ChannelModule::DieSide::response_begins(NandCommand& command, Tick now) {
  // The responses of two kinds of commands do not use the bus: commands that the die answers at once, for example
  // SUSPEND, and aborted commands. The reset that aborts a command occupies the bus itself.
  if (completed_in_the_call(command)) return channel.controller_.begin_response(command);
  channel.bus_.response_ready(command, now);
  return false;
}

// Aborts the responses of the die that wait for the bus; called when the die is reset. The loop is needed because the
// die's next plane may queue its response as soon as one response has been withdrawn.
void ChannelModule::drop_responses(DieInChannel die) {
  while (NandCommand* waiting = bus_.withdraw_response(die)) {
    waiting->status = NandStatus::aborted;
    waiting->response_time = 0;
    if (!controller_.begin_response(*waiting)) {
      throw ProtocolError(std::string(name()) + ": " + to_string(*waiting) +
                          " was aborted, but its response was not completed within the call");
    }
    dies_[die.value]->port.end_response(*waiting);
  }
}

// Sends BEGIN_RESP to the controller. If the controller ends the response within the call, the bus becomes free at the
// same time.
void ChannelModule::begin_response(NandCommand& command, Tick) {
  if (controller_.begin_response(command)) {
    calendar_.schedule<&ChannelModule::response_taken>(calendar_.now(), *this, command);
  }
}

void ChannelModule::response_taken(NandCommand& command) { response_ended(command, calendar_.now()); }

}  // namespace nandscape::channel
