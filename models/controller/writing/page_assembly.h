// SPDX-License-Identifier: Apache-2.0
// Gathers mapping units into pages. Units of one stream and plane share a page, new ones and moved ones apart, so that
// moved ones never wait for room with new ones. A page is complete when it is full, when it has waited long enough for
// new units, or when no more units are moved.
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

namespace nandscape::controller {

class PageAssembly {
 public:
  class Client {
   public:
    // A page that will go to that plane.
    virtual PageProgram& make_page(PageOrigin origin, std::uint8_t stream, FtlPlane plane) = 0;
    // The page is complete.
    virtual void assembled(PageProgram& page) = 0;

   protected:
    ~Client() = default;
  };

  PageAssembly(const FlashIo& io, std::uint32_t streams, Tick coalescing_time, Calendar& calendar, Client& client);

  // The page that a unit written to that stream and plane goes into.
  PageProgram& page_for(PageOrigin origin, std::uint8_t stream, FtlPlane plane);
  // A page of several that go to the same block together, one after the other from 1 on.
  PageProgram& page_of_group(std::uint8_t stream, std::uint32_t place_in_group, FtlPlane plane);
  // Adds the unit and returns where its bytes go, null where none are kept. They must be there before filled().
  std::byte* add(PageProgram& page, UnitWrite& unit);
  // A unit was added.
  void filled(PageProgram& page);

  // Whether a page of new units of the stream is being filled on that plane.
  bool filling(std::uint8_t stream, FtlPlane plane) const { return filling_[index(stream, plane)].pages[0] != nullptr; }
  // Units moved out of the plane that are in pages which are not full.
  std::uint32_t partial_moves(FtlPlane source) const { return partial_moves_[source]; }
  // No more units are moved out of the plane: these pages are complete.
  void close_moved_pages(FtlPlane source);

  // Says what is being filled.
  void list_waiting(std::ostream& out) const;

 private:
  // Of a stream, on its way to a plane.
  struct Filling {
    std::array<PageProgram*, 2> pages{};  // of new units, of moved ones
    Tick until = 0;                       // of new ones
  };

  std::size_t index(std::uint8_t stream, FtlPlane plane) const { return std::size_t{stream} * planes_ + plane.value; }
  bool is_moved_part(const UnitWrite& unit) const {
    return units_per_page_ > 1 && unit.access == nullptr && unit.source.valid();
  }
  FtlPlane source_plane(const UnitWrite& unit) const;
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
