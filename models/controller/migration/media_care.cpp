// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/media_care.h"

#include <algorithm>
#include <limits>

namespace nandscape::controller {

Scrub::Scrub(const ScrubParameters& p, const FtlGeometry& geometry)
    : geometry_(geometry), period_(ticks_from_s(p.period_hours * 3600)), error_fraction_(p.relocate_error_fraction) {}

Ppa Scrub::next() {
  const std::uint64_t plane = step_ % geometry_.planes();
  const std::uint64_t page = step_ / geometry_.planes();
  if (++step_ == geometry_.units()) {
    step_ = 0;
    ++rounds_;
  }
  return Ppa(plane * geometry_.units_per_plane() + page);
}

Superblock StaticWearLevelling::erased(const BlockTable& blocks, FtlPlane plane) {
  if (!enabled() || ++erases_[plane] < check_erases_) return Superblock();
  erases_[plane] = 0;

  const FtlGeometry& geometry = blocks.geometry();
  std::uint32_t most = 0;
  Superblock least_worn;
  for (std::uint32_t index = 0; index < geometry.blocks_per_plane(); ++index) {
    const Superblock block = geometry.block(plane, index);
    const std::uint32_t erases = blocks.erase_count(block);
    most = std::max(most, erases);
    if (blocks.state(block) != BlockTable::State::full || blocks.pinned(block)) continue;
    const bool better =
        !least_worn.valid() || erases < blocks.erase_count(least_worn) ||
        (erases == blocks.erase_count(least_worn) && blocks.last_written(block) < blocks.last_written(least_worn));
    if (better) least_worn = block;
  }
  const bool lags = least_worn.valid() && most - blocks.erase_count(least_worn) > threshold_;
  return lags ? least_worn : Superblock();
}

MediaCare::MediaCare(const RefreshParameters& refresh, const RefreshContext& refreshed, const ScrubParameters& scrub,
                     const WearLevellingParameters& wear, WriteModePolicy& write_mode, const Context& context)
    : drive_(context),
      refresh_interval_(refresh.refreshes() ? ticks_from_s(refresh.check_hours * 3600) : 0),
      refresh_(refresh_registry().make(refresh.policy, refreshed)),
      guarantees_(write_mode.make_guarantees({context.blocks, context.clock, *this})),
      scrub_(scrub, context.io.layout().mapping()),
      levelling_(wear, context.io.layout().mapping()),
      scrub_reads_(context.io, *this) {
  if (refresh_interval_ != 0) refresh_due_ = refresh_interval_;
  set_due(0);
}

void MediaCare::look(Tick now) {
  if (now >= refresh_due_) refresh_old_blocks(now);
  scrub_.skip_missed_rounds(now);
  while (now >= scrub_.due()) scrub_page(now);
  if (now >= guarantees_due_ && keeps_guarantees()) guarantees_->work(now);
  set_due(now);
}

void MediaCare::set_due(Tick now) {
  guarantees_due_ = keeps_guarantees() ? guarantees_->due(now) : never;
  due_ = std::min({refresh_due_, scrub_.due(), guarantees_due_});
}

void MediaCare::advance(double hours, Tick now) {
  drive_.ages.store(hours);
  if (refresh_due_ != never) refresh_old_blocks(now);
  if (keeps_guarantees()) guarantees_->work(now);
  set_due(now);
}

double MediaCare::hours_left(Tick now) const {
  return keeps_guarantees() ? guarantees_->hours_left(now) : std::numeric_limits<double>::infinity();
}

void MediaCare::resume(Tick now) {
  if (keeps_guarantees()) guarantees_->resume(now);
  set_due(now);
}

void MediaCare::refresh_old_blocks(Tick now) {
  refresh_due_ = now + refresh_interval_;
  for (const Superblock block : drive_.blocks.geometry().every_block()) {
    if (drive_.blocks.state(block) != BlockTable::State::full || drive_.blocks.valid_pages(block) == 0) continue;
    if (refresh_->due(drive_.ages.of(block, now))) drive_.collector.empty(block, Reason::refresh, now);
  }
}

// Makes the next step of the patrol. The steps are mapping units; only the first unit of each flash page causes a read
// of the page. A page is skipped if this unit holds no valid data or the block is not full.
void MediaCare::scrub_page(Tick now) {
  const FlashLayout& layout = drive_.io.layout();
  const Ppa unit = scrub_.next();
  if (layout.unit_in_page(unit) != 0) return;
  const BlockTable::State state = drive_.blocks.state(layout.block_of(unit));
  if (state != BlockTable::State::full || !drive_.blocks.held_by(unit).valid()) return;
  ++scrubbed_pages_;
  ScrubRead& read = scrub_reads_.acquire();
  read.lpn = drive_.blocks.held_by(unit);
  drive_.io.ask_for_key(read);
  drive_.reader.start(read, unit, 0, layout.flash().page_bytes, now);
}

void MediaCare::page_scrubbed(ScrubRead& read, Tick now) {
  const bool relocate =
      scrub_.relocate(read.ecc.worst_codeword_errors, drive_.io.correctable_bits(read), read.ecc.uncorrectable);
  const Superblock block = read.block;
  scrub_reads_.release(read);
  if (relocate) drive_.collector.empty(block, Reason::errors, now);
}

void MediaCare::block_read(Superblock block, std::uint32_t reads, Tick now) {
  drive_.reads.add(block, reads);
  // The collector does not empty an open block. In this case, the request is repeated at the next read of the block.
  if (drive_.reads.due(block)) drive_.collector.empty(block, Reason::read_disturb, now);
}

void MediaCare::block_erased(Superblock block, bool erased, Tick now) {
  drive_.reads.erased(block);
  if (erased) drive_.lives.erased(block);
  if (guarantees_ != nullptr) guarantees_->block_erased(block, now);
  const FtlPlane plane = drive_.blocks.geometry().plane_of(block);
  const Superblock lagging = levelling_.erased(drive_.blocks, plane);
  if (lagging.valid()) drive_.collector.empty(lagging, Reason::wear, now);
}

GuaranteeCounters MediaCare::guarantee_counters(Tick now) const {
  if (guarantees_ == nullptr) return {};
  constexpr auto reason = static_cast<std::size_t>(Reason::guarantee);
  const GarbageCollectionCounters& collection = drive_.collector.counters();
  GuaranteeCounters counters = guarantees_->counters(now);
  counters.reprogrammed_blocks = collection.emptied[reason];
  counters.reprogrammed_pages = collection.emptied_pages[reason];
  counters.reprogrammed_bytes = collection.emptied_units[reason] * drive_.io.layout().unit_bytes();
  return counters;
}

void MediaCare::persist_counters(Archive& archive) {
  archive(scrubbed_pages_);
  if (guarantees_ != nullptr) guarantees_->persist_counters(archive);
}

void MediaCare::persist(Archive& archive) {
  const Tick now = drive_.calendar.now();
  archive.section("media care");
  levelling_.persist(archive);
  scrub_.persist(archive);
  archive(refresh_due_);
  const bool in_time = refresh_interval_ == 0 ? refresh_due_ == never : refresh_due_ <= now + refresh_interval_;
  archive.require(in_time, "the next look at old blocks is not within its interval");
  archive.variant(guarantees_ == nullptr ? "" : "guarantees", [this](Archive& state) { guarantees_->persist(state); });
  set_due(now);
}

}  // namespace nandscape::controller
