// SPDX-License-Identifier: Apache-2.0
// The mapping where a part of it is on flash. Its translation pages are logical pages behind those of the host, so that
// collection moves them like any other. Only which of them are in memory matters to time; what they say is in the
// mapping table, and their bytes on flash are zeros. Where each of them lies is always known.
//
// Reads and writes wait for their entry once, when they are submitted. Whatever changes an entry later (a program, a
// move, a trim) does not wait: the change is noted at once, and its translation page comes in the background.
#include <cstring>

#include "controller/controller.h"

namespace nandscape {

bool Controller::entry_at_hand(PageAccess& access, Tick now) {
  if (!mapping_cache_.enabled()) return true;
  Translation& translation = translations_.acquire();
  translation.access = &access;
  if (!mapping_cache_.touch(access.lpn, translation, now)) return false;
  translations_.release(translation);
  return true;
}

void Controller::translated(MappingCache::Waiter& waiter, Tick now) {
  auto& translation = static_cast<Translation&>(waiter);
  PageAccess& access = *translation.access;
  translations_.release(translation);
  if (access.kind == AccessKind::read) {
    read(access, now);
  } else {
    std::erase(untranslated_writes_, &access);
    const Lpn lpn = access.lpn;
    write(access, now);
    if (!held_changes_.empty()) retry_held_changes(lpn, 1, now);
  }
}

void Controller::load_translation_page(std::uint64_t page, bool awaited, Tick now) {
  const Lpn lpn = translation_page(page);
  const Ppn source = mapping_.find(lpn);
  const UnitWrite* again = rewritten_units_ > 0 ? writes_.find(lpn) : nullptr;
  if (!source.valid() || again != nullptr) {
    // It has never been written, and says that nothing is mapped; or it is in memory, to be written once more.
    calendar_.schedule<&Controller::empty_page_loaded>(now, *this, page);
    return;
  }
  FlashTransaction& read = io_.acquire(awaited ? Purpose::map_read : Purpose::map_fetch);
  read.lpn = lpn;
  read.lost = !lost_.empty() && lost_.contains(lpn.value);
  ask_for_tag(read);
  const std::uint32_t first = layout_.unit_in_page(source) * layout_.unit_bytes();
  reader_.start(read, source, first, first + layout_.unit_bytes(), now);
}

void Controller::empty_page_loaded(std::uint64_t page) { mapping_cache_.loaded(page, calendar_.now()); }

void Controller::translation_page_read(FlashTransaction& read, Tick now) {
  const std::uint64_t page = read.lpn.value - logical_pages_;
  const bool failed = read.ecc.uncorrectable;
  io_.release(read);
  mapping_cache_.loaded(page, now, failed);
}

void Controller::store_translation_page(std::uint64_t page, Tick now) {
  UnitWrite& unit = units_.acquire();
  unit.lpn = translation_page(page);
  unit.version = ++version_;
  const PlaneId plane = plane_for(map_stream_, unit.lpn);
  if (!plane.valid()) {
    unit_refused(unit, now);
    return;
  }
  FlashTransaction& write = writer_.page_for(Purpose::map_write, map_stream_, plane);
  if (std::byte* const bytes = writer_.add(write, unit); bytes != nullptr) {
    std::memset(bytes, 0, layout_.unit_bytes());
  }
  writer_.filled(write);
}

void Controller::translation_page_programmed(UnitWrite& unit, Tick now) {
  map(unit, mapping_.find(unit.lpn));
  lost_.erase(unit.lpn.value);
  mapping_cache_.stored(unit.lpn.value - logical_pages_, now);
}

}  // namespace nandscape
