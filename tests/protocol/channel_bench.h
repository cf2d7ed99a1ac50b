// SPDX-License-Identifier: Apache-2.0
// The common base of CommandBench and SchedulerBench: one channel with its dies, and an initiator that takes the place
// of the controller. If `checked` is true, a protocol checker is connected into every link.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "channel/channel_module.h"
#include "nand/die_module.h"
#include "platform/wiring/calendar_module.h"
#include "protocol/protocol_checker.h"
#include "small_device.h"
#include "unit/nand/fake_cells.h"

namespace nandscape {

class ChannelBench {
 public:
  // Runs until no events are left, and checks that every transaction has ended.
  void run() {
    driver_.run(never);
    driver_.rethrow();
    for (const auto& checker : checkers_) CHECK(checker->outstanding_histories() == "");
  }

 private:
  struct Initiator final : sc_core::sc_module, JobBackward<NandCommand> {
    Initiator(sc_core::sc_module_name name, ChannelBench& owner) : sc_module(name), bench(owner), socket("socket") {
      socket.bind(static_cast<JobBackward<NandCommand>&>(*this));
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
      return bench.receive(job_of<NandCommand>(payload), phase, call_time(bench.calendar, delay));
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    ChannelBench& bench;
    JobInitiatorSocket<NandCommand> socket;
  };
  using Checker = ProtocolChecker<JobProtocol<NandCommand>>;

  Kernel kernel_;

 public:
  Calendar calendar;

 private:
  CalendarModule driver_{"calendar", calendar, millisecond};
  Initiator initiator_{"initiator", *this};

 public:
  const Geometry geometry;
  const nand::NandTiming nand_timing;
  const channel::BusTiming bus_timing;
  channel::ChannelModule channel;
  std::vector<std::unique_ptr<nand::DieModule>> die;

 protected:
  ChannelBench(bool checked, const Geometry& g, const FlashDeviceParameters& p, nand::CellArray* cells)
      : geometry(g),
        nand_timing(p.nand),
        bus_timing(p.channel, geometry),
        channel("channel", calendar, bus_timing, p.channel.arbitration, geometry.dies_per_channel()) {
    connect(checked, initiator_.socket, channel.socket());
    for (std::uint32_t d = 0; d < geometry.dies_per_channel(); ++d) {
      const std::string name = "die_" + std::to_string(d);
      auto store = std::make_unique<nand::PageStore>(
          PageLayout::sharing_spare(geometry.page_bytes, geometry.spare_bytes, geometry.page_bytes),
          nand::PageStore::Spare::left_out);
      die.push_back(
          std::make_unique<nand::DieModule>(name.c_str(), calendar, geometry, nand_timing, std::move(store), cells));
      connect(checked, channel.die_socket(DieInChannel(d)), die[d]->socket());
    }
  }
  ~ChannelBench() = default;

  // Called with each protocol phase that the channel sends to the initiator.
  virtual tlm::tlm_sync_enum receive(NandCommand& command, const tlm::tlm_phase& phase, Tick now) = 0;

  tlm::tlm_sync_enum send_phase(NandCommand& command, tlm::tlm_phase phase) {
    if (command.payload == nullptr) command.payload = &pool_.acquire(command);
    if (phase == tlm::BEGIN_REQ) command.payload->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = annotated_delay(calendar);
    return initiator_.socket->nb_transport_fw(*command.payload, phase, delay);
  }

 private:
  void connect(bool checked, JobInitiatorSocket<NandCommand>& initiator, JobTargetSocket<NandCommand>& target) {
    if (!checked) {
      initiator.bind(target);
      return;
    }
    checkers_.push_back(std::make_unique<Checker>(("checker_" + std::to_string(checkers_.size())).c_str()));
    initiator.bind(checkers_.back()->target);
    checkers_.back()->initiator.bind(target);
  }

  std::vector<std::unique_ptr<Checker>> checkers_;
  JobPayloadPool<NandCommand> pool_;
};

}  // namespace nandscape
