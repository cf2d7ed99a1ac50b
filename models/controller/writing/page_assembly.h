// SPDX-License-Identifier: Apache-2.0
// Gathers mapping units into pages. Units of one stream and plane share a page. New and moved units do not share pages,
// so that moved units never wait for room together with new ones. A page is complete when it is full, when it has
// waited long enough for new units, or when no more units are moved.
//
// Planes are those of the mapping.
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
    // The page is complete.
    virtual void assembled(PageProgram& page) = 0;

   protected:
    ~Client() = default;
  };

  PageAssembly(const FlashIo& io, std::uint32_t streams, Tick coalescing_time, Calendar& calendar, Client& client);

  // Puts the unit, with its data, into the page that takes the next unit of the stream on the plane.
  void put(UnitWrite& unit, PageOrigin origin, std::uint8_t stream, FtlPlane plane);
  // Begins page `place_in_group` of a group of pages that are written to one block. Pages of a group are numbered from
  // 1.
  PageProgram& page_of_group(std::uint8_t stream, std::uint32_t place_in_group, std::uint8_t alone_stream,
                             FtlPlane plane);
  // Adds the unit, with its data, to a page of a group; the last unit completes the page.
  void add(PageProgram& page, UnitWrite& unit);

  // Whether a page of new units of the stream is being filled on that plane.
  bool filling(std::uint8_t stream, FtlPlane plane) const { return filling_[index(stream, plane)].pages[0] != nullptr; }
  // Number of units moved out of the plane that are in partly filled pages.
  std::uint32_t partial_moves(FtlPlane source) const { return partial_moves_[source]; }
  // No more units are moved out of the plane: completes the pages that hold such units.
  void close_moved_pages(FtlPlane source);

  // Prints the pages that are being filled.
  void list_waiting(std::ostream& out) const override;

 private:
  // The pages that a stream fills on a plane.
  struct Filling {
    std::array<PageProgram*, 2> pages{};  // page of new units, page of moved units
    Tick until = 0;                       // when the page of new units is complete, full or not
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
