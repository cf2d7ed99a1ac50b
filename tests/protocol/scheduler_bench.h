// SPDX-License-Identifier: Apache-2.0
// A flash scheduler with one channel and its dies, and checkers in every link. A test asks for transactions by plane
// and block; writes get the next page of their plane's open block. Times are those of small_device.h.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "channel/channel_module.h"
#include "controller/scheduler/flash_scheduler.h"
#include "nand/die_module.h"
#include "platform/calendar_module.h"
#include "protocol/protocol_checker.h"
#include "small_device.h"
#include "unit/nand/fake_cells.h"

namespace nandscape {

class SchedulerBench final : private FlashScheduler::Port, private FlashScheduler::Client {
 public:
  struct Asked {
    FlashTransaction transaction;
    Tick asked = never;
    Tick done = never;

    Tick latency() const { return done - asked; }
    NandStatus status() const { return transaction.command.status; }
  };
  // A command as it went to the channel.
  struct Sent {
    Tick at;
    NandCommand command;
  };

  explicit SchedulerBench(const FlashDeviceParameters& p = small_device(), CellArray* cells = nullptr)
      : geometry{.chips_per_channel = p.nand.geometry.chips_per_channel,
                 .dies_per_chip = p.nand.geometry.dies_per_chip,
                 .planes_per_die = p.nand.geometry.planes_per_die,
                 .blocks_per_plane = p.nand.geometry.blocks_per_plane,
                 .pages_per_block = p.nand.geometry.pages_per_block,
                 .page_bytes = p.nand.geometry.page_bytes,
                 .spare_bytes = p.nand.geometry.spare_bytes},
        nand_timing(p.nand),
        bus_timing(p.channel, geometry),
        channel("channel", calendar, bus_timing, p.channel.arbitration, geometry.dies_per_channel()),
        scheduler(p.controller.scheduler, geometry, calendar, *this, *this),
        next_pages_(geometry.planes() * 2) {
    connect(initiator_.socket, channel.socket);
    for (std::uint32_t d = 0; d < geometry.dies_per_channel(); ++d) {
      auto store = std::make_unique<PageStore>(
          PageLayout::sharing_spare(geometry.page_bytes, geometry.spare_bytes, geometry.page_bytes),
          PageStore::Spare::left_out);
      die.push_back(std::make_unique<DieModule>(("die_" + std::to_string(d)).c_str(), calendar, geometry, nand_timing,
                                                std::move(store), cells));
      connect(channel.die_socket(d), die[d]->socket);
    }
  }

  // A transaction that is asked for at that time. For a write only the plane counts.
  Asked& at(Tick time, Purpose purpose, std::uint32_t plane = 0, std::uint32_t block = 0, std::uint32_t page = 0,
            std::uint16_t stream = 0, std::uint8_t priority = 0) {
    Asked& asked = asked_.emplace_back();
    asked.asked = time;
    FlashTransaction& t = asked.transaction;
    t.purpose = purpose;
    t.stream = stream;
    t.priority = priority;
    t.channel = ChannelId(0);
    t.plane = PlaneId(plane);
    t.access = reinterpret_cast<PageAccess*>(&asked);  // only to find it again
    NandCommand& command = t.command;
    command.die = plane / geometry.planes_per_die;
    command.plane = plane % geometry.planes_per_die;
    command.block = block;
    command.page = page;
    switch (queue_of(purpose)) {
      case QueueKind::host_read:
      case QueueKind::background_read: command.operation = NandOperation::read; break;
      case QueueKind::host_write:
      case QueueKind::background_write: command.operation = NandOperation::program; break;
      case QueueKind::erase: command.operation = NandOperation::erase; break;
    }
    if (purpose == Purpose::copyback) command.operation = NandOperation::copyback_read;
    const bool moves = command.operation == NandOperation::read || command.operation == NandOperation::program;
    command.bytes = moves ? geometry.page_bytes : 0;
    calendar.schedule<&SchedulerBench::ask>(time, *this, reinterpret_cast<std::uint64_t>(&asked));
    return asked;
  }
  // Asks for the same once more, now.
  void again(Asked& asked) {
    asked.asked = calendar.now();
    asked.done = never;
    ask(reinterpret_cast<std::uint64_t>(&asked));
  }

