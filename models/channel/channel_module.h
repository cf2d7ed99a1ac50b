// SPDX-License-Identifier: Apache-2.0
// A channel: connects the socket of the flash controller with one socket for each die, and models the bus between them.
// The payload that arrives from the controller is also the payload that is sent to the die.
#pragma once

#include <memory>
#include <vector>

#include "channel/channel_bus.h"
#include "protocol/job_port.h"

namespace nandscape::channel {

class ChannelModule final : public sc_core::sc_module {
 public:
  ChannelModule(sc_core::sc_module_name name, Calendar& calendar, const BusTiming& timing, BusArbitration arbitration,
                std::uint32_t dies);

  JobTargetSocket<NandCommand>& socket() { return controller_.socket; }
  JobInitiatorSocket<NandCommand>& die_socket(DieInChannel die) { return dies_[die.value]->port.socket; }

  const ChannelCounters& counters() const { return bus_.counters(); }
  void persist_counters(Archive& archive) { bus_.persist_counters(archive); }

 private:
  // The side of the channel that faces one die, with the socket to the die.
  struct alignas(64) DieSide final {
    DieSide(ChannelModule& owner, const char* name) : channel(owner), port(name, owner.calendar_, *this) {}

    // Called by the port that faces the die.
    void request_ended(NandCommand& command, Tick now);
    bool response_begins(NandCommand& command, Tick now);
    void job_over(tlm::tlm_generic_payload&) {}

    ChannelModule& channel;
    JobInitiatorPort<NandCommand, DieSide> port;
  };
  friend class JobTargetPort<NandCommand, ChannelModule>;
  friend class ChannelBus<ChannelModule>;

  // Called by the port that faces the controller.
  RequestAnswer request_begins(NandCommand& command, Tick now);
  void response_ended(NandCommand& command, Tick now);
  Tick response_time(const NandCommand& command) const { return command.response_time; }
  unsigned int look_at(tlm::tlm_generic_payload& payload, NandCommand& command);

  // Called by the bus.
  void deliver(NandCommand& command, Tick now);
  void begin_response(NandCommand& command, Tick now);

  void drop_responses(DieInChannel die);
  void response_taken(NandCommand& command);

  // Each command uses the dies with the first members of the port, and the bus, which fill three cache lines.
  alignas(64) std::vector<std::unique_ptr<DieSide>> dies_;
  JobTargetPort<NandCommand, ChannelModule> controller_;
  alignas(64) ChannelBus<ChannelModule> bus_;
  Calendar& calendar_;
};

}  // namespace nandscape::channel
