// SPDX-License-Identifier: Apache-2.0
// Tracks which part of the mapping is in the controller's memory while the rest is on flash [DFTL, Gupta et al., ASPLOS
// 2009]. Translation pages on flash hold the mapping entries. The most recently used translation pages are cached as a
// whole, so writing one of them to flash makes all of its changed entries clean.
//
// This class tracks only whether an entry is in memory; MappingTable holds the values of all entries. All operations
// take constant time and allocate no memory.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/mapping/mapping_memory.h"
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
// Describes the keys, which belong to the configuration group `controller.mapping`.
void describe(MappingCacheParameters& p, ParameterVisitor& v);

// Returns the number of entries in a translation page; 0 if the whole mapping is in memory.
std::uint32_t entries_per_translation_page(const MappingCacheParameters& parameters, std::uint32_t page_bytes);
// Returns the number of translation pages that `logical_pages` logical pages need; 0 if the whole mapping is in memory.
std::uint64_t translation_pages(const MappingCacheParameters& parameters, std::uint32_t page_bytes,
                                std::uint64_t logical_pages);

struct MappingCacheCounters {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;
  std::uint64_t failed_loads = 0;
  std::uint64_t moves = 0;  // look-ups by touch_moved()
};
void describe(const MappingCacheCounters& counters, StatisticsVisitor& visitor);

class MappingCache final : public Component, private MappingMemory::Client {
 public:
  // The base class of objects that wait for an entry.
  using Waiter = MappingWaiter;

  // Reads and writes the translation pages on flash. The client may call loaded() or stored() before these functions
  // return.
  class Client {
   public:
    // Reads the translation page from flash and then calls loaded(). `waiters` is the list of objects that wait for the
    // page, or null if the page is loaded only because one of its entries has changed.
    virtual void load_translation_page(std::uint64_t page, const Waiter* waiters, Tick now) = 0;
    // Writes the translation page to flash and then calls stored().
    virtual void store_translation_page(std::uint64_t page, Tick now) = 0;

   protected:
    ~Client() = default;
  };

  // `cache_bytes` must be 0 or at least `page_bytes`, so that a translation page fits into the cache.
  MappingCache(const MappingCacheParameters& parameters, std::uint32_t page_bytes, std::uint64_t logical_pages);

  void set_client(Client& client) { client_ = &client; }
  // Sets the memory of the cached pages, in which each look-up has a cost; returns the client of this memory.
  MappingMemory::Client& set_memory(MappingMemory& memory) {
    memory_ = &memory;
    always_at_hand_ = false;
    return *this;
  }

  // Whether a part of the mapping is on flash.
  bool enabled() const { return capacity_ != 0; }
  // Whether every look-up takes no time.
  bool always_at_hand() const { return always_at_hand_; }
  std::uint32_t entry_bytes() const { return entry_bytes_; }
  std::uint64_t page_of(Lpn lpn) const { return lpn.value / entries_per_page_; }
  std::uint64_t translation_pages() const { return pages_.size(); }

  // Returns whether the entry is in memory. If it is not, starts to load it; the waiter's translated() is called when
  // it is in memory.
  [[nodiscard]] bool touch(Lpn lpn, Waiter& waiter, Tick now) { return always_at_hand() || find(lpn, waiter, now); }
  // Whether look-ups of units that the drive moves take no time.
  bool moves_at_hand() const { return memory_ == nullptr; }
  // Looks up the entry of a unit that the drive moves, as touch() does. It never waits for a translation page on flash:
  // to load one, another may have to be stored, which needs room that only moves make. The block of the unit tells then
  // whether it is valid.
  [[nodiscard]] bool touch_moved(Lpn lpn, Waiter& waiter, Tick now) {
    return moves_at_hand() || find_moved(lpn, waiter, now);
  }
  // Records that the entry has changed. If the entry is not in memory, it is loaded in the background.
  void update(Lpn lpn, Tick now) {
    if (!always_at_hand()) change(lpn, now);
  }

  // Called when the translation page has been read. If the read has `failed`, the entries are taken from MappingTable:
  // it is assumed that the drive rebuilds them, from the tags of the pages to which they point, in no simulated time.
  void loaded(std::uint64_t page, Tick now, bool failed = false);
  void stored(std::uint64_t page, Tick now);

  // Changes the number of translation pages that have room. Pages that a checkpoint has held beyond the former room are
  // in memory again.
  void set_room(std::uint64_t pages);
  // Forgets all pages that are in memory, because the memory is lost. Changed entries are taken from MappingTable when
  // their pages are loaded again, as in loaded().
  void lose_pages(Tick now);
  template <class Visit>
  void for_each_in_memory(Visit visit) const {
    for (Index page = oldest_; page != none; page = pages_[page].newer) visit(std::uint64_t{page});
  }

  // Saves or restores the pages in memory. idle() must be true.
  void persist(Archive& archive) override;
  void persist_counters(Archive& archive) override { archive(counters_); }

  // Whether no translation page is being loaded or stored, or waits to be loaded.
  bool idle() const override { return loading_ == 0 && storing_ == 0 && queued_ == 0; }
  const MappingCacheCounters& counters() const { return counters_; }

 private:
  using Index = std::uint32_t;
  static constexpr Index none = ~Index{0};

  enum class State : std::uint8_t {
    absent,
    loading,
    present,
    storing,  // being written to flash and not usable; a queued page takes its room
  };

  struct Page {
    State state = State::absent;
    bool changed = false;  // whether it has changed since it was last loaded or written
    bool wanted = false;   // waits to be loaded until there is room or until its store has ended
    bool serving = false;  // translated() is being called for its waiters
    Index newer = none;    // neighbours in the list of present pages, ordered by use
    Index older = none;
    Index next_queued = none;
    MappingWaiters waiters;
  };

  // MappingMemory::Client
  void taken(std::uint64_t page, Tick now) override { client_->store_translation_page(page, now); }

  bool find(Lpn lpn, Waiter& waiter, Tick now);
  bool find_moved(Lpn lpn, Waiter& waiter, Tick now);
  void change(Lpn lpn, Tick now);
  // Begins to write the page, which is no longer in the list of present pages, to flash.
  void store(Index page, Tick now);
  void want(Index page, Tick now);
  // Loads queued pages as long as there is room, and evicts the least recently used pages to make room.
  void admit(Tick now);
  void enqueue(Index page);
  void use(Index page);
  void link_newest(Index page);
  void link_oldest(Index page);
  void unlink(Index page);

  Client* client_ = nullptr;
  MappingMemory* memory_ = nullptr;  // null: look-ups take no time
  bool always_at_hand_;              // the whole mapping is in memory, and look-ups take no time
  std::uint32_t entry_bytes_;
  std::uint64_t entries_per_page_;
  std::uint64_t capacity_;  // number of translation pages; 0: the whole mapping is in memory
  std::vector<Page> pages_;
  std::uint64_t held_ = 0;  // pages that are not absent, each of which occupies room
  std::uint64_t loading_ = 0;
  std::uint64_t storing_ = 0;
  std::uint64_t queued_ = 0;
  Index first_queued_ = none;
  Index last_queued_ = none;
  Index newest_ = none;
  Index oldest_ = none;
  std::vector<Index> beyond_;  // pages of a checkpoint for which there is no room yet, the most recently used one last
  MappingCacheCounters counters_;
};

}  // namespace nandscape::controller
