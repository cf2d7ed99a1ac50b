// SPDX-License-Identifier: Apache-2.0
// Loads and stores the translation pages of the mapping, if a part of the mapping is on flash. Translation pages have
// logical page numbers above those of the host, so collection moves them like any other page. Which translation pages
// are in memory affects only the timing: the mapping entries themselves are always in MappingTable, and the translation
// pages on flash contain zeroes. The address of each translation page is always known.
//
// Reads and writes wait for their mapping entry once, when they are submitted. Later changes of an entry (by a program,
// a move or a trim) do not wait: the entry changes at once, and its translation page is loaded in the background.
#pragma once

#include <cstdint>
#include <cstring>

#include "controller/mapping/mapping_cache.h"
#include "controller/mapping/unit_map.h"
#include "controller/reading/page_reader.h"
#include "controller/writing/page_assembly.h"
#include "controller/writing/plane_choice.h"
#include "controller/writing/unit_writes.h"
#include "core/calendar.h"
#include "core/pool.h"

namespace nandscape::controller {

class TranslationPages final : public MappingCache::Client {
 public:
  class Listener {
   public:
    // Called when the mapping entry of the access is in memory. The access may then proceed even if the entry is
    // evicted again.
    virtual void translated(PageAccess& access, Tick now) = 0;

   protected:
    ~Listener() = default;
  };

  TranslationPages(FlashIo& io, UnitMap& map, MappingCache& cache, UnitWrites& units, PageReader& reader,
                   PageAssembly& assembly, PlaneChooser& planes, std::uint8_t stream, Calendar& calendar);

  void set_listener(Listener& listener) { listener_ = &listener; }

  // Returns whether the mapping entry of the access is in memory, so that the access may proceed. Otherwise,
  // translated() is called once the entry is in memory.
  bool at_hand(PageAccess& access, Tick now) { return always_at_hand() || touch(access, now); }
  bool always_at_hand() const { return cache_.always_at_hand(); }

 private:
  // An access that waits for its mapping entry.
  struct Translation final : MappingCache::Waiter {
    explicit Translation(TranslationPages& pages) : owner(pages) {}
    void translated(Tick now) override { owner.translated(*this, now); }

    TranslationPages& owner;
    PageAccess* access = nullptr;
  };
  struct TranslationRead final : PageRead {
    explicit TranslationRead(TranslationPages& pages) : PageRead(pages.reader_), owner(pages) {}
    void page_read(Tick now) override { owner.loaded(*this, now); }

    TranslationPages& owner;
  };
  struct TranslationUnit final : UnitWrite {
    explicit TranslationUnit(TranslationPages& pages) : owner(pages) {}
    void programmed(bool, Tick now) override { owner.cache_.stored(owner.page_of(lpn), now); }
    void refused(Tick now) override { owner.cache_.stored(owner.page_of(lpn), now); }
    void release() override { owner.units_.release(*this); }
    void copy_data(std::byte* bytes) const override { std::memset(bytes, 0, owner.io_.layout().unit_bytes()); }

    TranslationPages& owner;
  };

  // MappingCache::Client
  void load_translation_page(std::uint64_t page, const MappingCache::Waiter* waiters, Tick now) override;
  void store_translation_page(std::uint64_t page, Tick now) override;

  void translated(Translation& translation, Tick now);
  // Looks up the mapping entry in the cache, which loads the entry if necessary. Returns whether the entry is already
  // in memory.
  bool touch(PageAccess& access, Tick now);
  static void serve_waiters(TranslationRead& read, const MappingCache::Waiter& first);
  std::uint64_t page_of(Lpn lpn) const { return lpn.value - map_.host_units(); }
  void empty_page_loaded(std::uint64_t page) { cache_.loaded(page, calendar_.now()); }
  void loaded(TranslationRead& read, Tick now);

  FlashIo& io_;
  UnitMap& map_;
  MappingCache& cache_;
  UnitWrites& unit_writes_;
  PageReader& reader_;
  PageAssembly& assembly_;
  PlaneChooser& planes_;
  const std::uint8_t stream_;
  Calendar& calendar_;
  Listener* listener_ = nullptr;
  OpPool<TranslationRead, TranslationPages> reads_;
  Pool<TranslationUnit> units_;
  Pool<Translation> translations_;
};

}  // namespace nandscape::controller
