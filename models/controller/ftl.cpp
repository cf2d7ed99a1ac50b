// SPDX-License-Identifier: Apache-2.0
#include "controller/ftl.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <unordered_set>
#include <utility>

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

Ftl::Ftl(const ControllerParameters& parameters, const Geometry& geometry, const DataPath& path, std::uint64_t seed,
         Calendar& calendar, FlashScheduler::Port& flash, EccPort& ecc, StartUp start_up, FlashTimes* times)
    : stream_policy_(parameters.streams.policy.name),
      allocation_policy_(parameters.mapping.plane.name),
      calendar_(calendar),
      hold_up_(parameters, geometry, path.page_times),
      power_{.has_capacitor = hold_up_.latches_last()},
      layout_(flash_layout(parameters, geometry)),
      plan_(capacity_plan(parameters, geometry, path.page_times)),
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
               fill_frontiers(layout_, numbers_, *allocation_, path.pages_per_wordline)),
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
      ages_(path.first_age, path.running_hours, initial_, blocks_, block_reads_, ages_matter(parameters)),
      mapping_cache_(parameters.mapping.cache, layout_.unit_bytes(), plan_.exported_units()),
      clock_(path.running_hours),
      write_mode_(write_mode_registry().make(parameters.write_mode, {path.write, clock_})),
      codes_(ecc_selection_registry()
                 .make(path.selection)
                 ->make_chooser({static_cast<std::uint32_t>(path.codes.size()), path.segment_limits, path.keeps_data(),
                                 path.scrambler})),
      scheduler_(parameters.scheduler, geometry, subpages_.grouping(), calendar, times == nullptr ? flash : *times),
      io_(layout_, path, scheduler_, ecc, codes_ != nullptr || write_mode_->maps_states(), times),
      reader_(parameters.read_retry, io_, scheduler_, blocks_, pins_, ages_),
      units_(layout_, map_, blocks_, pins_, ages_, mapping_cache_, trimmed_, power_),
      collector_(parameters.garbage_collection, blocks_, room_, *this, seed, layout_.units_per_page(),
                 power_.programmed_is_durable() && !parameters.garbage_collection.copyback),
      writer_({io_, scheduler_, blocks_, pins_, room_, units_, power_, calendar, collector_, *this},
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
      checkpoints_(keeps_checkpoints(parameters), parameters.mapping.cache.entry_bytes, layout_, path.page_times, map_,
                   table_, blocks_, mapping_cache_, trimmed_, journal_),
      recovery_(io_, scheduler_, map_, blocks_, trimmed_, journal_, writer_, checkpoints_, power_, calendar, *this),
      migrator_(parameters.garbage_collection, io_, map_, blocks_, room_, units_, reader_, writer_, assembly_,
                *streams_, numbers_, calendar),
      erases_(io_, journal_, power_, calendar, *this),
      care_(parameters.refresh, parameters.scrub, parameters.wear_levelling, *write_mode_, clock_, io_, blocks_, ages_,
            block_reads_, reader_, writer_, collector_),
      renewal_(care_.make_renewal({io_, blocks_, ages_, reader_, migrator_, collector_, calendar, seed})),
      end_of_life_(layout_, room_, collector_, writer_, journal_, calendar, *this),
      reads_(io_, scheduler_, map_, units_, reader_, host_, *this, calendar, subpages_.grouping() != nullptr),
      writes_(io_, map_, units_, reader_, assembly_, writer_.ledger().undurable(), *streams_, planes_, end_of_life_,
              power_, host_),
      trims_(map_, blocks_, mapping_cache_, units_, trimmed_, journal_, collector_, power_, host_, calendar,
             parameters.mapping.trim_entry_ns),
      flushes_(writer_.ledger(), journal_, power_, host_),
      accesses_(reads_, writes_, trims_, translation_, units_, end_of_life_, host_),
      journal_client_(map_, blocks_, trimmed_, units_, writer_.ledger().undurable(), collector_, erases_, flushes_,
                      power_) {
  pins_.set_listener(collector_);
  mapping_cache_.set_client(translation_);
  reader_.set_listener(care_);
  if (path.step_of_layers && start_up == StartUp::as_preconditioned) {
    remember_last_reads(*reader_.recent_steps(), parameters.precondition.last_read_share, path.step_of_layers, blocks_,
                        ages_);
  }
  reader_.set_groups(subpages_.make_reads(reader_.policy().locks_die(), io_, scheduler_, layout_.mapping()));
  if (maps_states()) reader_.set_undo(mapped_reads_.emplace(io_, reader_, blocks_, writer_.ledger().undurable()));
  if (layout_.has_parity()) reader_.set_last_resort(rebuild_.emplace(io_, reader_, blocks_));
  if (renewal_ != nullptr) {
    collector_.set_renewal(*renewal_);
    reader_.set_copies(renewal_->copies());
    flushes_.set_copies(renewal_->copies());
    renewal_->copies().set_listener(*this);
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

void Ftl::submit(PageAccess& access, Tick now) {
  if (recovering()) {
    access.next = nullptr;
    (first_waiting_ == nullptr ? first_waiting_ : last_waiting_->next) = &access;
    last_waiting_ = &access;
    return;
  }
  if (recovery_.mapping_is_lost() && access.kind == AccessKind::read) {
    fail_read(access);
    host_.complete(access, now);
    return;
  }
  if (care_.due(now)) care_.look(now);
  switch (access.kind) {
    case AccessKind::read: accesses_.read(access, now); break;
    case AccessKind::write:
    case AccessKind::trim: accesses_.change(access, now); break;
    case AccessKind::flush: flushes_.flush(access, now); break;
  }
}

// --- calls from the engines
// ---------------------------------------------------------------------------------------------

void Ftl::block_retired(Superblock block, Tick now) {
  end_of_life_.room_changed(now);
  writer_.placement().places_changed(layout_.mapping().plane_of(block), now);
}

void Ftl::set_urgent(FtlPlane plane, bool urgent) {
  for (std::uint32_t member = 0; member < layout_.member_planes(); ++member) {
    scheduler_.set_collection_urgent(layout_.flash_plane(plane, member), urgent);
  }
}

void Ftl::block_erased(Superblock block, bool erased, Tick now) {
  block_reads_.erased(block);
  reader_.erased(block);
  collector_.block_erased(block, erased, now);
  journal_.block_erased(block, now);
  care_.block_erased(block, now);
  writer_.placement().block_erased(layout_.mapping().plane_of(block), now);
}

bool Ftl::waits_for_programs() const {
  bool open = !units_.in_flight().empty() || !flushes_.empty();
  writer_.ledger().undurable().for_each_unit([&](const UnitWrite& unit) { open |= unit.access != nullptr; });
  return open;
}

// Operations still under way for these accesses are ignored when they end.
void Ftl::give_up_accesses(Tick now) {
  std::vector<UnitWrite*> units;
  units_.in_flight().for_each([&](UnitWrite& unit) { units.push_back(&unit); });
  std::vector<PageAccess*> failed;
  writer_.ledger().undurable().for_each_unit([&](UnitWrite& unit) {
    if (unit.access != nullptr) failed.push_back(std::exchange(unit.access, nullptr));
  });
  for (PageAccess* access : flushes_.give_up()) failed.push_back(access);
  for (PageAccess* access : failed) {
    access->status = AccessStatus::write_fault;
    host_.complete(*access, now);
  }
  for (UnitWrite* unit : units) {
    units_.abandon(*unit);
    if (unit->access != nullptr) unit->access->status = AccessStatus::write_fault;
    units_.end(*unit, unit->access != nullptr, now);
  }
  writes_.give_up_merges();
}

// --- power
// -------------------------------------------------------------------------------------------------------------

void Ftl::recover(Tick now, std::function<void()> recovered) {
  when_recovered_ = std::move(recovered);
  recovery_.start(now);
}

void Ftl::recovered(const std::vector<Superblock>& outdated_journal, const std::vector<Superblock>& undone, Tick now) {
  for (const Superblock block : outdated_journal) collector_.discard(block, now);
  for (const Superblock block : undone) collector_.discard(block, now);
  if (blocks_.good_blocks() != layout_.mapping().blocks()) end_of_life_.room_changed(now);
  for (const Superblock block : layout_.mapping().every_block()) {
    if (blocks_.failing(block)) collector_.empty(block, Reason::failure, now);
  }
  journal_.write(now);
  for (const FtlPlane plane : layout_.mapping().every_plane()) collector_.check(plane, now);
  care_.resume(now);
  for (PageAccess* waiting = std::exchange(first_waiting_, nullptr); waiting != nullptr;) {
    submit(*std::exchange(waiting, waiting->next), now);
  }
  if (when_recovered_) when_recovered_();
}

void Ftl::write_checkpoint(Tick now) {
  if (writes_checkpoints() && !recovery_.mapping_is_lost() && !settled()) {
    throw std::logic_error("a checkpoint of the mapping is written while the controller is busy");
  }
  recovery_.write_checkpoint(now);
}

void Ftl::save(Tick now, Unanswered unanswered) {
  const bool begins = !std::exchange(power_.saving, true);
  power_.unanswered = unanswered;
  scheduler_.save();
  collector_.wait_for_durable_moves();
  collector_.halt();
  writes_.release_gathered(now);
  writer_.encoding().release_held();
  // A repeated call already has its snapshot; a second one may find no block.
  if (begins && !trimmed_.empty()) journal_.demand_snapshot();
  journal_.write(now);
  writer_.placement().places_changed_anywhere(now);  // saved data may use blocks reserved for collection
}

std::uint64_t Ftl::save_room() const {
  return blocks_.spare_free_blocks() * blocks_.geometry().units_per_block() + writer_.open_units();
}

void Ftl::add_lost(LostWrites& lost) const {
  lost.add(units_.lost_while_saving());
  std::unordered_set<std::uint64_t> latched;
  writer_.ledger().undurable().for_each_unit([&](const UnitWrite& unit) { latched.insert(unit.place.value); });
  writer_.ledger().undurable().for_each_unit([&](const UnitWrite& unit) {
    if (unit.access != nullptr) return;
    // Data overwritten or trimmed since then are not lost.
    if (!latched.contains(map_.find(unit.lpn).value)) return;
    // A moved unit is still at its old place as long as that block's erase is held back, or the block is not yet
    // erased.
    const bool kept = unit.held_back.valid() || !unit.moved_from.valid() ||
                      blocks_.state(layout_.block_of(unit.moved_from)) == BlockTable::State::victim;
    if (unit.sector_count != 0 || !kept) units_.add_lost(unit, lost);
  });
}

PagesToSave Ftl::pages_to_save() const {
  const std::uint64_t pages_per_wordline = io_.path().pages_per_wordline;
  std::map<FlashPlane, std::set<Superblock>> open;
  writer_.ledger().undurable().for_each([&](const PageProgram& page) { open[page.plane].insert(page.block); });
  PagesToSave pages;
  for (const auto& [plane, blocks] : open) {
    const std::uint64_t of_plane = blocks.size() * (pages_per_wordline - 1);
    pages.of_busiest_plane = std::max(pages.of_busiest_plane, of_plane);
    pages.of_all += of_plane;
  }
  return pages;
}

}  // namespace nandscape::controller
