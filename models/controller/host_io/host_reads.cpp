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
      reads_(io, *this) {}

void HostReads::read(PageAccess& access, Tick now) {
  if (io_.layout().units_per_page() == 1) {
    look_up(access, now);
    return;
  }
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

// Whether another read of the same instant covers the codewords that lend parity to those of the page.
bool HostReads::companion_joined(const GatheredRead& page) const {
  const std::optional<CompanionPage> companion = reader_.companion_of(page.read->ppa, page.first, page.end);
  return companion && std::ranges::any_of(joined_, [&](const GatheredRead& other) {
           return other.first_unit == companion->first_unit && other.first <= companion->first &&
                  other.end >= companion->end;
         });
}

void HostReads::look_up(PageAccess& access, Tick now) {
  const Ppa source = map_.find(access.lpn);
  if (UnitWrite* const write = units_.rewrite_of(access.lpn, source)) {
    write->waiting.push(access);
    return;
  }
  if (!source.valid()) {
    ++unmapped_;
    if (access.data != nullptr) std::memset(access.data, 0, std::size_t{access.sector_count} * sector_bytes);
    host_.complete(access, now);
    return;
  }
  start(access, source, now);
}

void HostReads::start(PageAccess& access, Ppa source, Tick now) {
  const FlashLayout& layout = io_.layout();
  const bool whole_page = layout.units_per_page() == 1;
  const auto unit = static_cast<std::uint8_t>(whole_page ? 0 : layout.unit_in_page(source));
  const std::uint32_t first = unit * layout.unit_bytes() + access.first_sector * sector_bytes;
  const std::uint32_t end = first + access.sector_count * sector_bytes;
  // Checked now: when the page is decoded, the unit may have been moved or overwritten.
  const bool lost = map_.lost(access.lpn);
  const Ppa first_unit(source.value - unit);
  if (!lost && !joined_.empty() && join(access, first_unit, unit, first, end)) return;
  HostRead& read = reads_.acquire();
  access.next = nullptr;
  read.access = &access;
  read.serve(access);
  read.lpn = access.lpn;
  read.lost = lost;
  read.unit[0] = unit;
  read.accesses = 1;
  io_.begin_times(read, access, now);
  io_.ask_for_key(read);
  if (whole_page) {
    reader_.start(read, source, first, end, now);
  } else {
    read.ppa = source;
    joined_.push_back({&read, first_unit, first, end});
  }
}

// The units of a command come one after the other, so only the last few pages can hold the unit.
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

void HostReads::answer(HostRead& read, Tick now) {
  const FlashLayout& layout = io_.layout();
  PageAccess* first = nullptr;
  PageAccess** last = &first;
  PageAccess* again = nullptr;  // a program of the wordline failed during the read
  const std::uint8_t* unit = read.unit.data();
  for (PageAccess* next = read.access; next != nullptr; ++unit) {
    PageAccess* const access = std::exchange(next, next->next);
    const std::size_t bytes = std::size_t{access->sector_count} * sector_bytes;
    if (read.times != nullptr) [[unlikely]]
      io_.give_times(read, *access, now);
    if (read.ecc.uncorrectable && !read.lost) {
      const Ppa place(read.ppa.value - layout.unit_in_page(read.ppa) + *unit);
      if (map_.find(access->lpn) != place || units_.rewrite_of(access->lpn, place) != nullptr) {
        access->next = std::exchange(again, access);
        continue;
      }
    }
    *last = access;
    last = &access->next;
    if (read.ecc.uncorrectable) {
      fail_read(*access);
    } else if (io_.path().keeps_data() && access->data != nullptr) {
      const std::size_t at = std::size_t{*unit} * layout.unit_bytes();
      std::memcpy(access->data, read.command.data + at + std::size_t{access->first_sector} * sector_bytes, bytes);
    }
  }
  *last = nullptr;
  io_.end_times(read);
  reads_.release(read);
  while (again != nullptr) listener_.look_up_again(*std::exchange(again, again->next), now);
  for (PageAccess* access = first; access != nullptr;) host_.complete(*std::exchange(access, access->next), now);
}

}  // namespace nandscape::controller
