// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/media_care.h"

#include <algorithm>
#include <limits>

namespace nandscape::controller {

MediaCare::MediaCare(const RefreshParameters& refresh, const ScrubParameters& scrub,
                     const WearLevellingParameters& wear, WriteModePolicy& write_mode, const DriveClock& clock,
                     FlashIo& io, const BlockTable& blocks, BlockAges& ages, BlockReads& reads, PageReader& reader,
                     PageWriter& writer, GarbageCollector& collector)
    : io_(io),
      blocks_(blocks),
      ages_(ages),
      reads_(reads),
      reader_(reader),
      writer_(writer),
      collector_(collector),
      refresh_interval_(refresh.policy.name == "none" ? 0 : ticks_from_s(refresh.check_hours * 3600)),
      refresh_(refresh_registry().make(refresh.policy, io.path().refresh)),
      guarantees_(write_mode.make_guarantees({blocks, clock, *this})),
      scrub_(scrub, io.layout().mapping()),
      levelling_(wear, io.layout().mapping()),
      scrub_reads_(io, *this) {
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
  ages_.store(hours);
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
  for (const Superblock block : blocks_.geometry().every_block()) {
    if (blocks_.state(block) != BlockTable::State::full || blocks_.valid_pages(block) == 0) continue;
    if (refresh_->due(ages_.of(block, now))) collector_.empty(block, Reason::refresh, now);
  }
}

// The patrol goes through pages of the flash; pages without valid data are skipped.
void MediaCare::scrub_page(Tick now) {
  const FlashLayout& layout = io_.layout();
  const Ppa unit = scrub_.next();
  if (layout.unit_in_page(unit) != 0) return;
  const BlockTable::State state = blocks_.state(layout.block_of(unit));
  if (state != BlockTable::State::full || !blocks_.held_by(unit).valid()) return;
  ++scrubbed_pages_;
  ScrubRead& read = scrub_reads_.acquire();
  read.lpn = blocks_.held_by(unit);
  io_.ask_for_key(read);
  reader_.start(read, unit, 0, layout.flash().page_bytes, now);
}

void MediaCare::page_scrubbed(ScrubRead& read, Tick now) {
  const bool relocate =
      scrub_.relocate(read.ecc.worst_codeword_errors, io_.correctable_bits(read), read.ecc.uncorrectable);
  const Superblock block = read.block;
  scrub_reads_.release(read);
  if (relocate) collector_.empty(block, Reason::errors, now);
}

void MediaCare::block_read(Superblock block, std::uint32_t reads, Tick now) {
  if (!reads_.counted()) return;
  reads_.add(block, reads);
  // An open block cannot be emptied yet: the request is repeated at its next read.
  if (reads_.due(block)) collector_.empty(block, Reason::read_disturb, now);
}

void MediaCare::block_erased(Superblock block, Tick now) {
  if (guarantees_ != nullptr) guarantees_->block_erased(block, now);
  const FtlPlane plane = blocks_.geometry().plane_of(block);
  const Superblock lagging = levelling_.erased(blocks_, plane);
  if (lagging.valid()) collector_.empty(lagging, Reason::wear, now);
}

GuaranteeCounters MediaCare::guarantee_counters(Tick now) const {
  if (guarantees_ == nullptr) return {};
  constexpr auto reason = static_cast<std::size_t>(Reason::guarantee);
  const GarbageCollectionCounters& collection = collector_.counters();
  GuaranteeCounters counters = guarantees_->counters(now);
  counters.reprogrammed_blocks = collection.emptied[reason];
  counters.reprogrammed_pages = collection.emptied_pages[reason];
  counters.reprogrammed_bytes = collection.emptied_units[reason] * io_.layout().unit_bytes();
  return counters;
}

void MediaCare::persist_counters(Archive& archive) {
  archive(scrubbed_pages_);
  if (guarantees_ != nullptr) guarantees_->persist_counters(archive);
}

void MediaCare::persist(Archive& archive, Tick now) {
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
