// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/mapping_cache.h"

#include <utility>

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

MappingCache::MappingCache(const MappingCacheParameters& p, std::uint32_t page_bytes, std::uint64_t logical_pages)
    : entries_per_page_(page_bytes / p.entry_bytes), capacity_(p.cache_bytes / page_bytes) {
  pages_.resize(controller::translation_pages(p, page_bytes, logical_pages));
}

bool MappingCache::find(std::uint64_t page, Waiter& waiter, Tick now) {
  Page& p = pages_[page];
  const bool hit = p.state == State::present;
  ++(hit ? counters_.hits : counters_.misses);
  if (hit) {
    use(static_cast<Index>(page));
    // translated() is still being called for earlier waiters of the page, so this one waits until they have been
    // served.
    if (!p.serving) return true;
  }
  waiter.next_waiter = nullptr;
  (p.first_waiter == nullptr ? p.first_waiter : p.last_waiter->next_waiter) = &waiter;
  p.last_waiter = &waiter;
  if (!hit) want(static_cast<Index>(page), now);
  return false;
}

void MappingCache::change(std::uint64_t page, Tick now) {
  Page& p = pages_[page];
  p.changed = true;
  if (p.state == State::present) {
    use(static_cast<Index>(page));
  } else {
    want(static_cast<Index>(page), now);
  }
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
    if (held_ == capacity_) {
      const Index victim = oldest_;
      if (victim == none) return;  // all pages are being loaded or stored
      unlink(victim);
      Page& p = pages_[victim];
      if (!p.changed) {
        p.state = State::absent;
        --held_;
        continue;
      }
      p.state = State::storing;
      p.changed = false;
      ++storing_;
      ++counters_.stores;
      client_->store_translation_page(victim, now);
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
    client_->load_translation_page(page, pages_[page].first_waiter, now);
  }
}

void MappingCache::loaded(std::uint64_t page, Tick now, bool failed) {
  Page& p = pages_[page];
  p.state = State::present;
  --loading_;
  counters_.failed_loads += failed;
  link_newest(static_cast<Index>(page));
  p.serving = true;
  while (p.first_waiter != nullptr) {
    client_->translated(*std::exchange(p.first_waiter, p.first_waiter->next_waiter), now);
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

void MappingCache::unlink(Index page) {
  const Page& p = pages_[page];
  (p.newer == none ? newest_ : pages_[p.newer].older) = p.older;
  (p.older == none ? oldest_ : pages_[p.older].newer) = p.newer;
}

void MappingCache::persist(Archive& archive) {
  archive.section("mapping cache");
  archive.expect("translation pages", pages_.size());
  // Saves the pages in order of use, so that the links between them can be restored.
  std::vector<Index> held;
  for (Index page = oldest_; page != none; page = pages_[page].newer) held.push_back(page);
  if (archive.loading()) {
    for (Page& page : pages_) page = {};
    newest_ = oldest_ = none;
  }
  archive.list(held, capacity_, "translation pages in memory", [&](Index& page) {
    archive.index(page, pages_.size(), "a translation page");
    archive.require(pages_[page].state != State::present, "a translation page is in memory twice");
    archive(pages_[page].changed);
    if (!archive.loading()) return;
    pages_[page].state = State::present;
    link_newest(page);
  });
  held_ = held.size();
}

}  // namespace nandscape::controller
