// SPDX-License-Identifier: Apache-2.0
// One channel with two dies, and an initiator that sends the commands a test gives. Times are those of small_device.h.
#pragma once

#include <deque>
#include <initializer_list>
#include <memory>
#include <vector>

#include "channel/channel_module.h"
#include "nand/die_module.h"
#include "platform/calendar_module.h"
#include "protocol/protocol_checker.h"
#include "small_device.h"
#include "unit/nand/fake_cells.h"

namespace nandscape {

class CommandBench {
 public:
  // A command with the times of its phases.
  struct Sent {
    NandCommand command;
    Tick begun = never;      // BEGIN_REQ
    Tick accepted = never;   // END_REQ, or the BEGIN_RESP of a command that is answered at once
    Tick answered = never;   // BEGIN_RESP
    Tick completed = never;  // END_RESP
    Sent* next = nullptr;    // is sent when this one has been accepted
  };

  static constexpr std::uint32_t dies = 2;
  bool completes_aborted = true;  // as the protocol wants it

  // With `checked`, a checker sits in every link.
  explicit CommandBench(bool checked, const FlashDeviceParameters& p = small_device(), CellArray* cells = nullptr)
      : geometry{.chips_per_channel = dies,
                 .planes_per_die = p.nand.geometry.planes_per_die,
                 .blocks_per_plane = p.nand.geometry.blocks_per_plane,
                 .pages_per_block = p.nand.geometry.pages_per_block,
                 .page_bytes = p.nand.geometry.page_bytes,
                 .spare_bytes = p.nand.geometry.spare_bytes},
        nand_timing(p.nand),
        bus_timing(p.channel, geometry),
        channel("channel", calendar, bus_timing, p.channel.arbitration, dies) {
    connect(checked, initiator_.socket, channel.socket);
    for (std::uint32_t d = 0; d < dies; ++d) {
      const std::string name = "die_" + std::to_string(d);
      auto store = std::make_unique<PageStore>(
          PageLayout::sharing_spare(geometry.page_bytes, geometry.spare_bytes, geometry.page_bytes),
          PageStore::Spare::left_out);
      die.push_back(
          std::make_unique<DieModule>(name.c_str(), calendar, geometry, nand_timing, std::move(store), cells));
      connect(checked, channel.die_socket(d), die[d]->socket);
    }
  }

  Sent& make(NandOperation operation, std::uint32_t plane = 0, std::uint32_t block = 0, std::uint32_t page = 0) {
    Sent& sent = sent_.emplace_back();
    NandCommand& command = sent.command;
    command.operation = operation;
    command.plane = plane;
    command.block = block;
    command.page = page;
    const bool moves_page = operation == NandOperation::read || operation == NandOperation::program;
    command.bytes = moves_page ? geometry.page_bytes : 0;
    command.owner = &sent;
    command.payload = &pool_.acquire(command);
    return sent;
  }

  // Sends commands from that time on, each as soon as the one before it has been accepted.
  void at(Tick time, std::initializer_list<Sent*> commands) {
    Sent* last = nullptr;
    for (Sent* sent : commands) {
      if (last != nullptr) last->next = sent;
      last = sent;
    }
    calendar.schedule<&CommandBench::send>(time, *this, reinterpret_cast<std::uint64_t>(*commands.begin()));
  }
  void at(Tick time, Sent& command) { at(time, {&command}); }

  // Until nothing is left to do; every transaction must be over then.
  void run() {
    driver_.run(never);
    driver_.rethrow();
    for (const auto& checker : checkers_) CHECK(checker->outstanding_histories() == "");
  }

 private:
  struct Initiator final : sc_core::sc_module, JobBackward<NandCommand> {
    Initiator(sc_core::sc_module_name name, CommandBench& owner) : sc_module(name), bench(owner), socket("socket") {
      socket.bind(static_cast<JobBackward<NandCommand>&>(*this));
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
      CHECK(call_time(bench.calendar, delay) == bench.calendar.now());
      return bench.receive(*static_cast<Sent*>(job_of<NandCommand>(payload).owner), phase);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    CommandBench& bench;
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
  const NandTiming nand_timing;
  const BusTiming bus_timing;
  ChannelModule channel;
  std::vector<std::unique_ptr<DieModule>> die;

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

  void send(std::uint64_t argument) {
    Sent& sent = *reinterpret_cast<Sent*>(argument);
    sent.begun = calendar.now();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = annotated_delay(calendar);
    if (initiator_.socket->nb_transport_fw(*sent.command.payload, phase, delay) == tlm::TLM_UPDATED) accept(sent);
  }

  void accept(Sent& sent) {
    sent.accepted = calendar.now();
    if (sent.next != nullptr) send(reinterpret_cast<std::uint64_t>(sent.next));
  }

  tlm::tlm_sync_enum receive(Sent& sent, const tlm::tlm_phase& phase) {
    if (phase == tlm::END_REQ) {
      accept(sent);
      return tlm::TLM_ACCEPTED;
    }
    sent.answered = calendar.now();
    if (sent.command.status == NandStatus::aborted && !completes_aborted) return tlm::TLM_ACCEPTED;
    if (answered_at_once(sent.command.operation) || sent.command.status == NandStatus::aborted) {
      sent.completed = calendar.now();
      if (sent.accepted == never) accept(sent);
      return tlm::TLM_COMPLETED;
    }
    calendar.schedule<&CommandBench::end_response>(calendar.now() + sent.command.response_time, *this,
                                                   reinterpret_cast<std::uint64_t>(&sent));
    return tlm::TLM_ACCEPTED;
  }

  void end_response(std::uint64_t argument) {
    Sent& sent = *reinterpret_cast<Sent*>(argument);
    sent.completed = calendar.now();
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = annotated_delay(calendar);
    initiator_.socket->nb_transport_fw(*sent.command.payload, phase, delay);
  }

  std::vector<std::unique_ptr<Checker>> checkers_;
  JobPayloadPool<NandCommand> pool_;
  std::deque<Sent> sent_;
};

}  // namespace nandscape
