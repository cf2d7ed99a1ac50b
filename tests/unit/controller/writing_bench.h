// SPDX-License-Identifier: Apache-2.0
// A test bench for the page writer. The flash is fake and can be told to fail one program; the rest of the controller
// only records calls. Unlike FakeDrive, the bench permits planes with only two blocks, and write mode policies of the
// test.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "controller/frontiers.h"
#include "controller/mapping/capacity_plan.h"
#include "controller/migration/garbage_collection/garbage_collector.h"
#include "controller/writing/page_writer.h"
#include "core/calendar.h"
#include "fakes/fake_ecc.h"
#include "fakes/fake_flash.h"
#include "fakes/fake_unit.h"

namespace nandscape::controller {

struct WritingBench : UnitLog,
                      GarbageCollector::Mover,
                      GarbageCollector::Eraser,
                      GarbageCollector::RoomListener,
                      BlockSupply::Client,
                      DurabilityListener,
                      ProgramListener,
                      UnitWrites::Listener {
  static constexpr std::uint32_t pages_per_wordline = 3;
  static constexpr Tick wordline_wait = 1000;
  static constexpr std::uint8_t host_stream = 0;
  static constexpr std::uint8_t moved_stream = 1;

  explicit WritingBench(std::uint32_t dies = 1, std::uint32_t stripe_dies = 0, std::uint32_t blocks_per_plane = 6,
                        WriteModePolicy* write_mode = nullptr, std::uint32_t wordline = pages_per_wordline,
                        PageContent content = PageContent::none, std::uint8_t slc_mode = 0)
      : WritingBench({.channels = dies, .blocks_per_plane = blocks_per_plane, .pages_per_block = 6, .page_bytes = 4096},
                     SuperblockMembers::stripe(stripe_dies), 0, write_mode, wordline, content, slc_mode) {}
  WritingBench(const Geometry& flash_geometry, const SuperblockMembers& members, Tick superpage_wait,
               WriteModePolicy* write_mode = nullptr, std::uint32_t wordline = pages_per_wordline,
               PageContent content = PageContent::none, std::uint8_t slc_mode = 0, std::uint32_t passes = 1)
      : geometry(flash_geometry),
        layout(geometry, 4096, members),
        order("CWDP", layout),
        fill({.occupancy = 0}, layout.mapping(), order, 8, 1, 2),
        table(8, layout.mapping().units(), fill),
        blocks(layout.mapping(), fill, block_shapes(layout, wordline, slc_mode, passes)),
        map(layout, table, blocks, 8, 0),
        pins(blocks),
        ages({}, 1, fill, blocks, reads, lives),
        plan(mostly_spare(), layout, {.start_free_blocks = 1}),
        room(plan, order, blocks, 8, true),
        mapping_cache({}, 4096, 8),
        collector(collection(), blocks, room, 1, 1, false),
        scheduler({}, geometry, nullptr, calendar, flash),
        unit_writes(layout, map, blocks, pins, ages, mapping_cache, trimmed, power) {
    collector.connect({*this, *this, *this, *this});
    flash.connect(scheduler);
    flash.fails = [this](const NandCommand&) { return programs() == failing_program; };
    path.layout = PageLayout::sharing_spare(4096, 512, 1024);
    path.content = content;
    io = std::make_unique<FlashIo>(layout, path, scheduler, ecc);
    const std::uint8_t reserve = layout.spans_planes() ? 2 : moved_stream;
    writer = std::make_unique<PageWriter>(
        WritingContext{*io, scheduler, blocks, pins, room, unit_writes, power, calendar, collector, *this, *this},
        WriterSettings{
            .streams = {.host = reserve, .reserve = reserve, .lasting = 3, .mapping = 4, .gathered = 3, .count = 4},
            .make_frontier = frontier_of(layout, nullptr, superpage_wait),
            .write_mode = write_mode,
            .holds_back = true,
            .two_passes = passes == 2,
            .wordline_wait = wordline_wait});
    assembly = std::make_unique<PageAssembly>(*io, 4, 0, calendar, *writer);
    unit_writes.set_listener(*this);
  }

  virtual ~WritingBench() = default;

  // Returns the shapes of blocks. If `slc_mode` is not 0, blocks of this mode have one page per wordline.
  static BlockShapes block_shapes(const FlashLayout& layout, std::uint32_t wordline, std::uint8_t slc_mode,
                                  std::uint32_t passes) {
    BlockShapes shapes(layout, wordline, passes);
    if (slc_mode != 0) shapes.add(slc_mode, shapes.ordinary().in_slc_mode());
    return shapes;
  }
  static MappingParameters mostly_spare() {
    MappingParameters p;
    p.over_provisioning = 10;
    return p;
  }
  static GarbageCollectionParameters collection() {
    GarbageCollectionParameters p;
    p.start_free_blocks = 0;  // collection starts only when a test requests it
    p.reserved_blocks = 1;
    return p;
  }

  // Writes a unit of the host. If `from` is valid, moves the unit from there instead.
  UnitWrite& write(std::uint64_t lpn, std::uint8_t stream = host_stream, Ppa from = Ppa(),
                   std::vector<std::byte> data = {}) {
    FakeUnit& unit = units.emplace_back(*this);
    unit.lpn = Lpn(lpn);
    unit.version = 1;
    unit.source = from;
    unit.data = std::move(data);
    if (!from.valid()) unit.access = &accesses.emplace_back();
    assembly->put(unit, from.valid() ? PageOrigin::migration : PageOrigin::host, stream, FtlPlane(0));
    return unit;
  }

  // Cuts the supply. The capacitor still feeds the drive, which starts to save its data.
  void lose_power(Unanswered unanswered) {
    power = {.has_capacitor = true, .saving = true, .unanswered = unanswered};
    collector.halt();
  }

  // Runs until there are no events, ECC jobs or flash commands left.
  void run() {
    do calendar.run_until(never);
    while (encode() || send());
  }
  bool encode() { return ecc.answer(calendar.now()); }
  bool send() { return flash.answer(calendar.now()); }
  int programs() const { return static_cast<int>(flash.sent.size()); }
  // Returns the program steps of all programs, in mV.
  std::vector<std::uint16_t> steps_mv() const {
    std::vector<std::uint16_t> steps;
    for (const NandCommand& program : flash.sent) steps.push_back(program.program_step_mv);
    return steps;
  }

  // Collection
  std::uint32_t move_page(Ppa, Reason, Tick) override { return 0; }
  void erase(Superblock, Tick) override {}
  void block_retired(Superblock, Tick) override {}
  void set_urgent(FtlPlane, bool) override {}
  void host_may_go_on(FtlPlane, Tick) override {}
  void make_moves_durable(FtlPlane) override {}
  void await_durable_moves(FtlPlane, bool) override {}
  void nothing_gained(FtlPlane, Tick) override {}

  // Listeners of writing
  void page_durable(Tick) override {}
  void no_place_left(Tick) override { ended = true; }
  void program_ended(const PageProgram&, Tick) override {}

  // UnitWrites::Listener
  void resume(UnitWrite&, PageAccess*, Tick) override {}
  void written_again(Lpn lpn, Tick) override { rewritten.push_back(lpn.value); }
  void complete(PageAccess&, Tick) override {}

  Geometry geometry;
  FlashLayout layout;
  AllocationOrder order;
  InitialFill fill;
  MappingTable table;
  BlockTable blocks;
  UnitMap map;
  BlockPins pins;
  BlockReads reads{0, 0};
  DriveClock clock{1};
  BlockLives lives{layout.mapping().blocks(), clock};
  BlockAges ages;
  CapacityPlan plan;
  PlaneRoom room;
  MappingCache mapping_cache;
  TrimmedRanges trimmed;
  PowerState power;
  GarbageCollector collector;
  Calendar calendar;
  DataPath path;
  FakeFlash flash;
  FakeEcc ecc;
  FlashScheduler scheduler;
  UnitWrites unit_writes;
  std::unique_ptr<FlashIo> io;
  std::unique_ptr<PageWriter> writer;
  std::unique_ptr<PageAssembly> assembly;
  std::deque<FakeUnit> units;
  std::deque<PageAccess> accesses;
  std::vector<std::uint64_t> rewritten;
  int failing_program = 0;
  bool ended = false;
};

}  // namespace nandscape::controller
