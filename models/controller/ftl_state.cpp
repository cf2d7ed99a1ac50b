// SPDX-License-Identifier: Apache-2.0
// Saves and reports the state of the controller: its state at rest for checkpoints of the simulation, its counters for
// the controller of the next power cycle, and its statistics.
#include <algorithm>
#include <stdexcept>

#include "controller/ftl.h"

namespace nandscape::controller {

// After collection has stopped, no block is erased and the journal may find no free block for its pending records. The
// drive then counts as settled although these records are pending.
bool Ftl::settled() const {
  const bool journal_rests = collector_.stopped() ? !power_loss_.journal.writing() : !power_loss_.journal.pending();
  return components_idle() && journal_rests && migration_.erases.waiting() == 0 && reading_.io.in_use() == 0 &&
         collector_.at_rest();
}

bool Ftl::idle() const {
  bool pinned = false;
  for (const Superblock block : mapping_.layout.mapping().every_block()) pinned |= mapping_.blocks.pinned(block);
  const std::size_t waiting = writing_.writer.ledger().undurable().count() + writing_.writer.frontier().open_groups();
  return components_idle() && reading_.io.in_use() == waiting && (!pinned || waiting != 0);
}

DeviceHealth Ftl::health() const {
  DeviceHealth health;
  health.temperature_c = mapping_.age_facts.temperature->celsius(calendar_.now());
  health.media_errors = reading_.reader.counters().failed_reads;
  health.host_sectors_written = host_.writes.sectors_written();
  health.media_sectors_written =
      writing_.writer.counters().programmed_pages * (mapping_.layout.flash().page_bytes / sector_bytes);
  health.read_only = read_only();
  health.volatile_write_cache = !power_.has_capacitor;
  health.available_spare_percent = mapping_.room.available_spare_percent();
  health.percentage_used = percentage_used();
  health.power_cycles = power_cycle_.counters().power_cycles;
  health.unsafe_shutdowns = power_cycle_.counters().unsafe_shutdowns;
  const PowerCounters power = power_counters();
  health.light_throttling = power.light;
  health.heavy_throttling = power.heavy;
  return health;
}

double Ftl::percentage_used() const {
  const FtlGeometry& g = mapping_.layout.mapping();
  double erases = 0;
  for (const Superblock block : g.every_block()) erases += mapping_.blocks.erase_count(block);
  return 100 * (mapping_.age_facts.first.pe_cycles + erases / g.blocks()) / mapping_.age_facts.rated_cycles;
}

ControllerCounters Ftl::counters() const {
  ControllerCounters counters;
  counters.host_sectors_written = host_.writes.sectors_written();
  counters.unmapped_reads = host_.reads.unmapped();
  counters.merge_reads = host_.writes.merge_reads();
  if (reading_.mapped_reads) counters.state_map_reads = reading_.mapped_reads->other_reads();
  counters.writer = writing_.writer.counters();
  counters.failed_erases = migration_.erases.failed();
  counters.scrubbed_pages = migration_.care.scrubbed_pages();
  counters.stalls = end_of_life_.stalls();
  counters.read_only = read_only();
  counters.blocks_in_use = mapping_.blocks.good_blocks() - mapping_.blocks.free_blocks();
  counters.page_bytes = mapping_.layout.flash().page_bytes;
  counters.read_retry = reading_.reader.counters();
  if (const SecondPasses* const passes = writing_.writer.ledger().second_passes()) {
    counters.second_passes = passes->counters();
  }
  if (reading_.rebuild) counters.parity = reading_.rebuild->counters();
  counters.parity.parity_pages = writing_.writer.frontier().added_pages();
  counters.collection = collector_.counters();
  if (migration_.renewal != nullptr) counters.renewal = migration_.renewal->counters();
  counters.streams = chosen_.streams->counters();
  counters.guarantees = migration_.care.guarantee_counters(calendar_.now());
  if (slc_cache_ != nullptr) counters.slc_cache = slc_cache_->counters();
  counters.recovery = power_loss_.recovery.counters();
  counters.scheduler = reading_.scheduler.counters();
  counters.mapping_cache = mapping_.cache.counters();
  if (mapping_memory_ != nullptr) counters.mapping_memory.counters = mapping_memory_->counters();
  if (host_mapping_ != nullptr) counters.mapping_memory.granted_bytes = host_mapping_->granted_bytes();
  counters.mapping_memory.flash = counters.mapping_cache.misses;
  counters.mapping_memory.moves = counters.mapping_cache.moves;
  if (chosen_.fullpages != nullptr) counters.fullpages = chosen_.fullpages->counters();
  counters.power_loss = {power_cycle_.counters(), hold_up_.most(), hold_up_.charged_v(), hold_up_.cut_off_v()};
  return counters;
}

BlockUse Ftl::block_use() const {
  const FtlGeometry& g = mapping_.layout.mapping();
  const double unit_bytes = mapping_.layout.unit_bytes();
  const double block_bytes = g.units_per_block() * unit_bytes;
  return {static_cast<double>(mapping_.blocks.taken_units()) * unit_bytes,
          static_cast<double>(mapping_.blocks.good_blocks()) * block_bytes, g.planes(), block_bytes};
}

BlockView Ftl::block_view() const { return view_blocks(mapping_, power_loss_.journal, clock_, calendar_.now()); }

WearFigures Ftl::wear() const {
  const BlockTable& blocks = mapping_.blocks;
  WearCounts counts = mapping_.lives.wear();
  if (blocks.good_blocks() != blocks.geometry().blocks()) {
    for (const Superblock block : blocks.geometry().every_block()) {
      if (blocks.state(block) == BlockTable::State::retired) counts.remove(mapping_.lives.erases(block));
    }
  }
  return counts.figures(mapping_.age_facts.first.pe_cycles);
}

// The order matters when the state is restored: the blocks come before the engines that write to them, and the versions
// before the trims that refer to them.
void Ftl::list_components() {
  components_ = {&mapping_.table,
                 &mapping_.cache,
                 &mapping_.blocks,
                 &collector_,
                 &reading_.scheduler,
                 &writing_.writer,
                 &chosen_.stream_state,
                 &mapping_.reads,
                 &reading_.reader,
                 &migration_.care,
                 &migration_.renewal_state,
                 &mapping_.ages,
                 mapping_.age_facts.temperature.get(),
                 &power_control_,
                 &power_loss_.journal,
                 &mapping_.map,
                 &host_.trims,
                 &writing_.planes,
                 &mapping_.allocation_state,
                 &mapping_.room,
                 &end_of_life_,
                 &power_loss_.recovery,
                 &power_cycle_,
                 &migration_.erases,
                 &writing_.units,
                 &writing_.assembly,
                 &host_.reads,
                 &host_.writes,
                 &flushes_,
                 &accesses_};
  if (slc_cache_ != nullptr) components_.push_back(slc_cache_.get());
  if (reading_.rebuild) components_.push_back(&*reading_.rebuild);
  if (reading_.mapped_reads) components_.push_back(&*reading_.mapped_reads);
  if (chosen_.fullpages != nullptr) components_.push_back(chosen_.fullpages.get());
}

void Ftl::persist(Archive& archive) {
  if (!settled()) throw std::logic_error("the state of a controller is saved or restored while it is busy");
  archive.section("controller");
  archive.expect("logical pages", mapping_.map.host_units());
  archive.expect("blocks in a superblock", mapping_.layout.members());
  if (archive.loading()) power_loss_.checkpoints.try_load(archive);
  for (Component* const component : components_) component->persist(archive);
  archive.section("mapping and blocks");
  if (!archive.loading()) return;

  archive.require(read_only() == collector_.stopped(), "the drive is read-only but still collects, or the reverse");
  archive.require(read_only() || !mapping_.room.no_place_left(), "the drive has no place left but is not read-only");
  mapping_.room.check(archive);
  mapping_.map.check(archive);
}

void Ftl::persist_counters(Archive& archive) {
  archive.section("counters of the controller");
  for (Component* const component : components_) component->persist_counters(archive);
  if (archive.loading()) reading_.scheduler.power_limit_changed();
}

std::optional<std::uint32_t> Ftl::programmed_pages(FlashPlane flash_plane, BlockInPlane block_of_plane) const {
  const Superblock block = mapping_.layout.holding(flash_plane, block_of_plane);
  const std::uint32_t member = mapping_.layout.over_layers() ? block_of_plane.value % mapping_.layout.members()
                                                             : mapping_.layout.member_of(flash_plane);
  switch (mapping_.blocks.state(block)) {
    case BlockTable::State::free: return 0;
    case BlockTable::State::open: return writing_.writer.frontier().programmed_rows(block, member);
    case BlockTable::State::journal: return member == 0 ? power_loss_.journal.programmed_pages(block) : std::nullopt;
    default: return std::nullopt;
  }
}

std::optional<ProgramMode> Ftl::cells_of(FlashPlane flash_plane, BlockInPlane block_of_plane) const {
  const Superblock block = mapping_.layout.holding(flash_plane, block_of_plane);
  if (mapping_.blocks.state(block) == BlockTable::State::retired) return std::nullopt;
  return mapping_.blocks.shape(block).cells;
}

}  // namespace nandscape::controller
