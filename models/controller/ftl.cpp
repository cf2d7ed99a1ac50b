// SPDX-License-Identifier: Apache-2.0
#include "controller/ftl.h"

#include <initializer_list>
#include <stdexcept>

#include "controller/reading/last_reads.h"

namespace nandscape::controller {

namespace {

bool keeps_checkpoints(const ControllerParameters& p) {
  return p.power_loss.mapping_checkpoints && !p.garbage_collection.copyback;
}

std::unique_ptr<FullpageEngines> fullpage_engines(const ControllerParameters& p, const Geometry& flash) {
  if (!p.fullpages.spread()) return nullptr;
  return std::make_unique<FullpageEngines>(p.fullpages, flash, p.scheduler.multi_plane);
}

// Blocks over layers that are open are not continued. Free blocks in place of open ones may be taken without
// collection.
FillFrontiers fill_frontiers(const FlashLayout& layout, const WriteStreams& streams, const AllocationPolicy& allocation,
                             std::uint32_t pages_per_wordline) {
  return {.any_plane = allocation.gathers(),
          .open_blocks = layout.over_layers() ? 0U : streams.lasting,
          .units_per_wordline = layout.units_per_row() * pages_per_wordline};
}

std::uint32_t filled_free_blocks(const ControllerParameters& p, const FlashLayout& layout,
                                 const WriteStreams& streams) {
  const std::uint32_t open = layout.over_layers() ? 0U : streams.lasting;
  return p.garbage_collection.start_free_blocks + open_streams(p, streams) - open;
}

// Whether any part of the controller depends on the ages of blocks.
bool ages_matter(const ControllerParameters& p) {
  return p.refresh.policy.name != "none" || p.read_retry.adapts_timing();
}

}  // namespace

Ftl::Ftl(const ControllerParameters& parameters, const Geometry& geometry, const FlashFacts& facts, std::uint64_t seed,
         Calendar& calendar, FlashScheduler::Port& flash, EccPort& ecc, StartUp start_up, FlashTimes* times)
    : calendar_(calendar),
      age_facts_(facts.ages),
      hold_up_(parameters, geometry, facts.page_times),
      power_{.has_capacitor = hold_up_.latches_last()},
      layout_(flash_layout(parameters, geometry)),
      plan_(capacity_plan(parameters, geometry, facts.page_times)),
      order_(parameters.mapping.allocation, layout_, layout_.units_per_page()),
      fullpages_(fullpage_engines(parameters, geometry)),
      subpages_(parameters.subpages, parameters.scheduler, geometry.page_bytes),
      allocation_(allocation_registry().make(parameters.mapping.plane, layout_.mapping().planes())),
      streams_(stream_registry().make(parameters.streams.policy)),
      numbers_(write_streams(parameters, *streams_)),
      initial_(parameters.precondition, layout_.mapping(), order_, plan_.exported_units(), seed,
               filled_free_blocks(parameters, layout_, numbers_),
               entries_per_translation_page(parameters.mapping.cache, layout_.unit_bytes()),
               fullpages_ == nullptr ? nullptr : &fullpages_->fill(),
               fill_frontiers(layout_, numbers_, *allocation_, facts.path.pages_per_wordline)),
      nothing_({.occupancy = 0}, layout_.mapping(), order_, plan_.exported_units(), seed,
               parameters.garbage_collection.start_free_blocks),
      table_(plan_.exported_units() + plan_.translation_pages(), layout_.mapping().units(),
             start_up == StartUp::as_preconditioned || keeps_checkpoints(parameters) ? initial_ : nothing_),
      blocks_(layout_.mapping(), initial_, layout_.units_per_page(),
              keeps_checkpoints(parameters) ? StartUp::as_preconditioned : start_up),
      map_(layout_, table_, blocks_, plan_.exported_units(), plan_.translation_pages()),
      room_(plan_, order_, blocks_, map_.units(), !allocation_->gathers() && start_up == StartUp::as_preconditioned),
      pins_(blocks_),
      block_reads_(parameters.read_disturb.limit_reads, layout_.mapping().blocks()),
      ages_(facts.ages.first, facts.ages.running_hours, initial_, blocks_, block_reads_, ages_matter(parameters)),
      mapping_cache_(parameters.mapping.cache, layout_.unit_bytes(), plan_.exported_units()),
      clock_(facts.ages.running_hours),
      write_mode_(write_mode_registry().make(parameters.write_mode, {facts.write, clock_})),
      codes_(ecc_selection_registry()
                 .make(facts.codes.selection)
                 ->make_chooser({static_cast<std::uint32_t>(facts.path.codes.size()), facts.codes.segment_limits,
                                 facts.path.keeps_data(), facts.codes.scrambler})),
      scheduler_(parameters.scheduler, geometry, subpages_.grouping(), calendar, times == nullptr ? flash : *times),
      io_(layout_, facts.path, scheduler_, ecc, codes_ != nullptr || write_mode_->maps_states(), times),
      reader_(parameters.read_retry, facts.retries, io_, scheduler_, blocks_, pins_, ages_),
      units_(layout_, map_, blocks_, pins_, ages_, mapping_cache_, trimmed_, power_),
      collector_(parameters.garbage_collection, blocks_, room_, seed, layout_.units_per_page(),
                 power_.programmed_is_durable() && !parameters.garbage_collection.copyback),
      writer_({io_, scheduler_, blocks_, pins_, room_, units_, power_, calendar, collector_, flushes_, end_of_life_},
              {.streams = numbers_,
               .make_frontier = frontier_of(layout_, fullpages_.get()),
               .free_block = parameters.wear_levelling.free_block,
               .write_mode = write_mode_->plain() ? nullptr : write_mode_.get(),
               .holds_back = !power_.programmed_is_durable() || parameters.garbage_collection.copyback,
               .codes = codes_.get(),
               .wordline_wait = ticks_from_us(parameters.mapping.wordline_wait_us)}),
      assembly_(io_, numbers_.count, ticks_from_us(parameters.mapping.write_coalescing_us), calendar, writer_),
      planes_(*allocation_, PlaneView(layout_, order_, room_, writer_.backlogs()), order_, room_, assembly_,
              numbers_.gathered + std::size_t{1}),
      translation_(io_, map_, mapping_cache_, units_, reader_, assembly_, planes_, numbers_.mapping, calendar),
      journal_(io_, blocks_, calendar),
      checkpoints_(keeps_checkpoints(parameters), parameters.mapping.cache.entry_bytes, layout_, facts.page_times, map_,
                   table_, blocks_, mapping_cache_, trimmed_, journal_),
      recovery_(io_, scheduler_, map_, blocks_, trimmed_, journal_, writer_, checkpoints_, power_, calendar,
                power_cycle_),
      migrator_(parameters.garbage_collection, io_, map_, blocks_, room_, units_, reader_, writer_, assembly_,
                *streams_, numbers_, calendar),
      erases_(io_, journal_, power_, calendar),
      care_(parameters.refresh, facts.refresh, parameters.scrub, parameters.wear_levelling, *write_mode_,
            {clock_, io_, blocks_, ages_, block_reads_, reader_, writer_, collector_, calendar}),
      renewal_(care_.make_renewal({io_, blocks_, ages_, reader_, migrator_, collector_, calendar, seed})),
      end_of_life_({layout_, room_, collector_, writer_, journal_, power_, host_, accesses_, components_, calendar}),
      reads_(io_, scheduler_, map_, units_, reader_, host_, accesses_, calendar, subpages_.grouping() != nullptr),
      writes_(io_, map_, units_, reader_, assembly_, writer_.ledger().undurable(), *streams_, planes_, end_of_life_,
              power_, host_),
      trims_(map_, blocks_, mapping_cache_, units_, trimmed_, journal_, collector_, power_, host_, calendar,
             parameters.mapping.trim_entry_ns),
      flushes_(writer_.ledger(), journal_, power_, host_),
      accesses_({reads_, writes_, trims_, flushes_, translation_, units_, writer_.ledger().undurable(), end_of_life_,
                 care_, recovery_, host_}),
      journal_client_(map_, blocks_, trimmed_, units_, writer_.ledger().undurable(), collector_, erases_, flushes_,
                      power_),
      power_cycle_({power_, scheduler_, blocks_, trimmed_, collector_, writer_, journal_, care_, recovery_,
                    end_of_life_, writes_, accesses_}),
      stream_state_(parameters.streams.policy.name, streams_.get()),
      allocation_state_(parameters.mapping.plane.name, allocation_.get()),
      renewal_state_("renewal", renewal_.get()) {
  collector_.connect({migrator_, erases_, writer_.placement(), end_of_life_});
  for (EraseListener* const listener :
       std::initializer_list<EraseListener*>{&reader_, &collector_, &journal_, &care_, &writer_.placement()}) {
    erases_.subscribe(*listener);
  }
  pins_.set_listener(collector_);
  mapping_cache_.set_client(translation_);
  reader_.set_listener(care_);
  if (facts.retries.step_of_layers && start_up == StartUp::as_preconditioned) {
    remember_last_reads(*reader_.recent_steps(), parameters.precondition.last_read_share, facts.retries.step_of_layers,
                        blocks_, ages_);
  }
  reader_.set_groups(
      subpages_.make_reads(reader_.policy().locks_die(), io_, scheduler_, layout_.mapping(), facts.retries.layers));
  if (maps_states()) reader_.set_undo(mapped_reads_.emplace(io_, reader_, blocks_, writer_.ledger().undurable()));
  if (layout_.has_parity()) reader_.set_last_resort(rebuild_.emplace(io_, reader_, blocks_));
  if (renewal_ != nullptr) {
    collector_.set_renewal(*renewal_);
    reader_.set_copies(renewal_->copies());
    flushes_.set_copies(renewal_->copies());
    renewal_->copies().set_listener(flushes_);
  }
  units_.set_listener(accesses_);
  translation_.set_listener(accesses_);
  journal_.set_client(journal_client_);
  migrator_.connect(collector_);
  trims_.set_listener(accesses_);
  if (fullpages_ != nullptr) {
    fullpages_->join_reads(io_, scheduler_, blocks_, reader_);
    writes_.gather_units(fullpages_->join_writes(io_, assembly_, planes_, numbers_.gathered,
                                                 ticks_from_us(parameters.mapping.write_coalescing_us), calendar,
                                                 writes_));
  }
  list_components();
  if (start_up != StartUp::as_preconditioned) return;
  resume_filled_blocks();
  if (!power_.programmed_is_durable()) journal_.keep_ready();
}

// In a steady-state fill, writing continues in the open blocks.
void Ftl::resume_filled_blocks() {
  for (const FtlPlane plane : layout_.mapping().every_plane()) {
    for (std::uint32_t index = initial_.full_blocks(plane); index < initial_.used_blocks(plane); ++index) {
      const Superblock block = layout_.mapping().block(plane, index);
      writer_.resume_block(blocks_.stream(block), plane, block, blocks_.next_page(block) / layout_.units_per_row());
    }
  }
}

void Ftl::set_firmware(FirmwareStage& firmware) {
  migrator_.set_firmware(firmware);
  erases_.set_firmware(firmware);
}

void Ftl::write_checkpoint(Tick now) {
  if (writes_checkpoints() && !recovery_.mapping_is_lost() && !settled()) {
    throw std::logic_error("a checkpoint of the mapping is written while the controller is busy");
  }
  recovery_.write_checkpoint(now);
}

}  // namespace nandscape::controller
