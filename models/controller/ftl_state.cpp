// SPDX-License-Identifier: Apache-2.0
// Saving and reporting the state of the controller: its state at rest for checkpoints, its counters for the controller
// of another power cycle, and its reports.
#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "controller/ftl.h"

namespace nandscape::controller {

// When collection has stopped and erases nothing, the journal may find no block, so pending records do not count.
bool Ftl::settled() const {
  const bool journal_rests = collector_.stopped() ? !journal_.writing() : !journal_.pending();
  return units_.in_flight().empty() && trims_.empty() && flushes_.empty() && !recovering() && journal_rests &&
         erases_.waiting() == 0 && io_.in_use() == 0 && collector_.at_rest() && mapping_cache_.idle();
}

bool Ftl::idle() const {
  bool pinned = false;
  for (const Superblock block : layout_.mapping().every_block()) pinned |= blocks_.pinned(block);
  const std::size_t waiting = writer_.ledger().undurable().count() + writer_.frontier().open_groups();
  return !reads_.waiting() && units_.in_flight().empty() && trims_.empty() && accesses_.empty() && flushes_.empty() &&
         !recovering() && mapping_cache_.idle() && io_.in_use() == waiting && (!pinned || waiting != 0);
}

std::string Ftl::waiting() const {
  std::ostringstream out;
  std::size_t writes = 0;
  units_.in_flight().for_each([&](const UnitWrite&) { ++writes; });
  if (read_only()) out << "the drive is read-only" << (room_.no_place_left() ? ", with no place left" : "") << "\n";
  if (writes != 0) out << writes << " units are being written, " << units_.rewritten() << " of them again\n";
  flushes_.list_waiting(out);
  if (erases_.waiting() != 0) out << erases_.waiting() << " erases wait for the journal of trims\n";
  scheduler_.list_waiting(out);
  writer_.list_waiting(out);
  assembly_.list_waiting(out);
  collector_.list_waiting(out);
  journal_.list_waiting(out);
  std::string text = out.str();
  std::ranges::replace(text, '\n', ';');
  return text;
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
  health.power_cycles = power_loss_.power_cycles;
  health.unsafe_shutdowns = power_loss_.unsafe_shutdowns;
  return health;
}

double Ftl::percentage_used() const {
  const FtlGeometry& g = layout_.mapping();
  double erases = 0;
  for (const Superblock block : g.every_block()) erases += blocks_.erase_count(block);
  return 100 * (io_.path().first_age.pe_cycles + erases / g.blocks()) / io_.path().rated_cycles;
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
  counters.power_loss = {power_loss_, hold_up_.most(), hold_up_.charged_v(), hold_up_.cut_off_v()};
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

void Ftl::persist(Archive& archive) {
  if (!settled()) throw std::logic_error("the state of a controller is saved or restored while it is busy");
  archive.section("controller");
  archive.expect("logical pages", map_.host_units());
  archive.expect("blocks in a superblock", layout_.members());
  if (archive.loading()) checkpoints_.try_load(archive);
  table_.persist(archive);
  mapping_cache_.persist(archive);
  blocks_.persist(archive);
  collector_.persist(archive);
  scheduler_.persist(archive);
  writer_.persist(archive);
  archive.variant(stream_policy_, [this](Archive& state) { streams_->persist(state); });
  block_reads_.persist(archive);
  reader_.persist(archive);
  care_.persist(archive, calendar_.now());
  archive.variant(renewal_ == nullptr ? "" : "renewal", [this](Archive& state) { renewal_->persist(state); });
  ages_.persist(archive);
  journal_.persist(archive);
  archive.section("versions and places");
  map_.persist(archive);
  trimmed_.persist(archive, map_.host_units(), map_.version());
  planes_.persist(archive);
  archive.variant(allocation_policy_, [this](Archive& state) { allocation_->persist(state); });
  room_.persist(archive);
  end_of_life_.persist(archive);
  recovery_.persist(archive);
  archive.section("mapping and blocks");
  if (!archive.loading()) return;

  archive.require(read_only() == collector_.stopped(), "the drive is read-only but still collects, or the reverse");
  archive.require(read_only() || !room_.no_place_left(), "the drive has no place left but is not read-only");
  room_.check(archive);
  map_.check(archive);
}

void Ftl::persist_counters(Archive& archive) {
  archive.section("counters of the controller");
  writes_.persist_counters(archive);
  reads_.persist_counters(archive);
  erases_.persist_counters(archive);
  care_.persist_counters(archive);
  recovery_.persist_counters(archive);
  archive(power_loss_);
  reader_.persist_counters(archive);
  if (rebuild_) rebuild_->persist_counters(archive);
  if (mapped_reads_) mapped_reads_->persist_counters(archive);
  journal_.persist_counters(archive);
  writer_.persist_counters(archive);
  if (fullpages_ != nullptr) fullpages_->persist_counters(archive);
  collector_.persist_counters(archive);
  if (renewal_ != nullptr) renewal_->persist_counters(archive);
  scheduler_.persist_counters(archive);
  mapping_cache_.persist_counters(archive);
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
