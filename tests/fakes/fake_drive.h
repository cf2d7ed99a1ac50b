// SPDX-License-Identifier: Apache-2.0
// A test fixture for the engines of the controller. It contains the real mapping state and the real classes for
// reading, writing and garbage collection, but flash, ECC engine and host are fakes. Moves and erases that the
// collector requests are only recorded, until a test connects engines that carry them out. Each test constructs the
// engine under test on top of this drive.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "catch.h"
#include "controller/ftl_parts.h"
#include "fakes/fake_ecc.h"
#include "fakes/fake_flash.h"
#include "fakes/fake_host.h"
#include "fakes/fake_unit.h"
#include "fakes/geometries.h"

namespace nandscape::controller {

// Parameters of an empty drive with a capacitor, so that pages are durable as soon as they are programmed.
inline ControllerParameters small_controller() {
  ControllerParameters p;
  p.precondition.occupancy = 0;
  p.mapping.over_provisioning = 2;
  p.garbage_collection.start_free_blocks = 2;
  return p;
}

// Parameters of a drive without a capacitor, where pages become durable only when their whole wordline is programmed.
inline ControllerParameters without_capacitor() {
  ControllerParameters p = small_controller();
  p.power_loss.protection = PowerLossProtection::none;
  return p;
}

struct FakeDrive : UnitLog,
                   GarbageCollector::Mover,
                   GarbageCollector::Eraser,
                   GarbageCollector::RoomListener,
                   DurabilityListener,
                   ProgramListener,
                   ReadListener,
                   UnitWrites::Listener,
                   JournalWriter::Client {
  struct Move {
    Ppa first_unit;
    Reason reason;
  };
  struct Read final : PageRead {
    using PageRead::PageRead;
    void page_read(Tick) override { ++ends; }

    int ends = 0;
  };
  using Bytes = std::vector<std::byte>;

  explicit FakeDrive(const Geometry& flash_geometry = one_plane, const ControllerParameters& p = small_controller(),
                     StartUp start_up = StartUp::as_preconditioned)
      : parameters(p), geometry(flash_geometry), facts(facts_of(flash_geometry)), plan{parameters, geometry, facts,
                                                                                       1,          start_up, calendar} {
    flash.connect(reading.scheduler);
    connect(*this, *this);
    mapping.pins.set_listener(collector);
    reading.reader.set_listener(*this);
    writing.units.set_listener(*this);
    journal.set_client(*this);
  }
  virtual ~FakeDrive() = default;

  // Connects the collector to these engines in place of the recording ones.
  void connect(GarbageCollector::Mover& mover, GarbageCollector::Eraser& eraser) {
    collector.connect({mover, eraser, writing.writer.placement(), *this});
  }

  // Runs until there are no events, flash commands or ECC jobs left.
  void run() {
    do calendar.run_until(never);
    while (ecc.answer(calendar.now()) || flash.answer(calendar.now()));
  }

  // Puts the unit into the page that is being assembled. All bytes of the unit are `value`.
  void put(std::uint64_t lpn, int value = 1, std::uint8_t stream = 0) {
    FakeUnit& unit = units.emplace_back(*this);
    unit.lpn = Lpn(lpn);
    unit.version = mapping.map.next_version();
    unit.data = bytes(value);
    unit.access = &accesses.emplace_back();
    writing.assembly.put(unit, PageOrigin::host, stream, mapping.order.plane_of(Lpn(lpn)));
  }
  // Writes the unit, runs until the unit is programmed, and returns its physical page address.
  Ppa write(std::uint64_t lpn, int value = 1, std::uint8_t stream = 0) {
    put(lpn, value, stream);
    run();
    return place(lpn);
  }
  // Writes `count` units from `first` on. Each unit is filled with its own logical page number.
  void write_all(std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t lpn = first; lpn < first + count; ++lpn) write(lpn, static_cast<int>(lpn));
  }

  Bytes bytes(int value) const { return Bytes(mapping.layout.unit_bytes(), static_cast<std::byte>(value)); }
  Ppa place(std::uint64_t lpn) const { return mapping.map.find(Lpn(lpn)); }
  Superblock block(std::uint64_t lpn) const { return mapping.layout.block_of(place(lpn)); }
  FakeFlash::Page& page(Ppa place) { return flash.page(mapping.layout.find(place)); }
  // Returns the byte value that fills the unit on flash. Returns -1 if the unit is not mapped or its bytes differ.
  int value(std::uint64_t lpn) {
    if (!place(lpn).valid()) return -1;
    const Bytes& page_bytes = page(place(lpn)).data;
    const std::size_t first = std::size_t{mapping.layout.unit_in_page(place(lpn))} * mapping.layout.unit_bytes();
    const auto begin = page_bytes.begin() + static_cast<std::ptrdiff_t>(first);
    const bool uniform = std::all_of(begin, begin + mapping.layout.unit_bytes(), [&](auto b) { return b == *begin; });
    return uniform ? static_cast<int>(*begin) : -1;
  }
  // Reads the bytes [first, end) of the page that contains `place`, and runs until the read has ended.
  void run(Read& read, FlashIo& io, PageReader& reader, Ppa place, std::uint32_t first, std::uint32_t end) {
    const std::size_t in_use = io.in_use();
    io.lend_buffer(read);
    reader.start(read, place, first, end, calendar.now());
    run();
    io.give_buffer_back(read);
    CHECK(read.ends == 1);
    CHECK(io.in_use() == in_use);
  }
  void damage(Ppa place) { page(place).errors = FakeFlash::hopeless; }
  // Returns whether the only flash ops in use belong to pages that are not yet durable.
  bool at_rest() const {
    return reading.io.in_use() == writing.writer.ledger().undurable().count() + writing.writer.frontier().open_groups();
  }

