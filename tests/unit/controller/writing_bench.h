// SPDX-License-Identifier: Apache-2.0
// A page writer with fakes of all that it is given: flash that does what it is told at once, unless it is to fail, and
// a controller that only takes notes.
#pragma once

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "controller/writing/page_writer.h"
#include "core/calendar.h"

namespace nandscape {

struct WritingBench final : FlashScheduler::Port,
                            FlashScheduler::Client,
                            EccPort,
                            GarbageCollector::Mover,
                            PageWriter::Client {
  static constexpr std::uint32_t pages_per_wordline = 3;
  static constexpr std::uint8_t host_stream = 0;
  static constexpr std::uint8_t moved_stream = 1;

  explicit WritingBench(std::uint32_t dies = 1, std::uint32_t stripe_dies = 0, std::uint32_t blocks_per_plane = 6)
      : geometry{.channels = dies, .blocks_per_plane = blocks_per_plane, .pages_per_block = 6, .page_bytes = 4096},
        layout(geometry, 4096, stripe_dies),
        order("CWDP", layout.mapping()),
        fill({.occupancy = 0}, layout.mapping(), order, 8, 1, 2),
        blocks(layout.mapping(), fill),
        collector(collection(), blocks, *this, 1, 1, false),
        scheduler({}, geometry, calendar, *this, *this) {
    path.layout = PageLayout::sharing_spare(4096, 512, 1024);
    path.pages_per_wordline = pages_per_wordline;
    io = std::make_unique<FlashIo>(layout, path, scheduler, *this);
    const std::uint8_t reserve = stripe_dies == 0 ? moved_stream : 2;
    writer = std::make_unique<PageWriter>(
        *io, blocks, collector, calendar, *this,
        WriterSettings{
            .streams = 4, .reserve_stream = reserve, .lasting_stream = 3, .fullpage_stream = 3, .holds_back = true});
  }

  static GarbageCollectionParameters collection() {
    GarbageCollectionParameters p;
    p.start_free_blocks = 0;  // nothing is collected unless a test asks for it
    p.reserved_blocks = 1;
    return p;
  }

  // A unit of the host, or one that is moved from there.
  UnitWrite& write(std::uint64_t lpn, std::uint8_t stream = host_stream, Ppn from = Ppn()) {
    UnitWrite& unit = units.emplace_back();
    unit.lpn = Lpn(lpn);
    unit.source = from;
    if (!from.valid()) unit.access = &accesses.emplace_back();
    const Purpose purpose = from.valid() ? Purpose::gc_write : Purpose::host_write;
    FlashTransaction& page = writer->page_for(purpose, stream, PlaneId(0));
    writer->add(page, unit);
    writer->filled(page);
    return unit;
  }

  // Until nothing is left to do.
  void run() {
    do calendar.run_until(never);
    while (encode() || send());
  }
  bool encode() {
    if (jobs.empty()) return false;
    EccJob& job = *jobs.front();
    jobs.pop_front();
    writer->encoded(*static_cast<FlashTransaction*>(job.owner), calendar.now());
    return true;
  }
  bool send() {
    if (commands.empty()) return false;
    const auto [channel, command] = commands.front();
    commands.pop_front();
    ++programs;
    command->status = programs == failing_program ? NandStatus::fail : NandStatus::pass;
    command->response_time = 1;
    scheduler.request_ended(channel, *command, calendar.now());
    scheduler.response_begins(channel, *command, calendar.now());
    return true;
  }

  // The flash, and the encoder.
  void begin_request(ChannelId channel, NandCommand& command) override { commands.emplace_back(channel, &command); }
  void end_response(ChannelId, NandCommand&) override {}
  void submit(ChannelId, EccJob& job) override { jobs.push_back(&job); }

  // The scheduler's.
  Placement place(FlashTransaction& page, Tick now) override { return writer->place(page, now); }
  void withdrawn(FlashTransaction& page, Tick now) override { writer->withdrawn(page, now); }
  std::uint32_t next_page(const FlashTransaction& page) const override { return writer->next_page(page); }
  void session_opened(FlashTransaction&, Tick) override {}
  void subpages_gathered(std::span<FlashTransaction* const>, Tick) override {}
  void done(FlashTransaction& page, Tick now) override { writer->programmed(page, now); }

  // Of collection.
  std::uint32_t move_page(Ppn, Reason, Tick) override { return 0; }
  void erase_block(BlockId, Tick) override {}
  void block_retired(BlockId, Tick) override {}
  void set_urgent(PlaneId, bool) override {}
  void host_may_go_on(PlaneId, Tick) override {}
  void make_moves_durable(PlaneId, Tick) override {}
  void nothing_gained(PlaneId, std::uint64_t, Tick) override {}

  // The writer's.
  void unit_programmed(UnitWrite& unit, Tick) override { programmed.push_back(unit.lpn.value); }
  void unit_durable(UnitWrite& unit, Tick) override { durable.push_back(unit.lpn.value); }
  void unit_rewritten(UnitWrite& unit) override { rewritten.push_back(unit.lpn.value); }
  void read_back(FlashTransaction&, Tick) override {}
  void page_durable(Tick) override {}
  void block_failed(BlockId block, Tick) override {
    if (blocks.failing(block)) return;
    blocks.set_failing(block);
    failed.push_back(block);
  }
  void unpin(BlockId block, Tick) override { blocks.unpin(block); }
  PlaneId with_room(PlaneId plane, bool) const override { return plane; }
  void planes_mixed() override {}
  void places_changed_anywhere(Tick) override {}
  void no_place_left(Tick) override { ended = true; }
  void unit_refused(UnitWrite& unit, Tick) override { refused.push_back(unit.lpn.value); }

  Geometry geometry;
  FlashLayout layout;
  AllocationOrder order;
  InitialFill fill;
  BlockTable blocks;
  GarbageCollector collector;
  Calendar calendar;
  DataPath path;
  FlashScheduler scheduler;
  std::unique_ptr<FlashIo> io;
  std::unique_ptr<PageWriter> writer;
  std::deque<UnitWrite> units;
  std::deque<PageAccess> accesses;
  std::deque<std::pair<ChannelId, NandCommand*>> commands;
  std::deque<EccJob*> jobs;
  std::vector<std::uint64_t> programmed, durable, rewritten, refused;
  std::vector<BlockId> failed;
  int programs = 0;
  int failing_program = 0;
  bool ended = false;
};

}  // namespace nandscape
