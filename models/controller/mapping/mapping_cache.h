// SPDX-License-Identifier: Apache-2.0
// Tracks which part of the mapping is in the controller's memory when the rest is on flash [DFTL, Gupta et al., ASPLOS
// 2009]. Translation pages hold the entries of the mapping. The most recently used ones are cached whole, so that one
// write of a translation page makes all its changed entries clean.
//
// Only the presence of entries is tracked here; MappingTable holds their values. All operations take constant time and
// allocate nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "core/component.h"
#include "core/ids.h"
#include "core/parameters.h"
#include "core/statistics.h"
#include "core/ticks.h"

namespace nandscape::controller {

struct MappingCacheParameters {
  std::uint64_t cache_bytes = 0;
  std::uint32_t entry_bytes = 4;
};
// Keys of the group `mapping`.
void describe(MappingCacheParameters& p, ParameterVisitor& v);

// Entries per translation page; 0 if the whole mapping is in memory.
std::uint32_t entries_per_translation_page(const MappingCacheParameters& parameters, std::uint32_t page_bytes);
// Number of translation pages for `logical_pages` logical pages.
std::uint64_t translation_pages(const MappingCacheParameters& parameters, std::uint32_t page_bytes,
                                std::uint64_t logical_pages);

struct MappingCacheCounters {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;
  std::uint64_t failed_loads = 0;
};
void describe(const MappingCacheCounters& counters, StatisticsVisitor& visitor);

class MappingCache final : public Component {
 public:
  // Base of objects that wait for a translation page.
  struct Waiter {
    Waiter* next_waiter = nullptr;
  };

  // Reads and writes translation pages. It may call loaded() or stored() from within these functions.
  class Client {
   public:
    // Reads the translation page, then calls loaded(). `waiters` lists the objects that wait for the page; null if it
    // is loaded only because an entry has changed.
    virtual void load_translation_page(std::uint64_t page, const Waiter* waiters, Tick now) = 0;
    // Writes the translation page, then calls stored().
    virtual void store_translation_page(std::uint64_t page, Tick now) = 0;
    // The entry that touch() asked for is in memory now. It may be evicted later.
    virtual void translated(Waiter& waiter, Tick now) = 0;

   protected:
    ~Client() = default;
  };

  // The parameters must have passed check().
  MappingCache(const MappingCacheParameters& parameters, std::uint32_t page_bytes, std::uint64_t logical_pages);

  void set_client(Client& client) { client_ = &client; }

  // Whether part of the mapping is on flash.
  bool enabled() const { return capacity_ != 0; }
  std::uint64_t page_of(Lpn lpn) const { return lpn.value / entries_per_page_; }
  std::uint64_t translation_pages() const { return pages_.size(); }

  // Returns whether the entry is in memory. If it is not, the client's translated() is called once it is.
  [[nodiscard]] bool touch(Lpn lpn, Waiter& waiter, Tick now) { return !enabled() || find(page_of(lpn), waiter, now); }
  // The entry has changed. If it is not in memory, it is loaded in the background without a waiter.
  void update(Lpn lpn, Tick now) {
    if (enabled()) change(page_of(lpn), now);
  }

  // The translation page was read. If the read `failed`, its entries are rebuilt from the tags of the pages that they
  // point to, which takes no simulated time.
  void loaded(std::uint64_t page, Tick now, bool failed = false);
  void stored(std::uint64_t page, Tick now);

  // Requires idle().
  void persist(Archive& archive) override;
  void persist_counters(Archive& archive) override { archive(counters_); }

  // Whether no translation page is being loaded or stored.
  bool idle() const override { return loading_ == 0 && storing_ == 0 && queued_ == 0; }
  const MappingCacheCounters& counters() const { return counters_; }

 private:
  using Index = std::uint32_t;
  static constexpr Index none = ~Index{0};

  enum class State : std::uint8_t {
    absent,
    loading,
    present,
    storing,  // being written and not usable: its room goes to a queued page
  };

  struct Page {
    State state = State::absent;
    bool changed = false;  // since it was last loaded or written
    bool wanted = false;   // waits to be loaded: for room, or for its store to end
    bool serving = false;  // translated() is being called for its waiters
    Index newer = none;    // neighbour among the present pages, by order of use
    Index older = none;
    Index next_queued = none;
    Waiter* first_waiter = nullptr;
    Waiter* last_waiter = nullptr;
  };

  bool find(std::uint64_t page, Waiter& waiter, Tick now);
  void change(std::uint64_t page, Tick now);
  void want(Index page, Tick now);
  // Loads queued pages while there is room, and makes room by evicting others.
  void admit(Tick now);
  void enqueue(Index page);
  void use(Index page);
  void link_newest(Index page);
  void unlink(Index page);

  Client* client_ = nullptr;
  std::uint64_t entries_per_page_;
  std::uint64_t capacity_;  // in translation pages; 0: the whole mapping is in memory
  std::vector<Page> pages_;
  std::uint64_t held_ = 0;  // pages that take up room: all that are not absent
  std::uint64_t loading_ = 0;
  std::uint64_t storing_ = 0;
  std::uint64_t queued_ = 0;
  Index first_queued_ = none;
  Index last_queued_ = none;
  Index newest_ = none;
  Index oldest_ = none;
  MappingCacheCounters counters_;
};

}  // namespace nandscape::controller
