// SPDX-License-Identifier: Apache-2.0
// A test bench for the flash scheduler with one channel, its dies, and protocol checkers in every link. Tests submit
// operations by plane and block. The bench places each write on the next page of an open block of the plane. The times
// are those of small_device.h.
#pragma once

#include <deque>
#include <functional>
#include <set>
#include <vector>

#include "channel_bench.h"
#include "controller/flash_ops/scheduler/flash_scheduler.h"
#include "controller/subpages/subpages.h"

namespace nandscape {

enum class OpKind { host_read, tag_read, host_write, background_read, background_write, copyback, erase };

class SchedulerBench final : public ChannelBench, private controller::FlashScheduler::Port {
 public:
  struct Asked final : controller::FlashOp {
    explicit Asked(SchedulerBench& owner) : bench(owner) {}
    void array_done(Tick now) override {
      done = now;
      bench.on_done(*this);
    }
    controller::Placement place(Tick) override { return bench.place(*this); }
    controller::ProgramPlace next_page() const override {
      return {.page = bench.next_page_of(*this) % bench.geometry.pages_per_block};
    }
    void gathered(const controller::OpQueue& group, Tick) override {
      std::vector<const Asked*>& operation = bench.gathered.emplace_back();
      for (const controller::FlashOp& read : group) operation.push_back(static_cast<const Asked*>(&read));
    }

    Tick latency() const { return done - asked; }
    NandStatus status() const { return command.status; }

    SchedulerBench& bench;
    Tick asked = never;
    Tick done = never;
  };
  // A command that was sent to the channel, and the time at which it was sent.
  struct Sent {
    Tick at;
    NandCommand command;
  };

  explicit SchedulerBench(const FlashDeviceParameters& p = small_device(), nand::CellArray* cells = nullptr,
                          controller::PowerControl* power = nullptr)
      : ChannelBench(true,
                     {.chips_per_channel = p.nand.geometry.chips_per_channel,
                      .dies_per_chip = p.nand.geometry.dies_per_chip,
                      .planes_per_die = p.nand.geometry.planes_per_die,
                      .blocks_per_plane = p.nand.geometry.blocks_per_plane,
                      .pages_per_block = p.nand.geometry.pages_per_block,
                      .page_bytes = p.nand.geometry.page_bytes,
                      .spare_bytes = p.nand.geometry.spare_bytes,
                      .independent_plane_reads = p.nand.independent_plane_reads},
                     p, cells),
        subpages(p.controller.subpages, p.controller.scheduler, geometry.page_bytes),
        scheduler(p.controller.scheduler, geometry, subpages.grouping(), calendar, *this, nullptr, power),
        next_pages_(geometry.planes() * 2) {}

  // Submits an operation at `time`. For a write, `block` and `page` are ignored, because the bench chooses them.
  Asked& at(Tick time, OpKind kind, std::uint32_t plane = 0, std::uint32_t block = 0, std::uint32_t page = 0,
            std::uint16_t stream = 0, PriorityClass priority = PriorityClass::medium) {
    Asked& asked = asked_.emplace_back(*this);
    asked.asked = time;
    asked.stream = stream;
    asked.priority = priority;
    asked.channel = ChannelId(0);
    asked.plane = PlaneId(plane);
    NandCommand& command = asked.command;
    command.die = DieInChannel(plane / geometry.planes_per_die);
    command.plane = PlaneInDie(plane % geometry.planes_per_die);
    command.block = BlockInPlane(block);
    command.page = page;
    switch (kind) {
      case OpKind::tag_read: asked.may_join = false; [[fallthrough]];
      case OpKind::host_read: set(asked, controller::QueueKind::host_read, NandOperation::read); break;
      case OpKind::background_read: set(asked, controller::QueueKind::background_read, NandOperation::read); break;
      case OpKind::host_write:
        asked.of_host = true;
        set(asked, controller::QueueKind::host_write, NandOperation::program);
        break;
      case OpKind::background_write: set(asked, controller::QueueKind::background_write, NandOperation::program); break;
      case OpKind::copyback: set(asked, controller::QueueKind::background_write, NandOperation::copyback_read); break;
      case OpKind::erase: set(asked, controller::QueueKind::erase, NandOperation::erase); break;
    }
    const bool moves = command.operation == NandOperation::read || command.operation == NandOperation::program;
    command.bytes = moves ? geometry.page_bytes : 0;
    calendar.schedule<&SchedulerBench::ask>(time, *this, asked);
    return asked;
  }
  // Submits the same operation again, at the current time.
  void again(Asked& asked) {
    asked.asked = calendar.now();
    asked.done = never;
    ask(asked);
  }

  // Returns the commands with this operation, in the order in which they were sent to the channel.
  std::vector<Sent> of(NandOperation operation) const {
    std::vector<Sent> found;
    for (const Sent& s : sent) {
      if (s.command.operation == operation) found.push_back(s);
    }
    return found;
  }

  std::function<void(Asked&)> on_done = [](Asked&) {};
  std::vector<Sent> sent;
  std::vector<std::vector<const Asked*>> gathered;  // subpages that were read together in one operation, in their order
  std::set<std::uint32_t> full_planes;              // planes without a free page

  controller::Subpages subpages;
  controller::FlashScheduler scheduler;

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

  static void set(Asked& asked, controller::QueueKind queue, NandOperation operation) {
    asked.queue = queue;
    asked.command.operation = operation;
  }
  void ask(Asked& asked) { scheduler.enqueue(asked, calendar.now()); }

  void begin_request(ChannelId, NandCommand& command) override {
    sent.push_back({calendar.now(), command});
    send_phase(command, tlm::BEGIN_REQ);
  }
  void end_response(ChannelId, NandCommand& command) override { send_phase(command, tlm::END_RESP); }

  // Returns the number of pages assigned to the plane's writes so far, counted separately for host writes and other
  // writes. Host writes use the first half of the plane's blocks, other writes the second half.
  std::uint32_t& next_page_of(const controller::FlashOp& write) {
    return next_pages_[write.plane.value * 2 + (write.of_host ? 0 : 1)];
  }
  controller::Placement place(controller::FlashOp& write) {
    if (full_planes.contains(write.plane.value)) return controller::Placement::wait;
    const std::uint32_t page = next_page_of(write)++;
    const std::uint32_t first = write.of_host ? 0 : geometry.blocks_per_plane / 2;
    write.command.block = BlockInPlane(first + page / geometry.pages_per_block);
    write.command.page = page % geometry.pages_per_block;
    return controller::Placement::placed;
  }

  std::deque<Asked> asked_;
  std::vector<std::uint32_t> next_pages_;  // two entries per plane: for host writes and for other writes
};

}  // namespace nandscape
