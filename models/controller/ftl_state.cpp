// SPDX-License-Identifier: Apache-2.0
// Saving and reporting the state of the controller: its state at rest for checkpoints, its counters for the controller
// of another power cycle, and its reports.
#include <algorithm>
#include <stdexcept>

#include "controller/ftl.h"

namespace nandscape::controller {

// When collection has stopped and erases nothing, the journal may find no block, so pending records do not count.
bool Ftl::settled() const {
  const bool journal_rests = collector_.stopped() ? !journal_.writing() : !journal_.pending();
  return components_idle() && journal_rests && erases_.waiting() == 0 && io_.in_use() == 0 && collector_.at_rest();
}

bool Ftl::idle() const {
  bool pinned = false;
  for (const Superblock block : layout_.mapping().every_block()) pinned |= blocks_.pinned(block);
  const std::size_t waiting = writer_.ledger().undurable().count() + writer_.frontier().open_groups();
  return components_idle() && io_.in_use() == waiting && (!pinned || waiting != 0);
}

DeviceHealth Ftl::health() const {
  DeviceHealth health;
  health.media_errors = reader_.counters().failed_reads;
  health.host_sectors_written = writes_.sectors_written();
  health.media_sectors_written = writer_.counters().programmed_pages * (layout_.flash().page_bytes / sector_bytes);
  health.read_only = read_only();
  health.volatile_write_cache = !power_.has_capacitor;
  health.available_spare_percent = room_.available_spare_percent();
  health.percentage_used = percentage_used();
  health.power_cycles = power_cycle_.counters().power_cycles;
  health.unsafe_shutdowns = power_cycle_.counters().unsafe_shutdowns;
  return health;
}

double Ftl::percentage_used() const {
  const FtlGeometry& g = layout_.mapping();
  double erases = 0;
  for (const Superblock block : g.every_block()) erases += blocks_.erase_count(block);
  return 100 * (age_facts_.first.pe_cycles + erases / g.blocks()) / age_facts_.rated_cycles;
}

ControllerCounters Ftl::counters() const {
  ControllerCounters counters;
  counters.host_sectors_written = writes_.sectors_written();
  counters.unmapped_reads = reads_.unmapped();
  counters.merge_reads = writes_.merge_reads();
  if (mapped_reads_) counters.state_map_reads = mapped_reads_->other_reads();
  counters.writer = writer_.counters();
  counters.failed_erases = erases_.failed();
  counters.scrubbed_pages = care_.scrubbed_pages();
  counters.stalls = end_of_life_.stalls();
  counters.read_only = read_only();
  counters.blocks_in_use = blocks_.good_blocks() - blocks_.free_blocks();
  counters.page_bytes = layout_.flash().page_bytes;
  counters.read_retry = reader_.counters();
  if (rebuild_) counters.parity = rebuild_->counters();
  counters.parity.parity_pages = writer_.frontier().added_pages();
  counters.collection = collector_.counters();
  if (renewal_ != nullptr) counters.renewal = renewal_->counters();
  counters.guarantees = care_.guarantee_counters(calendar_.now());
  counters.recovery = recovery_.counters();
  counters.scheduler = scheduler_.counters();
  counters.mapping_cache = mapping_cache_.counters();
  if (fullpages_ != nullptr) counters.fullpages = fullpages_->counters();
  counters.power_loss = {power_cycle_.counters(), hold_up_.most(), hold_up_.charged_v(), hold_up_.cut_off_v()};
  return counters;
}

BlockUse Ftl::block_use() const {
  const FtlGeometry& g = layout_.mapping();
  const double unit_bytes = layout_.unit_bytes();
  const double block_bytes = g.units_per_block() * unit_bytes;
  const auto blocks_in_use = static_cast<double>(blocks_.good_blocks() - blocks_.free_blocks());
  double programmed_bytes = blocks_in_use * block_bytes;
  for (const Superblock block : g.every_block()) {
    if (blocks_.state(block) != BlockTable::State::open) continue;
    programmed_bytes -= (g.units_per_block() - blocks_.next_page(block)) * unit_bytes;
  }
  return {programmed_bytes, static_cast<double>(blocks_.good_blocks()) * block_bytes, g.planes(), block_bytes};
}

// Blocks come before the engines that write to them, and versions before the trims that refer to them.
void Ftl::list_components() {
  components_ = {&table_,       &mapping_cache_, &blocks_,      &collector_, &scheduler_,        &writer_,
                 &stream_state_, &block_reads_,  &reader_,      &care_,      &renewal_state_,    &ages_,
                 &journal_,     &map_,           &trims_,       &planes_,    &allocation_state_, &room_,
                 &end_of_life_, &recovery_,      &power_cycle_, &erases_,    &units_,            &assembly_,
                 &reads_,       &writes_,        &flushes_,     &accesses_};
  if (rebuild_) components_.push_back(&*rebuild_);
  if (mapped_reads_) components_.push_back(&*mapped_reads_);
  if (fullpages_ != nullptr) components_.push_back(fullpages_.get());
}

void Ftl::persist(Archive& archive) {
  if (!settled()) throw std::logic_error("the state of a controller is saved or restored while it is busy");
  archive.section("controller");
  archive.expect("logical pages", map_.host_units());
  archive.expect("blocks in a superblock", layout_.members());
  if (archive.loading()) checkpoints_.try_load(archive);
  for (Component* const component : components_) component->persist(archive);
  archive.section("mapping and blocks");
  if (!archive.loading()) return;

  archive.require(read_only() == collector_.stopped(), "the drive is read-only but still collects, or the reverse");
  archive.require(read_only() || !room_.no_place_left(), "the drive has no place left but is not read-only");
  room_.check(archive);
  map_.check(archive);
}

void Ftl::persist_counters(Archive& archive) {
  archive.section("counters of the controller");
  for (Component* const component : components_) component->persist_counters(archive);
}

std::optional<std::uint32_t> Ftl::programmed_pages(FlashPlane flash_plane, std::uint32_t block_of_plane) const {
  const Superblock block = layout_.holding(flash_plane, block_of_plane);
  const std::uint32_t member =
      layout_.over_layers() ? block_of_plane % layout_.members() : layout_.member_of(flash_plane);
  switch (blocks_.state(block)) {
    case BlockTable::State::free: return 0;
    case BlockTable::State::open: return writer_.frontier().programmed_rows(block, member);
    case BlockTable::State::journal: return member == 0 ? journal_.programmed_pages(block) : std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace nandscape::controller
