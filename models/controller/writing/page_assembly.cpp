// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/page_assembly.h"

#include <algorithm>
#include <ostream>

namespace nandscape::controller {

PageAssembly::PageAssembly(const FlashIo& io, std::uint32_t streams, Tick coalescing_time, Calendar& calendar,
                           Client& client)
    : io_(io),
      planes_(io.layout().mapping().planes()),
      units_per_page_(io.layout().units_per_page()),
      coalescing_time_(coalescing_time),
      calendar_(calendar),
      client_(client),
      filling_(std::size_t{streams} * planes_),
      partial_moves_(planes_) {}

void PageAssembly::put(UnitWrite& unit, PageOrigin origin, std::uint8_t stream, FtlPlane plane) {
  PageProgram& page = page_for(origin, stream, plane);
  if (unit.access != nullptr) {
    const PriorityClass most_urgent = page.unit_count == 0 ? PriorityClass::low : page.priority;
    page.serve(*unit.access);
    page.priority = std::min(page.priority, most_urgent);
  }
  add(page, unit);
}

// Returns the page that is being filled, and begins a new page if there is none.
PageProgram& PageAssembly::page_for(PageOrigin origin, std::uint8_t stream, FtlPlane plane) {
  const bool moves = origin == PageOrigin::migration;
  Filling& to = filling_[index(stream, plane)];
  PageProgram*& filling = to.pages[moves];
  if (filling != nullptr) return *filling;
  filling = &client_.make_page(origin, stream, plane);
  PageProgram& page = *filling;
  if (units_per_page_ == 1) return page;
  if (io_.path().keeps_data()) std::fill_n(page.command.data, page.command.bytes, std::byte{0});
  if (!moves) {
    to.until = calendar_.now() + coalescing_time_;
    calendar_.schedule<&PageAssembly::coalescing_ended>(to.until, *this, index(stream, plane));
  }
  return page;
}

PageProgram& PageAssembly::page_of_group(std::uint8_t stream, std::uint32_t place_in_group, std::uint8_t alone_stream,
                                         FtlPlane plane) {
  PageProgram& page = client_.make_page(PageOrigin::host, stream, plane);
  page.place_in_group = static_cast<std::uint16_t>(place_in_group);
  page.alone_stream = alone_stream;
  return page;
}

void PageAssembly::add(PageProgram& page, UnitWrite& unit) {
  UnitWrite** end = &page.units;
  while (*end != nullptr) end = &(*end)->next_in_page;
  *end = &unit;
  unit.next_in_page = nullptr;
  if (is_moved_part(unit)) ++partial_moves_[source_plane(unit)];
  const std::size_t position = page.unit_count++;
  if (io_.path().keeps_data()) unit.copy_data(page.command.data + position * io_.layout().unit_bytes());
  if (page.unit_count == units_per_page_) close(page);
}

void PageAssembly::close_moved_pages(FtlPlane source) {
  for (const Filling& filling : filling_) {
    PageProgram* const page = filling.pages[1];
    for (const UnitWrite* unit = page == nullptr ? nullptr : page->units; unit != nullptr; unit = unit->next_in_page) {
      if (source_plane(*unit) != source) continue;
      close(*page);
      break;
    }
  }
}

void PageAssembly::coalescing_ended(std::uint64_t index) {
  const Filling& waiting = filling_[index];
  if (waiting.pages[0] != nullptr && waiting.until <= calendar_.now()) close(*waiting.pages[0]);
}

void PageAssembly::close(PageProgram& page) {
  Filling& of = filling_[index(page.write_stream, io_.layout().mapping_plane(page.plane))];
  if (PageProgram*& filling = of.pages[page.moves_data()]; filling == &page) filling = nullptr;
  for (const UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page) {
    if (is_moved_part(*unit)) --partial_moves_[source_plane(*unit)];
  }
  client_.assembled(page);
}

FtlPlane PageAssembly::source_plane(const UnitWrite& unit) const {
  return io_.layout().mapping().plane_of(io_.layout().block_of(unit.source));
}

void PageAssembly::list_waiting(std::ostream& out) const {
  for (const Filling& filling : filling_) {
    for (const PageProgram* page : filling.pages) {
      if (page != nullptr) out << "a page is being filled with " << page->unit_count << " units\n";
    }
  }
}

}  // namespace nandscape::controller
