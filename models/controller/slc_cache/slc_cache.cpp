// SPDX-License-Identifier: Apache-2.0
#include "controller/slc_cache/slc_cache.h"

#include <algorithm>
#include <cmath>

namespace nandscape::controller {

std::uint32_t SlcCacheParameters::static_blocks(std::uint32_t blocks_per_plane) const {
  return static_cast<std::uint32_t>(std::ceil(static_percent / 100 * blocks_per_plane));
}

void describe(SlcCacheParameters& p, ParameterVisitor& v) {
  v.unread_if(!p.used(),
              {"when_full", "fold_idle_ms", "fold_mark_percent", "fold_rate_mb_s", "fold_by", "copyback_hours"},
              "static_percent and dynamic_percent are 0");
  v.unread_if(p.fold_idle_ms == 0 && p.fold_mark_percent == 100, {"fold_rate_mb_s"},
              "blocks are folded for room only, which is not limited");
  v.unread_if(p.fold_by != FoldBy::copyback, {"copyback_hours"}, "fold_by is not copyback");
  v.real("static_percent", p.static_percent, {0, 90}, "percent",
         "share of the blocks that are used in SLC mode only; they are neither capacity nor spare flash");
  v.real("dynamic_percent", p.dynamic_percent, {0, 100}, "percent",
         "share of the otherwise free blocks that may be used in SLC mode");
  v.choice("when_full", p.when_full,
           {{"direct", "the host writes to ordinary blocks"},
            {"fold", "the host waits until a block of the cache has been folded"}},
           "what the host's writes do when the cache has no room");
  v.real("fold_idle_ms", p.fold_idle_ms, {0, 1e6}, "ms",
         "time without writes of the host after which blocks of the cache are folded; 0: idle time does not matter");
  v.real("fold_mark_percent", p.fold_mark_percent, {0, 100}, "percent",
         "share of the cache above which blocks are folded while the host writes; 100: only when the cache is full");
  v.real("fold_rate_mb_s", p.fold_rate_mb_s, {0, 1e6}, "mb_s",
         "most data that are folded per second, unless the host waits for room; 0: no limit");
  v.choice("fold_by", p.fold_by,
           {{"read_and_program", "the controller reads pages, corrects their errors and programs them"},
            {"copyback", "the die copies pages inside their plane, with their errors, if all their units are valid"}},
           "how the data of a folded block are moved");
  v.real("copyback_hours", p.copyback_hours, {0, 1e6}, "hours",
         "age of a block, at 30 C, above which the controller reads and programs its pages: a copy keeps all errors");
}

void describe(const SlcCacheCounters& c, StatisticsVisitor& v) {
  v.count("cached_units", c.cached_units, "mapping units that the host wrote to the cache");
  v.count("direct_units", c.direct_units, "mapping units that the host wrote to ordinary blocks");
  v.level("blocks", c.blocks, "blocks of the cache now, in SLC mode");
  v.level("valid_units", c.valid_units, "mapping units with current data in the cache now");
}

SlcCache::SlcCache(const SlcCacheParameters& parameters, const Drive& drive, BlockTable& blocks, BlockLives& lives,
                   GarbageCollector& collector, Calendar& calendar)
    : static_blocks_(parameters.static_blocks(blocks.geometry().blocks_per_plane())),
      dynamic_share_(parameters.dynamic_percent / 100),
      when_full_(parameters.when_full),
      fold_idle_(ticks_from_ms(parameters.fold_idle_ms)),
      fold_mark_(parameters.fold_mark_percent / 100),
      start_free_blocks_(drive.start_free_blocks),
      stream_(drive.stream),
      planes_together_(parameters.copies_back() ? drive.planes_per_die : 1),
      direct_(parameters.copies_back()),
      blocks_(blocks),
      lives_(lives),
      collector_(collector),
      calendar_(calendar),
      fold_interval_(parameters.fold_rate_mb_s == 0
                         ? 0
                         : ticks_from_us(static_cast<double>(blocks.shapes().of(slc_cache_mode).units()) *
                                         drive.unit_bytes * blocks.geometry().planes() / parameters.fold_rate_mb_s)),
      planes_(blocks.geometry().planes()) {
  for (const FtlPlane plane : planes_.places()) keep_blocks(plane);
}

// Keeps free blocks for the static part, as far as it does not consist of blocks in use.
void SlcCache::keep_blocks(FtlPlane plane) {
  const auto used = static_cast<std::uint32_t>(planes_[plane].blocks.size());
  collector_.keep_blocks(plane, static_blocks_ - std::min(static_blocks_, used));
}

bool SlcCache::takes_unit(Tick now) {
  last_write_ = now;
  wait_for_idle_time(now);
  ++(has_room_ ? cached_units_ : direct_units_);
  return has_room_;
}

// The dynamic part may have a share of the blocks that are free or belong to it. One block more than the number below
// which collection begins remains free, so that the cache alone never makes collection necessary.
double SlcCache::dynamic_limit(FtlPlane plane) const {
  const std::uint32_t available = collector_.free_for_data(plane) + dynamic_blocks(planes_[plane]);
  const std::uint32_t least = start_free_blocks_ + 1;
  return available <= least ? 0 : dynamic_share_ * (available - least);
}

bool SlcCache::may_open(FtlPlane plane) const {
  if (blocks_.free_blocks(plane) == 0) return false;
  const PlaneCache& cache = planes_[plane];
  if (cache.blocks.size() < static_blocks_) return true;
  return collector_.free_for_data(plane) > start_free_blocks_ + 1 && dynamic_blocks(cache) + 1 <= dynamic_limit(plane);
}

bool SlcCache::above_mark(FtlPlane plane) const {
  if (fold_mark_ >= 1) return false;
  return static_cast<double>(planes_[plane].blocks.size()) > fold_mark_ * (static_blocks_ + dynamic_limit(plane));
}

void SlcCache::opened(Superblock block) {
  const FtlPlane plane = blocks_.geometry().plane_of(block);
  planes_[plane].blocks.push_back(block);
  keep_blocks(plane);
  fold_in_background(plane, calendar_.now());
}

bool SlcCache::waits_for_room(FtlPlane plane, Tick now) {
  PlaneCache& cache = planes_[plane];
  if (when_full_ == WhenFull::fold && !cache.blocks.empty()) {
    fold_next(plane, now);
    cache.host_waits = cache.folding.valid();
    if (cache.host_waits) {
      collector_.hurry(plane);
      return true;
    }
  }
  has_room_ = false;
  return false;
}

Superblock SlcCache::block_to_fold(const PlaneCache& cache) const {
  Superblock best;
  for (const Superblock block : cache.blocks) {
    if (blocks_.state(block) != BlockTable::State::full || blocks_.pinned(block)) continue;
    if (!best.valid() || blocks_.valid_pages(block) < blocks_.valid_pages(best)) best = block;
  }
  return best;
}

Superblock SlcCache::victim(FtlPlane plane) {
  const PlaneCache& cache = planes_[plane];
  return dynamic_blocks(cache) == 0 ? Superblock() : block_to_fold(cache);
}

void SlcCache::fold_next(FtlPlane plane, Tick now) {
  PlaneCache& cache = planes_[plane];
  if (cache.folding.valid()) return;
  cache.folding = block_to_fold(cache);
  if (cache.folding.valid()) collector_.empty(cache.folding, Reason::fold, now);
}

void SlcCache::fold_in_background(FtlPlane plane, Tick now) {
  PlaneCache& cache = planes_[plane];
  if (cache.looks || cache.folding.valid() || !(idle_at(now) || above_mark(plane))) return;
  cache.looks = true;
  calendar_.schedule<&SlcCache::start_fold>(std::max(now, cache.next_fold), *this, std::uint64_t{plane.value});
}

void SlcCache::start_fold(std::uint64_t number) {
  const FtlPlane plane{static_cast<std::uint32_t>(number)};
  PlaneCache& cache = planes_[plane];
  const Tick now = calendar_.now();
  cache.looks = false;
  if (!idle_at(now) && !above_mark(plane)) return;
  const bool held = cache.folding.valid() && blocks_.state(cache.folding) == BlockTable::State::victim &&
                    blocks_.valid_pages(cache.folding) == 0;
  if (direct_ && held && !cache.host_waits) cache.folding = Superblock();
  fold_next(plane, now);
  if (cache.folding.valid()) cache.next_fold = now + fold_interval_;
}

void SlcCache::wait_for_idle_time(Tick now) {
  if (fold_idle_ == 0 || looks_) return;
  looks_ = true;
  calendar_.schedule<&SlcCache::look_for_idle_time>(std::max(now, last_write_ + fold_idle_), *this, 0);
}

void SlcCache::look_for_idle_time(std::uint64_t) {
  looks_ = false;
  const Tick now = calendar_.now();
  if (!idle_at(now)) return wait_for_idle_time(now);
  for (const FtlPlane plane : planes_.places()) fold_in_background(plane, now);
}

void SlcCache::block_erased(Superblock block, bool erased, Tick now) {
  has_room_ = true;
  const FtlPlane plane = blocks_.geometry().plane_of(block);
  PlaneCache& cache = planes_[plane];
  if (std::erase(cache.blocks, block) == 0) return;
  if (erased) lives_.slc_erased(block);
  keep_blocks(plane);
  if (cache.folding == block) {
    cache.folding = Superblock();
    cache.host_waits = false;
  }
  go_on_folding(plane, now);
}

// After a direct fold, the block stays until the last wordline of its copies is complete. This may be the case in a
// moment; otherwise the pages of the next block complete it.
void SlcCache::held_back(Superblock block, Tick now) {
  const FtlPlane plane = blocks_.geometry().plane_of(block);
  PlaneCache& cache = planes_[plane];
  if (!direct_ || cache.folding != block || cache.looks) return;
  cache.looks = true;
  calendar_.schedule<&SlcCache::start_fold>(std::max(now, cache.next_fold), *this, std::uint64_t{plane.value});
}

void SlcCache::go_on_folding(FtlPlane plane, Tick now) {
  const std::uint32_t first = plane.value / planes_together_ * planes_together_;
  for (std::uint32_t k = 0; k < planes_together_; ++k) {
    if (planes_[FtlPlane(first + k)].folding.valid()) return;
  }
  for (std::uint32_t k = 0; k < planes_together_; ++k) fold_in_background(FtlPlane(first + k), now);
}

SlcCacheCounters SlcCache::counters() const {
  SlcCacheCounters c{.cached_units = cached_units_, .direct_units = direct_units_};
  for (const FtlPlane plane : planes_.places()) {
    c.blocks += planes_[plane].blocks.size();
    for (const Superblock block : planes_[plane].blocks) c.valid_units += blocks_.valid_pages(block);
  }
  return c;
}

void SlcCache::find_blocks() {
  for (const FtlPlane plane : planes_.places()) planes_[plane] = {};
  for (const Superblock block : blocks_.geometry().every_block()) {
    const bool used =
        blocks_.state(block) == BlockTable::State::full || blocks_.state(block) == BlockTable::State::open;
    if (used && blocks_.write_mode(block) == slc_cache_mode) {
      planes_[blocks_.geometry().plane_of(block)].blocks.push_back(block);
    }
  }
  for (const FtlPlane plane : planes_.places()) keep_blocks(plane);
}

void SlcCache::come_up() {
  find_blocks();
  last_write_ = calendar_.now();
  wait_for_idle_time(last_write_);
}

void SlcCache::persist(Archive& archive) {
  archive.section("SLC cache");
  archive(has_room_, last_write_);
  if (archive.loading()) find_blocks();
}

}  // namespace nandscape::controller
