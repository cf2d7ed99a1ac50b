// SPDX-License-Identifier: Apache-2.0
// A flash scheduler with one channel and its dies, and checkers in every link. A test asks for transactions by plane
// and block; writes get the next page of their plane's open block. Times are those of small_device.h.
#pragma once

#include <deque>
#include <functional>
#include <set>
#include <vector>

#include "channel_bench.h"
#include "controller/scheduler/flash_scheduler.h"

namespace nandscape {

class SchedulerBench final : public ChannelBench, private FlashScheduler::Port, private FlashScheduler::Client {
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
      : ChannelBench(true,
                     {.chips_per_channel = p.nand.geometry.chips_per_channel,
                      .dies_per_chip = p.nand.geometry.dies_per_chip,
                      .planes_per_die = p.nand.geometry.planes_per_die,
                      .blocks_per_plane = p.nand.geometry.blocks_per_plane,
                      .pages_per_block = p.nand.geometry.pages_per_block,
                      .page_bytes = p.nand.geometry.page_bytes,
                      .spare_bytes = p.nand.geometry.spare_bytes},
                     p, cells),
        scheduler(p.controller.scheduler, geometry, calendar, *this, *this),
        next_pages_(geometry.planes() * 2) {}

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
  std::vector<std::vector<const Asked*>> gathered;  // subpages that went together, in their order
  std::set<std::uint32_t> full_planes;              // have no free page

  FlashScheduler scheduler;

 private:
  tlm::tlm_sync_enum receive(NandCommand& command, const tlm::tlm_phase& phase, Tick now) override {
    if (phase == tlm::END_REQ) {
      scheduler.request_ended(ChannelId(0), command, now);
      return tlm::TLM_ACCEPTED;
    }
    const bool completed = answered_at_once(command.operation);
    scheduler.response_begins(ChannelId(0), command, now);
    return completed ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }

  void ask(std::uint64_t argument) {
    scheduler.enqueue(reinterpret_cast<Asked*>(argument)->transaction, calendar.now());
  }

  void begin_request(ChannelId, NandCommand& command) override {
    sent.push_back({calendar.now(), command});
    send_phase(command, tlm::BEGIN_REQ);
  }
  void end_response(ChannelId, NandCommand& command) override { send_phase(command, tlm::END_RESP); }

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
  void session_opened(FlashTransaction&, Tick) override {}
  void subpages_gathered(std::span<FlashTransaction* const> reads, Tick) override {
    std::vector<const Asked*>& operation = gathered.emplace_back();
    for (const FlashTransaction* read : reads) operation.push_back(reinterpret_cast<Asked*>(read->access));
  }
  void done(FlashTransaction& transaction, Tick now) override {
    Asked& asked = *reinterpret_cast<Asked*>(transaction.access);
    asked.done = now;
    on_done(asked);
  }

  std::deque<Asked> asked_;
  std::vector<std::uint32_t> next_pages_;  // by plane, of the host and of others
};

}  // namespace nandscape
