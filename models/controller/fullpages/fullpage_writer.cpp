// SPDX-License-Identifier: Apache-2.0
#include "controller/fullpages/fullpage_writer.h"

namespace nandscape::controller {

FullpageWriter::FullpageWriter(const BlockTable& blocks, PageAssembly& assembly, PlaneChooser& planes,
                               std::uint32_t planes_together, std::uint8_t stream, Tick unit_wait, Tick fullpage_wait,
                               Calendar& calendar, UnitGatherer::Client& client)
    : assembly_(assembly),
      planes_(planes),
      stream_(stream),
      shape_(blocks.shapes().ordinary()),
      client_(client),
      fullpages_({layer_quarters * shape_.pages_per_wordline, planes_together, blocks.geometry().planes()}, unit_wait,
                 fullpage_wait, calendar, *this) {}

FtlPlane FullpageWriter::plane_of_fullpage(Lpn first) {
  const FtlPlane before = planes_.gathering_on(stream_);
  return before.valid() && fullpages_.waiting(before) ? before : planes_.plane_for(stream_, first);
}

// Writes the pages of all groups in turn: first the first page of each group, then the second, and so on. The pages of
// different planes can then be programmed by one multi-plane program.
void FullpageWriter::write_groups(std::span<const Fullpage> fullpages, std::span<const FtlPlane> planes, Tick) {
  const auto per_group = static_cast<std::uint32_t>(fullpages.size() / planes.size());
  for (std::uint32_t place = 0; place < per_group; ++place) {
    for (std::size_t k = 0; k < planes.size(); ++k) {
      write_page(fullpages.subspan(k * per_group, per_group), place, planes[k]);
    }
  }
}

// Writes one page of the group, which contains one unit of each of four fullpages.
void FullpageWriter::write_page(std::span<const Fullpage> group, std::uint32_t place, FtlPlane plane) {
  const std::uint32_t of_fullpage = place / shape_.pages_per_wordline;
  const std::uint32_t row = shape_.type_of(place);
  constexpr std::uint8_t ordinary_stream = 0;
  PageProgram& page = assembly_.page_of_group(stream_, place + 1, ordinary_stream, plane);
  for (std::uint32_t quarter = 0; quarter < layer_quarters; ++quarter) {
    const std::uint32_t fullpage = row * layer_quarters + FullpagePattern::fullpage(quarter, of_fullpage);
    UnitWrite& unit = *group[fullpage][of_fullpage];
    if (quarter == 0) {
      page.serve(*unit.access);
    } else {
      page.serve_also(*unit.access);
    }
    assembly_.add(page, unit);
  }
}

}  // namespace nandscape::controller
