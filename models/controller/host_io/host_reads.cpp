// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/host_reads.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace nandscape::controller {

HostReads::HostReads(FlashIo& io, FlashScheduler& scheduler, const UnitMap& map, const UnitWrites& units,
                     PageReader& reader, const HostPort& host, Listener& listener, Calendar& calendar, bool together)
    : io_(io),
      scheduler_(scheduler),
      map_(map),
      units_(units),
      reader_(reader),
      host_(host),
      listener_(listener),
      calendar_(calendar),
      together_(together),
      whole_pages_(io.layout().units_per_page() == 1),
      reads_(io, *this) {}

void HostReads::gather(PageAccess& access, Tick now) {
  if (gathered_.empty()) calendar_.schedule<&HostReads::start_gathered>(now, *this);
  gathered_.push(access);
}

void HostReads::start_gathered() {
  const Tick now = calendar_.now();
  for (AccessQueue gathered = gathered_.take(); !gathered.empty();) look_up(gathered.pop(), now);
  if (together_) scheduler_.hold();
  for (const GatheredRead& page : joined_) {
    page.read->companion_is_read = companion_joined(page);
    reader_.start(*page.read, page.read->ppa, page.first, page.end, now);
  }
  joined_.clear();
  if (together_) scheduler_.send_held(now);
}

// Some codewords can be decoded only with parity from a companion page. Returns whether another gathered read already
// reads the codewords of the companion that this page needs.
bool HostReads::companion_joined(const GatheredRead& page) const {
  const std::optional<CompanionPage> companion = reader_.companion_of(page.read->ppa, page.first, page.end);
  return companion && std::ranges::any_of(joined_, [&](const GatheredRead& other) {
           return other.first_unit == companion->first_unit && other.first <= companion->first &&
                  other.end >= companion->end;
         });
}

void HostReads::answer_unmapped(PageAccess& access, Tick now) {
  ++unmapped_;
  if (access.data != nullptr) std::memset(access.data, 0, std::size_t{access.sector_count} * sector_bytes);
  host_.complete(access, now);
}

inline Ppa HostReads::source_of(PageAccess& access, Tick now) {
  const Ppa source = map_.find(access.lpn);
  if (UnitWrite* const write = units_.rewrite_of(access.lpn, source)) {
    write->waiting.push(access);
    return Ppa();
  }
  if (!source.valid()) answer_unmapped(access, now);
  return source;
}

// `lost` is whether the data of the unit were lost before the read began. The unit may be moved or overwritten before
// the page is decoded.
inline HostReads::HostRead& HostReads::begin(PageAccess& access, bool lost, Tick now) {
  HostRead& read = reads_.acquire();
  access.next = nullptr;
  read.access = &access;
  read.serve(access);
  read.lpn = access.lpn;
  read.lost = lost;
  read.accesses = 1;
  io_.begin_times(read, access, now);
  return read;
}

void HostReads::read_page(PageAccess& access, Tick now) {
  const Ppa source = source_of(access, now);
  if (!source.valid()) return;
  HostRead& read = begin(access, map_.lost(access.lpn), now);
  const std::uint32_t first = access.first_sector * sector_bytes;
  reader_.start(read, source, first, first + access.sector_count * sector_bytes, now);
}

void HostReads::look_up(PageAccess& access, Tick now) {
  const Ppa source = source_of(access, now);
  if (!source.valid()) return;
  const FlashLayout& layout = io_.layout();
  const auto unit = static_cast<std::uint8_t>(layout.unit_in_page(source));
  const std::uint32_t first = unit * layout.unit_bytes() + access.first_sector * sector_bytes;
  const std::uint32_t end = first + access.sector_count * sector_bytes;
  const bool lost = map_.lost(access.lpn);
  const Ppa first_unit(source.value - unit);
  if (!lost && !joined_.empty() && join(access, first_unit, unit, first, end)) return;
  HostRead& read = begin(access, lost, now);
  read.unit[0] = unit;
  io_.ask_for_key(read);
  read.ppa = source;
  joined_.push_back({&read, first_unit, first, end});
}

