// SPDX-License-Identifier: Apache-2.0
// The mapping where a part of it is on flash. Its translation pages are logical pages behind those of the host, so that
// collection moves them like any other. Only which of them are in memory matters to time; what they say is in the
// mapping table, and their bytes on flash are zeros. Where each of them lies is always known.
//
// Reads and writes wait for their entry once, when they are submitted. Whatever changes an entry later (a program, a
// move, a trim) does not wait: the change is noted at once, and its translation page comes in the background.
#pragma once

#include <cstdint>

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
    // The access's entry is at hand now, and need not be later.
    virtual void translated(PageAccess& access, Tick now) = 0;

   protected:
    ~Listener() = default;
  };

  TranslationPages(FlashIo& io, UnitMap& map, MappingCache& cache, UnitWrites& units, PageReader& reader,
                   PageAssembly& assembly, PlaneChooser& planes, std::uint8_t stream, Calendar& calendar);

  void set_listener(Listener& listener) { listener_ = &listener; }

  // Whether the access may go on; if not, it does once its entry of the mapping is at hand.
  bool at_hand(PageAccess& access, Tick now);

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
    void programmed(Tick now) override { owner.stored(*this, now); }
    void refused(Tick now) override { owner.cache_.stored(owner.page_of(lpn), now); }
    void release() override { owner.units_.release(*this); }

    TranslationPages& owner;
  };

  // MappingCache::Client
  void load_translation_page(std::uint64_t page, const MappingCache::Waiter* waiters, Tick now) override;
  void store_translation_page(std::uint64_t page, Tick now) override;
  void translated(MappingCache::Waiter& waiter, Tick now) override;

  static void serve_waiters(TranslationRead& read, const MappingCache::Waiter& first);
  std::uint64_t page_of(Lpn lpn) const { return lpn.value - map_.host_units(); }
  void empty_page_loaded(std::uint64_t page) { cache_.loaded(page, calendar_.now()); }
  void loaded(TranslationRead& read, Tick now);
  void stored(TranslationUnit& unit, Tick now);

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
