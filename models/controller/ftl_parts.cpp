// SPDX-License-Identifier: Apache-2.0
#include "controller/ftl_parts.h"

namespace nandscape::controller {

namespace {

std::unique_ptr<FullpageEngines> fullpage_engines(const FtlPlan& plan) {
  const FullpageParameters& fullpages = plan.parameters.fullpages;
  if (!fullpages.spread()) return nullptr;
  return std::make_unique<FullpageEngines>(fullpages, plan.geometry, plan.parameters.scheduler.multi_plane);
}

std::unique_ptr<CodeChooser> code_chooser(const FlashFacts& facts) {
  return ecc_selection_registry()
      .make(facts.codes.selection)
      ->make_chooser({static_cast<std::uint32_t>(facts.path.codes.size()), facts.codes.segment_limits,
                      facts.path.keeps_data(), facts.codes.scrambler});
}

// Returns the initial content of the flash, which is written in ordinary blocks. An open block that is spread over
// layers cannot be continued, so a drive with such blocks starts without open blocks. Instead, each stream takes a free
// block at its first write. The drive has one additional free block per stream for this purpose, so that no collection
// is needed.
InitialFill initial_fill(const FtlPlan& plan, const ChosenPolicies& chosen, const FlashLayout& layout,
                         const BlockShapes& shapes, const CapacityPlan& capacity, const AllocationOrder& order,
                         bool any_plane) {
  const ControllerParameters& p = plan.parameters;
  const std::uint32_t open_blocks = layout.over_layers() ? 0U : chosen.stream_ids.lasting;
  const std::uint32_t free_blocks = collection_parameters(p, chosen.stream_ids).start_free_blocks +
                                    open_streams(p, chosen.stream_ids) - open_blocks +
                                    p.slc_cache.static_blocks(layout.mapping().blocks_per_plane());
  return InitialFill(p.precondition, layout.mapping(), order, capacity.exported_units(), plan.seed, free_blocks,
                     entries_per_translation_page(p.mapping.cache, layout.unit_bytes()),
                     chosen.fullpages == nullptr ? nullptr : &chosen.fullpages->fill(),
                     {.any_plane = any_plane,
                      .open_blocks = open_blocks,
                      .units_per_wordline = layout.units_per_row() * shapes.ordinary().pages_per_wordline});
}

// Returns the shapes of blocks: the ordinary one and, if the drive has an SLC cache, that of its blocks.
BlockShapes block_shapes(const FtlPlan& plan, const FlashLayout& layout) {
  BlockShapes shapes(layout, plan.facts.pages_per_wordline, plan.facts.page_times.passes);
  if (!plan.parameters.slc_cache.used()) return shapes;
  BlockShape cached = shapes.ordinary().in_slc_mode();
  cached.cached = true;
  shapes.add(slc_cache_mode, cached);
  return shapes;
}

CopybackUse copyback_use(const ControllerParameters& p) {
  const GarbageCollectionParameters& collection = p.garbage_collection;
  return {.limit = collection.copyback ? collection.copyback_limit : 0,
          .folds = p.slc_cache.copies_back(),
          .fold_hours = p.slc_cache.copyback_hours};
}

}  // namespace

ChosenPolicies::ChosenPolicies(const FtlPlan& plan, const DriveClock& clock)
    : fullpages(fullpage_engines(plan)),
      subpages(plan.parameters.subpages, plan.parameters.scheduler, plan.geometry.page_bytes),
      streams(stream_registry().make(plan.parameters.streams.policy)),
      stream_ids(write_streams(plan.parameters, *streams)),
      write_mode(write_mode_registry().make(plan.parameters.write_mode.policy,
                                            {plan.parameters.write_mode, plan.facts.write, clock})),
      codes(code_chooser(plan.facts)),
      stream_state(plan.parameters.streams.policy.name, streams.get()) {}

MappingParts::MappingParts(const FtlPlan& plan, const ChosenPolicies& chosen, const DriveClock& clock)
    : age_facts(plan.facts.ages),
      layout(flash_layout(plan.parameters, plan.geometry)),
      shapes(block_shapes(plan, layout)),
      capacity(capacity_plan(plan.parameters, plan.geometry, plan.facts.page_times)),
      order(plan.parameters.mapping.allocation, layout, layout.units_per_page()),
      allocation(allocation_registry().make(plan.parameters.mapping.plane, layout.mapping().planes())),
      initial(initial_fill(plan, chosen, layout, shapes, capacity, order, allocation->gathers())),
      nothing({.occupancy = 0}, layout.mapping(), order, capacity.exported_units(), plan.seed,
              plan.parameters.garbage_collection.start_free_blocks),
      table(capacity.exported_units() + capacity.translation_pages(), layout.mapping().units(),
            plan.start_up == StartUp::as_preconditioned || plan.keeps_checkpoints() ? initial : nothing),
      blocks(layout.mapping(), initial, shapes, plan.keeps_checkpoints() ? StartUp::as_preconditioned : plan.start_up),
      map(layout, table, blocks, capacity.exported_units(), capacity.translation_pages()),
      room(capacity, order, blocks, map.units(), !allocation->gathers() && plan.start_up == StartUp::as_preconditioned),
      pins(blocks),
      reads(plan.parameters.read_disturb.limit_reads, layout.mapping().blocks()),
      lives(layout.mapping().blocks(), clock),
      ages(age_facts.first, age_facts.running(), initial, blocks, reads, lives),
      cache(plan.parameters.mapping.cache, layout.unit_bytes(), capacity.exported_units()),
      allocation_state(plan.parameters.mapping.plane.name, allocation.get()) {}

ReadingParts::ReadingParts(const FtlPlan& plan, const ChosenPolicies& chosen, MappingParts& mapping,
                           PowerControl& power, FlashScheduler::Port& flash, EccPort& ecc, FlashTimes* times)
    : scheduler(plan.parameters.scheduler, plan.geometry, chosen.subpages.grouping(), plan.calendar, flash, times,
                power.may_limit() ? &power : nullptr),
      io(mapping.layout, plan.facts.path, scheduler, ecc, chosen.codes != nullptr || chosen.write_mode->maps_states(),
         times),
      reader(plan.parameters.read_retry, plan.facts.retries, io, scheduler, mapping.blocks, mapping.pins,
             mapping.ages) {}

std::unique_ptr<SlcCache> make_slc_cache(const FtlPlan& plan, const ChosenPolicies& chosen, MappingParts& mapping,
                                         GarbageCollector& collector) {
  const ControllerParameters& p = plan.parameters;
  if (!p.slc_cache.used()) return nullptr;
  const SlcCache::Drive drive{collection_parameters(p, chosen.stream_ids).start_free_blocks,
                              mapping.layout.unit_bytes(), chosen.stream_ids.cached, plan.geometry.planes_per_die};
  return std::make_unique<SlcCache>(p.slc_cache, drive, mapping.blocks, mapping.lives, collector, plan.calendar);
}

WritingParts::WritingParts(const FtlPlan& plan, const ChosenPolicies& chosen, MappingParts& mapping,
                           ReadingParts& reading, const PowerState& power, GarbageCollector& collector, SlcCache* cache,
                           DurabilityListener& durability, ProgramListener& programs)
    : units(mapping.layout, mapping.map, mapping.blocks, mapping.pins, mapping.ages, mapping.cache, mapping.trimmed,
            power),
      writer({reading.io, reading.scheduler, mapping.blocks, mapping.pins, mapping.room, units, power, plan.calendar,
              collector, durability, programs},
             {.streams = chosen.stream_ids,
              .make_frontier = frontier_of(mapping.layout, chosen.fullpages.get(),
                                           ticks_from_us(plan.parameters.mapping.superpage_wait_us)),
              .free_block = plan.parameters.wear_levelling.free_block,
              .cache = cache,
              .write_mode = chosen.write_mode->plain() ? nullptr : chosen.write_mode.get(),
              .holds_back = !power.programmed_is_durable() || plan.parameters.copies_back(),
              .codes = chosen.codes.get(),
              .two_passes = mapping.shapes.ordinary().passes == 2,
              .wordline_wait = ticks_from_us(plan.parameters.mapping.wordline_wait_us)}),
      assembly(reading.io, chosen.stream_ids.count, ticks_from_us(plan.parameters.mapping.write_coalescing_us),
               plan.calendar, writer),
      planes(*mapping.allocation, PlaneView(mapping.layout, mapping.order, mapping.room, writer.backlogs()),
             mapping.order, mapping.room, assembly, chosen.stream_ids.gathered + std::size_t{1}) {}

PowerLossParts::PowerLossParts(const FtlPlan& plan, MappingParts& mapping, ReadingParts& reading, PageWriter& writer,
                               const PowerState& power, PowerOnRecovery::Listener& listener)
    : journal(reading.io, mapping.blocks, plan.calendar),
      checkpoints(plan.keeps_checkpoints(), plan.parameters.mapping.cache.entry_bytes, mapping.layout,
                  plan.facts.page_times, mapping.map, mapping.table, mapping.blocks, mapping.cache, mapping.trimmed,
                  journal),
      recovery(reading.io, reading.scheduler, mapping.map, mapping.blocks, mapping.trimmed, journal, writer,
               checkpoints, power, plan.calendar, listener) {}

MigrationParts::MigrationParts(const FtlPlan& plan, const ChosenPolicies& chosen, MappingParts& mapping,
                               ReadingParts& reading, WritingParts& writing, JournalWriter& journal,
                               GarbageCollector& collector, const PowerState& power, const DriveClock& clock)
    : migrator(copyback_use(plan.parameters), reading.io, mapping.map, mapping.cache, mapping.blocks, mapping.ages,
               mapping.room, writing.units, reading.reader, writing.writer, writing.assembly, *chosen.streams,
               chosen.stream_ids, plan.calendar),
      erases(reading.io, journal, power, plan.calendar),
      care(plan.parameters.refresh, plan.facts.refresh, plan.parameters.scrub, plan.parameters.wear_levelling,
           *chosen.write_mode,
           {clock, reading.io, mapping.blocks, mapping.ages, mapping.lives, mapping.reads, reading.reader,
            writing.writer, collector, plan.calendar}),
      renewal(care.make_renewal(
          {reading.io, mapping.blocks, mapping.ages, reading.reader, migrator, collector, plan.calendar, plan.seed})),
      renewal_state("renewal", renewal.get()) {}

HostParts::HostParts(const FtlPlan& plan, const ChosenPolicies& chosen, MappingParts& mapping, ReadingParts& reading,
                     WritingParts& writing, JournalWriter& journal, GarbageCollector& collector, SlcCache* cache,
                     EndOfLife& end_of_life, const PowerState& power, const HostPort& port,
                     HostReads::Listener& listener)
    : translation(reading.io, mapping.map, mapping.cache, writing.units, reading.reader, writing.assembly,
                  writing.planes, chosen.stream_ids.mapping, plan.calendar),
      reads(reading.io, reading.scheduler, mapping.map, writing.units, reading.reader, port, listener, plan.calendar,
            chosen.subpages.grouping() != nullptr),
      writes(reading.io, mapping.map, writing.units, reading.reader, writing.assembly,
             writing.writer.ledger().undurable(), *chosen.streams, cache, writing.planes, end_of_life, power, port),
      trims(mapping.map, mapping.blocks, mapping.cache, writing.units, mapping.trimmed, journal, collector, power, port,
            plan.calendar, plan.parameters.mapping.trim_entry_ns) {}

}  // namespace nandscape::controller