// The units of a host command arrive one after another. Therefore it is sufficient to examine the last few gathered
// pages.
bool HostReads::join(PageAccess& access, Ppa first_unit, std::uint8_t unit, std::uint32_t first, std::uint32_t end) {
  for (std::size_t k = joined_.size(); k-- > 0 && joined_.size() - k <= most_units_per_page;) {
    GatheredRead& page = joined_[k];
    HostRead& read = *page.read;
    if (page.first_unit != first_unit || read.lost || read.accesses == most_units_per_page) continue;
    PageAccess* last = read.access;
    while (last->next != nullptr) last = last->next;
    last->next = &access;
    read.serve_also(access);
    read.unit[read.accesses++] = unit;
    page.first = std::min(page.first, first);
    page.end = std::max(page.end, end);
    return true;
  }
  return false;
}

inline void HostReads::answer(HostRead& read, Tick now) {
  if (read.times != nullptr || read.ecc.uncorrectable || read.buffer != nullptr) return answer_in_full(read, now);
  PageAccess& first = *read.access;
  reads_.release(read);
  complete(first, now);
}

void HostReads::HostRead::page_read(Tick now) { owner.answer(*this, now); }

void HostReads::answer_in_full(HostRead& read, Tick now) {
  if (read.times != nullptr) give_times(read, now);
  if (read.ecc.uncorrectable) return answer_uncorrectable(read, now);
  if (io_.path().keeps_data()) copy_data(read);
  PageAccess& first = *read.access;
  reads_.release(read);
  complete(first, now);
}

void HostReads::answer_uncorrectable(HostRead& read, Tick now) {
  auto [failed, again] = fail(read);
  reads_.release(read);
  while (again != nullptr) listener_.look_up_again(*std::exchange(again, again->next), now);
  if (failed != nullptr) complete(*failed, now);
}

inline void HostReads::complete(PageAccess& first, Tick now) {
  if (first.next != nullptr) return complete_all(first, now);
  host_.complete(first, now);
}

void HostReads::complete_all(PageAccess& first, Tick now) {
  for (PageAccess* next = &first; next != nullptr;) host_.complete(*std::exchange(next, next->next), now);
}

void HostReads::give_times(HostRead& read, Tick now) {
  for (PageAccess* access = read.access; access != nullptr; access = access->next) io_.give_times(read, *access, now);
  io_.end_times(read);
}

void HostReads::copy_data(const HostRead& read) const {
  const std::uint8_t* unit = read.unit.data();
  for (PageAccess* access = read.access; access != nullptr; access = access->next, ++unit) {
    if (access->data == nullptr) continue;
    const std::size_t at =
        std::size_t{*unit} * io_.layout().unit_bytes() + std::size_t{access->first_sector} * sector_bytes;
    std::memcpy(access->data, read.command.data + at, std::size_t{access->sector_count} * sector_bytes);
  }
}

std::pair<PageAccess*, PageAccess*> HostReads::fail(const HostRead& read) const {
  PageAccess* failed = nullptr;
  PageAccess** last = &failed;
  PageAccess* again = nullptr;
  const std::uint8_t* unit = read.unit.data();
  for (PageAccess* next = read.access; next != nullptr; ++unit) {
    PageAccess* const access = std::exchange(next, next->next);
    const Ppa place(read.ppa.value - io_.layout().unit_in_page(read.ppa) + *unit);
    const bool moved =
        !read.lost && (map_.find(access->lpn) != place || units_.rewrite_of(access->lpn, place) != nullptr);
    if (moved) {
      access->next = std::exchange(again, access);
    } else {
      fail_read(*access);
      *last = access;
      last = &access->next;
    }
  }
  *last = nullptr;
  return {failed, again};
}

}  // namespace nandscape::controller
