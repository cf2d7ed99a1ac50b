// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/mapping_cache.h"

#include <algorithm>

namespace nandscape::controller {

void describe(MappingCacheParameters& p, ParameterVisitor& v) {
  v.integer("cache_bytes", p.cache_bytes, {}, "bytes",
            "memory for the mapping, whose rest is on flash; 0: the whole mapping is in memory");
  v.integer("entry_bytes", p.entry_bytes, {1, 8}, "bytes", "size of one entry of the mapping on flash");
}

std::uint32_t entries_per_translation_page(const MappingCacheParameters& p, std::uint32_t page_bytes) {
  return p.cache_bytes == 0 ? 0 : page_bytes / p.entry_bytes;
}

std::uint64_t translation_pages(const MappingCacheParameters& p, std::uint32_t page_bytes,
                                std::uint64_t logical_pages) {
  const std::uint32_t entries = entries_per_translation_page(p, page_bytes);
  return entries == 0 ? 0 : (logical_pages + entries - 1) / entries;
}

void describe(const MappingCacheCounters& c, StatisticsVisitor& v) {
  v.count("hits", c.hits, "accesses whose mapping entry was in memory");
  v.count("misses", c.misses, "accesses that waited for a translation page");
  v.count("loads", c.loads, "translation pages read from flash");
  v.count("stores", c.stores, "translation pages written to flash");
  v.count("failed_loads", c.failed_loads, "translation pages that could not be corrected");
}

void describe(const MappingMemoryFigures& f, StatisticsVisitor& v) {
  const MappingMemoryCounters& c = f.counters;
  const auto all = static_cast<double>(c.dram + c.sram + c.host + f.flash);
  v.count("dram", c.dram, "look-ups of mapping entries in DRAM");
  v.count("sram", c.sram, "look-ups in the controller's SRAM");
  v.count("host", c.host, "look-ups in the host memory buffer");
  v.count("flash", f.flash, "look-ups that waited for a translation page");
  v.ratio("sram_ratio", static_cast<double>(c.sram), all, "", "`sram` over all look-ups");
  v.ratio("host_ratio", static_cast<double>(c.host), all, "", "`host` over all look-ups");
  v.count("host_bytes_read", c.host_bytes_read, "bytes of the mapping read from the host memory buffer");
  v.count("host_bytes_written", c.host_bytes_written, "bytes of the mapping written to it");
  v.count("moves", f.moves, "part of all look-ups: those of units that the drive moves");
  v.level("granted_bytes", f.granted_bytes, "size of the host memory buffer at present");
}

MappingCache::MappingCache(const MappingCacheParameters& p, std::uint32_t page_bytes, std::uint64_t logical_pages)
    : always_at_hand_(p.cache_bytes == 0),
      entry_bytes_(p.entry_bytes),
      entries_per_page_(page_bytes / p.entry_bytes),
      capacity_(p.cache_bytes / page_bytes) {
  pages_.resize(controller::translation_pages(p, page_bytes, logical_pages));
}

bool MappingCache::find(Lpn lpn, Waiter& waiter, Tick now) {
  waiter.lpn = lpn;
  if (memory_ != nullptr && memory_->joins(waiter)) {
    ++counters_.hits;
    return false;
  }
  if (enabled()) {
    const std::uint64_t page = page_of(lpn);
    Page& p = pages_[page];
    const bool hit = p.state == State::present;
    ++(hit ? counters_.hits : counters_.misses);
    if (hit) use(static_cast<Index>(page));
    // If translated() is still being called for earlier waiters of the page, this one waits until they have been
    // served.
    if (!hit || p.serving) {
      p.waiters.push(waiter);
      if (!hit) want(static_cast<Index>(page), now);
      return false;
    }
  }
  return memory_ == nullptr || memory_->look_up(waiter, now);
}

bool MappingCache::find_moved(Lpn lpn, Waiter& waiter, Tick now) {
  waiter.lpn = lpn;
  if (memory_->joins(waiter)) {
    ++counters_.moves;
    return false;
  }
  if (enabled()) {
    const std::uint64_t page = page_of(lpn);
    if (pages_[page].state != State::present || pages_[page].serving) return true;
    use(static_cast<Index>(page));
  }
  ++counters_.moves;
  return memory_->look_up(waiter, now);
}

void MappingCache::change(Lpn lpn, Tick now) {
  if (enabled()) {
    const std::uint64_t page = page_of(lpn);
    Page& p = pages_[page];
    p.changed = true;
    if (p.state != State::present) return want(static_cast<Index>(page), now);
    use(static_cast<Index>(page));
  }
  if (memory_ != nullptr) memory_->change(lpn, now);
}

void MappingCache::want(Index page, Tick now) {
  Page& p = pages_[page];
  if (p.wanted || p.state == State::loading) return;
  p.wanted = true;
  if (p.state == State::storing) return;
  enqueue(page);
  admit(now);
}

void MappingCache::admit(Tick now) {
  // Each page that is being stored will make room for one queued page, so it is enough to store as many pages as are
  // queued.
  while (queued_ > 0 && (held_ < capacity_ || storing_ < queued_)) {
    if (held_ >= capacity_) {
      const Index victim = oldest_;
      if (victim == none) return;  // all pages are being loaded or stored
      unlink(victim);
      Page& p = pages_[victim];
      if (!p.changed) {
        p.state = State::absent;
        --held_;
        if (memory_ != nullptr) memory_->drop(victim);
        continue;
      }
      store(victim, now);
      continue;
    }
    const Index page = first_queued_;
    first_queued_ = pages_[page].next_queued;
    --queued_;
    pages_[page].wanted = false;
    pages_[page].state = State::loading;
    ++held_;
    ++loading_;
    ++counters_.loads;
    client_->load_translation_page(page, pages_[page].waiters.first(), now);
  }
}

void MappingCache::store(Index page, Tick now) {
  pages_[page].state = State::storing;
  pages_[page].changed = false;
  ++storing_;
  ++counters_.stores;
  if (memory_ != nullptr) {
    memory_->take(page, now);
  } else {
    client_->store_translation_page(page, now);
  }
}

void MappingCache::loaded(std::uint64_t page, Tick now, bool failed) {
  Page& p = pages_[page];
  p.state = State::present;
  --loading_;
  counters_.failed_loads += failed;
  link_newest(static_cast<Index>(page));
  if (memory_ != nullptr) memory_->put(page, now);
  p.serving = true;
  while (!p.waiters.empty()) {
    Waiter& waiter = p.waiters.pop();
    if (memory_ == nullptr || memory_->look_up_loaded(waiter, now)) waiter.translated(now);
  }
  p.serving = false;
  admit(now);
}

void MappingCache::stored(std::uint64_t page, Tick now) {
  pages_[page].state = State::absent;
  --storing_;
  --held_;
  if (pages_[page].wanted) enqueue(static_cast<Index>(page));
  admit(now);
}

void MappingCache::enqueue(Index page) {
  pages_[page].next_queued = none;
  (queued_++ == 0 ? first_queued_ : pages_[last_queued_].next_queued) = page;
  last_queued_ = page;
}

void MappingCache::use(Index page) {
  if (page == newest_) return;
  unlink(page);
  link_newest(page);
}

void MappingCache::link_newest(Index page) {
  pages_[page].newer = none;
  pages_[page].older = newest_;
  (newest_ == none ? oldest_ : pages_[newest_].newer) = page;
  newest_ = page;
}

void MappingCache::link_oldest(Index page) {
  pages_[page].older = none;
  pages_[page].newer = oldest_;
  (oldest_ == none ? newest_ : pages_[oldest_].older) = page;
  oldest_ = page;
}

void MappingCache::unlink(Index page) {
  const Page& p = pages_[page];
  (p.newer == none ? newest_ : pages_[p.newer].older) = p.older;
  (p.older == none ? oldest_ : pages_[p.older].newer) = p.newer;
}

void MappingCache::set_room(std::uint64_t pages) {
  capacity_ = pages;
  for (; !beyond_.empty() && held_ < capacity_; beyond_.pop_back()) {
    Page& p = pages_[beyond_.back()];
    if (p.state != State::absent || p.wanted) continue;
    p.state = State::present;
    link_oldest(beyond_.back());
    ++held_;
  }
  beyond_.clear();
}

void MappingCache::lose_pages(Tick now) {
  for (Index page = oldest_; page != none; page = pages_[page].newer) {
    pages_[page].state = State::absent;
    --held_;
  }
  newest_ = oldest_ = none;
  admit(now);
}

void MappingCache::persist(Archive& archive) {
  archive.section("mapping cache");
  archive.expect("translation pages", pages_.size());
  // Saves the pages in order of use, so that the links between them can be restored.
  std::vector<Index> held = beyond_;
  for (Index page = oldest_; page != none; page = pages_[page].newer) held.push_back(page);
  if (archive.loading()) {
    for (Page& page : pages_) page = {};
    newest_ = oldest_ = none;
  }
  std::vector<bool> seen(pages_.size());
  archive.list(held, pages_.size(), "translation pages in memory", [&](Index& page) {
    archive.index(page, pages_.size(), "a translation page");
    archive.require(!seen[page], "a translation page is in memory twice");
    seen[page] = true;
    archive(pages_[page].changed);
  });
  if (!archive.loading()) return;
  const std::size_t beyond = held.size() - std::min<std::size_t>(held.size(), capacity_);
  beyond_.assign(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(beyond));
  for (std::size_t k = beyond; k < held.size(); ++k) {
    pages_[held[k]].state = State::present;
    link_newest(held[k]);
  }
  held_ = held.size() - beyond;
}

}  // namespace nandscape::controller
