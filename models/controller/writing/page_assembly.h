// SPDX-License-Identifier: Apache-2.0
// Gathers mapping units into pages. Units share a page if they belong to the same stream and plane. New units and moved
// units never share a page, so that moved units never wait for room together with new ones. A page is complete when it
// is full. A partly filled page is completed after a limited time if it has new units, and when no more units are moved
// if it has moved units.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <vector>

#include "controller/flash_ops/flash_io.h"
#include "controller/writing/page_program.h"
#include "core/calendar.h"
#include "core/component.h"

namespace nandscape::controller {

class PageAssembly final : public Component {
 public:
  class Client {
   public:
    // Returns an empty page that will be written to the plane.
    virtual PageProgram& make_page(PageOrigin origin, std::uint8_t stream, FtlPlane plane) = 0;
    // Called when the page is complete.
    virtual void assembled(PageProgram& page) = 0;

   protected:
    ~Client() = default;
  };

  PageAssembly(const FlashIo& io, std::uint32_t streams, Tick coalescing_time, Calendar& calendar, Client& client);

  // Adds the unit with its data to the page that the stream is filling on the plane, or begins a new page.
  void put(UnitWrite& unit, PageOrigin origin, std::uint8_t stream, FtlPlane plane);
  // Begins the page with the number `place_in_group` in a group of pages that are written to one block. The first page
  // of a group has the number 1. If the page has to leave its group, it is written to `alone_stream`.
  PageProgram& page_of_group(std::uint8_t stream, std::uint32_t place_in_group, std::uint8_t alone_stream,
                             FtlPlane plane);
  // Adds the unit with its data to a page of a group. The page is complete when it is full.
  void add(PageProgram& page, UnitWrite& unit);

  // Returns whether a page with new units of the stream is being filled on that plane.
  bool filling(std::uint8_t stream, FtlPlane plane) const { return filling_[index(stream, plane)].pages[0] != nullptr; }
  // Returns how many units that are being moved out of the plane are in partly filled pages.
  std::uint32_t partial_moves(FtlPlane source) const { return partial_moves_[source]; }
  // Called when no more units are moved out of the plane. Completes all partly filled pages with units of that plane.
  void close_moved_pages(FtlPlane source);

  // Prints the pages that are being filled.
  void list_waiting(std::ostream& out) const override;

 private:
  // The pages that a stream fills on a plane.
  struct Filling {
    std::array<PageProgram*, 2> pages{};  // the page with new units and the page with moved units
    Tick until = 0;                       // time at which the page with new units is completed even if it is not full
  };

  std::size_t index(std::uint8_t stream, FtlPlane plane) const { return std::size_t{stream} * planes_ + plane.value; }
  bool is_moved_part(const UnitWrite& unit) const {
    return units_per_page_ > 1 && unit.access == nullptr && unit.source.valid();
  }
  FtlPlane source_plane(const UnitWrite& unit) const;
  PageProgram& page_for(PageOrigin origin, std::uint8_t stream, FtlPlane plane);
  void close(PageProgram& page);
  void coalescing_ended(std::uint64_t index);

  const FlashIo& io_;
  const std::uint32_t planes_;
  const std::uint32_t units_per_page_;
  const Tick coalescing_time_;
  Calendar& calendar_;
  Client& client_;
  std::vector<Filling> filling_;
  IdVector<FtlPlane, std::uint32_t> partial_moves_;
};

}  // namespace nandscape::controller
