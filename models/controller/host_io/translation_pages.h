// SPDX-License-Identifier: Apache-2.0
// Loads and stores the mapping's translation pages if part of the mapping is on flash. Translation pages are logical
// pages after the host's, so that collection moves them like any other page. Only timing depends on which of them are
// in memory: their content is in the mapping table, and their bytes on flash are zeroes. The place of each translation
// page is always known.
//
// Reads and writes wait for their entry once, when they are submitted. Later changes of an entry (by a program, a move
// or a trim) do not wait: the change is recorded at once, and the translation page is loaded in the background.
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
    // Called when the access's entry is in memory. The entry may be evicted later without effect on the access.
    virtual void translated(PageAccess& access, Tick now) = 0;

   protected:
    ~Listener() = default;
  };

  TranslationPages(FlashIo& io, UnitMap& map, MappingCache& cache, UnitWrites& units, PageReader& reader,
                   PageAssembly& assembly, PlaneChooser& planes, std::uint8_t stream, Calendar& calendar);

  void set_listener(Listener& listener) { listener_ = &listener; }

  // Whether the access may proceed. If not, translated() is called once its mapping entry is in memory.
  bool at_hand(PageAccess& access, Tick now) { return !cache_.enabled() || touch(access, now); }

 private:
  // An access whose entry is being loaded.
  struct Translation : MappingCache::Waiter {
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
  void translated(MappingCache::Waiter& waiter, Tick now) override;

  // Looks the entry up in the cache, which loads it if necessary. Returns whether the entry is in memory.
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
