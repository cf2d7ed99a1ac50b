// SPDX-License-Identifier: Apache-2.0
// A channel between the flash controller's socket and a socket per die. The same payload travels on both sides.
#pragma once

#include <memory>
#include <vector>

#include "channel/channel_bus.h"
#include "protocol/job_socket.h"

namespace nandscape::channel {

class ChannelModule final : public sc_core::sc_module, private JobForward<NandCommand>, private ChannelBus::Ends {
 public:
  ChannelModule(sc_core::sc_module_name name, Calendar& calendar, const BusTiming& timing, BusArbitration arbitration,
                std::uint32_t dies);

  JobTargetSocket<NandCommand> socket;
  JobInitiatorSocket<NandCommand>& die_socket(std::uint32_t die) { return dies_[die]->socket; }

  const ChannelCounters& counters() const { return bus_.counters(); }
  void persist_counters(Archive& archive) { bus_.persist_counters(archive); }

 private:
  // The backward path of one die.
  struct DieSide final : JobBackward<NandCommand> {
    DieSide(ChannelModule& owner, const char* name) : channel(owner), socket(name) { socket.bind(*this); }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    ChannelModule& channel;
    JobInitiatorSocket<NandCommand> socket;
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

  void deliver(NandCommand& command, Tick now) override;
  void begin_response(NandCommand& command, Tick now) override;
  void drop_responses(std::uint32_t die);
  tlm::tlm_sync_enum send_up(NandCommand& command, tlm::tlm_phase phase);

  Calendar& calendar_;
  ChannelBus bus_;
  std::vector<std::unique_ptr<DieSide>> dies_;
};

}  // namespace nandscape::channel
