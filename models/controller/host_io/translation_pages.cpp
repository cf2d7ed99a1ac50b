// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/translation_pages.h"

#include <algorithm>
#include <cstring>

namespace nandscape::controller {

TranslationPages::TranslationPages(FlashIo& io, UnitMap& map, MappingCache& cache, UnitWrites& units,
                                   PageReader& reader, PageAssembly& assembly, PlaneChooser& planes,
                                   std::uint8_t stream, Calendar& calendar)
    : io_(io),
      map_(map),
      cache_(cache),
      unit_writes_(units),
      reader_(reader),
      assembly_(assembly),
      planes_(planes),
      stream_(stream),
      calendar_(calendar),
      reads_(io, *this) {}

bool TranslationPages::touch(PageAccess& access, Tick now) {
  Translation& translation = translations_.acquire(*this);
  translation.access = &access;
  if (!cache_.touch(access.lpn, translation, now)) return false;
  translations_.release(translation);
  return true;
}

void TranslationPages::translated(Translation& translation, Tick now) {
  PageAccess& access = *translation.access;
  translations_.release(translation);
  listener_->translated(access, now);
}

void TranslationPages::load_translation_page(std::uint64_t page, const MappingCache::Waiter* waiters, Tick now) {
  const Lpn lpn = map_.translation_page(page);
  const Ppa source = map_.find(lpn);
  if (!source.valid() || unit_writes_.in_memory(lpn)) {
    // No read is needed: the page has never been written and maps nothing, or it is still in memory and will be written
    // again.
    calendar_.schedule<&TranslationPages::empty_page_loaded>(now, *this, page);
    return;
  }
  TranslationRead& read = reads_.acquire();
  read.queue = waiters != nullptr ? QueueKind::host_read : QueueKind::background_read;
  if (waiters != nullptr) serve_waiters(read, *waiters);
  read.lpn = lpn;
  read.lost = map_.lost(lpn);
  io_.ask_for_key(read);
  const std::uint32_t unit_bytes = io_.layout().unit_bytes();
  const std::uint32_t first = io_.layout().unit_in_page(source) * unit_bytes;
  reader_.start(read, source, first, first + unit_bytes, now);
}

// Sets the stream of the read to that of the first waiter, and its priority to the most urgent priority among all
// waiters.
void TranslationPages::serve_waiters(TranslationRead& read, const MappingCache::Waiter& first) {
  read.stream = static_cast<const Translation&>(first).access->stream;
  read.priority = PriorityClass::low;
  for (const MappingCache::Waiter* waiter = &first; waiter != nullptr; waiter = waiter->next_waiter) {
    read.priority = std::min(read.priority, static_cast<const Translation*>(waiter)->access->priority);
  }
}

void TranslationPages::loaded(TranslationRead& read, Tick now) {
  const std::uint64_t page = page_of(read.lpn);
  const bool failed = read.ecc.uncorrectable;
  reads_.release(read);
  cache_.loaded(page, now, failed);
}

void TranslationPages::store_translation_page(std::uint64_t page, Tick now) {
  TranslationUnit& unit = units_.acquire(*this);
  unit.lpn = map_.translation_page(page);
  unit.version = map_.next_version();
  const FtlPlane plane = planes_.plane_for(stream_, unit.lpn);
  if (!plane.valid()) {
    unit_writes_.refused(unit, now);
    return;
  }
  assembly_.put(unit, PageOrigin::mapping, stream_, plane);
}

}  // namespace nandscape::controller
