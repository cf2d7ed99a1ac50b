// SPDX-License-Identifier: Apache-2.0
// A test bench for a single engine of the controller. The scheduler, the channel and the dies below it are real. The
// test sets the outcomes of the ECC engine, and takes the place of the rest of the controller. The times are those of
// small_device.h.
#pragma once

#include <functional>
#include <vector>

#include "channel_bench.h"
#include "controller/flash_ops/flash_io.h"
#include "controller/mapping/block_ages.h"
#include "controller/mapping/block_table.h"
#include "controller/subpages/subpages.h"
#include "fakes/mapping_fixture.h"

namespace nandscape {

class EngineBench : public ChannelBench, protected controller::FlashScheduler::Port, protected controller::EccPort {
 public:
  struct Sent {
    Tick at;
    NandCommand command;
  };

  std::vector<Sent> of(NandOperation operation) const {
    std::vector<Sent> found;
    for (const Sent& s : sent) {
      if (s.command.operation == operation) found.push_back(s);
    }
    return found;
  }
  // Returns whether all flash ops have been returned to their pool and no block is pinned.
  bool at_rest() const {
    for (std::uint32_t block = 0; block < geometry.blocks(); ++block) {
      if (blocks.pinned(controller::Superblock(block))) return false;
    }
    return io.in_use() == 0;
  }

  std::vector<Sent> sent;
  // Set by a test: returns whether the page of this read is uncorrectable. By default, no page is.
  std::function<bool(const controller::FlashOp&)> uncorrectable = [](const controller::FlashOp&) { return false; };

  controller::FlashLayout layout;
  controller::Subpages subpages;
  controller::FlashScheduler scheduler;
  controller::FlashIo io;
  controller::MappingFixture mapping;
  controller::BlockTable blocks;
  controller::BlockPins pins;
  controller::BlockReads block_reads;

 protected:
  explicit EngineBench(const FlashDeviceParameters& p)
      : ChannelBench(true, geometry_of(p), p, nullptr),
        layout(geometry, geometry.page_bytes),
        subpages(p.controller.subpages, p.controller.scheduler, geometry.page_bytes),
        scheduler(p.controller.scheduler, geometry, subpages.grouping(), calendar, *this),
        io(layout, path_of(p), scheduler, *this),
        mapping(geometry, 1, {.occupancy = 0}),
        blocks(layout.mapping(), mapping.fill),
        pins(blocks),
        block_reads(0, geometry.blocks()) {}
  ~EngineBench() = default;

  void end_response(ChannelId, NandCommand& command) override { send_phase(command, tlm::END_RESP); }

 private:
  static Geometry geometry_of(const FlashDeviceParameters& p) {
    const auto& g = p.nand.geometry;
    return {.chips_per_channel = g.chips_per_channel,
            .dies_per_chip = g.dies_per_chip,
            .planes_per_die = g.planes_per_die,
            .blocks_per_plane = g.blocks_per_plane,
            .pages_per_block = g.pages_per_block,
            .page_bytes = g.page_bytes,
            .spare_bytes = g.spare_bytes};
  }
  static controller::DataPath path_of(const FlashDeviceParameters& p) {
    controller::DataPath path;
    path.layout =
        PageLayout::sharing_spare(p.nand.geometry.page_bytes, p.nand.geometry.spare_bytes, p.ecc.codeword_bytes);
    return path;
  }

  tlm::tlm_sync_enum receive(NandCommand& command, const tlm::tlm_phase& phase, Tick now) override {
    if (phase == tlm::END_REQ) {
      scheduler.request_ended(ChannelId(0), command, now);
      return tlm::TLM_ACCEPTED;
    }
    const bool completed = answered_at_once(command.operation) || command.status == NandStatus::aborted;
    scheduler.response_begins(ChannelId(0), command, now);
    return completed ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
  void begin_request(ChannelId, NandCommand& command) override {
    sent.push_back({calendar.now(), command});
    send_phase(command, tlm::BEGIN_REQ);
  }

  void submit(ChannelId, EccJob& job) override {
    calendar.schedule<&EngineBench::answer>(calendar.now() + small_times::decode, *this,
                                            *static_cast<controller::FlashOp*>(job.owner));
  }
  void answer(controller::FlashOp& read) {
    read.command.erased_page = false;  // the pages that tests read count as programmed
    read.ecc.uncorrectable = uncorrectable(read);
    read.coded(calendar.now());
  }
};

}  // namespace nandscape