  // GarbageCollector::Mover, Eraser and RoomListener
  std::uint32_t move_page(Ppa first_unit, Reason reason, Tick) override {
    if (mapping.blocks.held_by(first_unit).valid()) moves.push_back({first_unit, reason});
    return 0;
  }
  void erase(Superblock block, Tick) override { erases.push_back(block); }
  void block_retired(Superblock block, Tick) override { retired.push_back(block); }
  void nothing_gained(FtlPlane, Tick) override {}

  // Listeners
  void page_durable(Tick now) override {
    if (on_durable) on_durable(now);
  }
  void program_ended(const PageProgram&, Tick) override {}
  void no_place_left(Tick) override { without_place = true; }
  void block_read(Superblock, std::uint32_t, Tick) override {}
  void page_remade(Superblock block, Tick) override { remade.push_back(block); }

  // UnitWrites::Listener
  void resume(UnitWrite& ended, PageAccess* completed, Tick now) override {
    for (AccessQueue waiting = ended.waiting.take(); !waiting.empty();) resumed.push_back(&waiting.pop());
    if (completed != nullptr) host.completed(*completed, now);
  }
  void written_again(Lpn lpn, Tick) override { rewritten.push_back(lpn.value); }
  void complete(PageAccess& access, Tick now) override { host.completed(access, now); }

  // JournalWriter::Client
  Superblock take_journal_block(bool, Tick) override {
    const Superblock block = mapping.blocks.take_free(FtlPlane(0));
    if (block.valid()) mapping.blocks.set_state(block, BlockTable::State::journal);
    return block;
  }
  void release_journal_block(Superblock block, Tick now) override { collector.discard(block, now); }
  void journal_block_failed(Superblock block) override { mapping.blocks.set_failing(block); }
  void collect_trims(std::vector<TrimRecord>& records) override { records = mapping.trimmed.records(); }
  void journal_waits(Tick) override {}
  void trims_durable(Tick now) override {
    if (on_trims_durable) on_trims_durable(now);
  }

  static HostPort port_to(StorageClient& client) {
    HostPort port;
    port.client = &client;
    return port;
  }

  static FlashFacts facts_of(const Geometry& g) {
    FlashFacts facts;
    facts.path.layout = PageLayout::sharing_spare(g.page_bytes, g.spare_bytes, std::min(1024u, g.page_bytes));
    facts.path.content = PageContent::data;
    facts.pages_per_wordline = 3;
    facts.path.codes.assign(3, {.engines = 0, .correctable_bits = FakeEcc::correctable_bits});
    return facts;
  }

  const ControllerParameters parameters;
  const Geometry geometry;
  const FlashFacts facts;
  Calendar calendar;
  const FtlPlan plan;
  FakeFlash flash;
  FakeEcc ecc;
  FakeHost host;
  const HostPort port = port_to(host);
  PowerState power{.has_capacitor = parameters.power_loss.protection == PowerLossProtection::capacitor};
  DriveClock clock{1};
  ChosenPolicies chosen{plan, clock};
  MappingParts mapping{plan, chosen, clock};
  PowerControl power_control{parameters.power, facts.power};
  ReadingParts reading{plan, chosen, mapping, power_control, flash, ecc, nullptr};
  GarbageCollector collector{
      parameters.garbage_collection, mapping.blocks, mapping.room, 1, mapping.layout.units_per_page(),
      power.programmed_is_durable()};
  const std::unique_ptr<SlcCache> cache = make_slc_cache(plan, chosen, mapping, collector);
  WritingParts writing{plan, chosen, mapping, reading, power, collector, cache.get(), *this, *this};
  JournalWriter journal{reading.io, mapping.blocks, calendar};

  std::deque<FakeUnit> units;
  std::deque<PageAccess> accesses;  // accesses to these units
  std::vector<Move> moves;
  std::vector<Superblock> erases, retired, remade;
  std::vector<std::uint64_t> rewritten;
  std::vector<PageAccess*> resumed;  // accesses that continued after waiting for a write
  std::function<void(Tick)> on_durable, on_trims_durable;
  bool without_place = false;
};

}  // namespace nandscape::controller