  // Until nothing is left to do; every transaction must be over then.
  void run() {
    driver_.run(never);
    driver_.rethrow();
    for (const auto& checker : checkers_) CHECK(checker->outstanding_histories() == "");
  }

  // Commands of that operation, in the order in which they went to the channel.
  std::vector<Sent> of(NandOperation operation) const {
    std::vector<Sent> found;
    for (const Sent& s : sent) {
      if (s.command.operation == operation) found.push_back(s);
    }
    return found;
  }

  std::function<void(Asked&)> on_done = [](Asked&) {};
  std::vector<Sent> sent;
  std::set<std::uint32_t> full_planes;  // have no free page

 private:
  struct Initiator final : sc_core::sc_module, JobBackward<NandCommand> {
    Initiator(sc_core::sc_module_name name, SchedulerBench& owner) : sc_module(name), bench(owner), socket("socket") {
      socket.bind(static_cast<JobBackward<NandCommand>&>(*this));
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
      const Tick now = call_time(bench.calendar, delay);
      NandCommand& command = job_of<NandCommand>(payload);
      if (phase == tlm::END_REQ) {
        bench.scheduler.request_ended(ChannelId(0), command, now);
        return tlm::TLM_ACCEPTED;
      }
      const bool completed = answered_at_once(command.operation);
      bench.scheduler.response_begins(ChannelId(0), command, now);
      return completed ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    SchedulerBench& bench;
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
  FlashScheduler scheduler;

 private:
  void connect(JobInitiatorSocket<NandCommand>& initiator, JobTargetSocket<NandCommand>& target) {
    checkers_.push_back(std::make_unique<Checker>(("checker_" + std::to_string(checkers_.size())).c_str()));
    initiator.bind(checkers_.back()->target);
    checkers_.back()->initiator.bind(target);
  }

  void ask(std::uint64_t argument) {
    scheduler.enqueue(reinterpret_cast<Asked*>(argument)->transaction, calendar.now());
  }

  void begin_request(ChannelId, NandCommand& command) override {
    sent.push_back({calendar.now(), command});
    if (command.payload == nullptr) command.payload = &pool_.acquire(command);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = annotated_delay(calendar);
    initiator_.socket->nb_transport_fw(*command.payload, phase, delay);
  }
  void end_response(ChannelId, NandCommand& command) override {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = annotated_delay(calendar);
    initiator_.socket->nb_transport_fw(*command.payload, phase, delay);
  }

  // Pages that the plane's writes have got: the host's go to its first blocks, others to those of its second half.
  std::uint32_t& next_page_of(const FlashTransaction& write) {
    return next_pages_[write.plane.value * 2 + (write.purpose == Purpose::host_write ? 0 : 1)];
  }
  Placement place(FlashTransaction& write, Tick) override {
    if (full_planes.contains(write.plane.value)) return Placement::wait;
    const std::uint32_t page = next_page_of(write)++;
    const std::uint32_t first = write.purpose == Purpose::host_write ? 0 : geometry.blocks_per_plane / 2;
    write.command.block = first + page / geometry.pages_per_block;
    write.command.page = page % geometry.pages_per_block;
    return Placement::placed;
  }
  void withdrawn(FlashTransaction&, Tick) override {}
  std::uint32_t next_page(const FlashTransaction& write) const override {
    return const_cast<SchedulerBench*>(this)->next_page_of(write) % geometry.pages_per_block;
  }
  void done(FlashTransaction& transaction, Tick now) override {
    Asked& asked = *reinterpret_cast<Asked*>(transaction.access);
    asked.done = now;
    on_done(asked);
  }

  std::vector<std::unique_ptr<Checker>> checkers_;
  JobPayloadPool<NandCommand> pool_;
  std::deque<Asked> asked_;
  std::vector<std::uint32_t> next_pages_;  // by plane, of the host and of others
};

}  // namespace nandscape
