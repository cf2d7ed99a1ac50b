// SPDX-License-Identifier: Apache-2.0
// The pages that each stream of writes has on its way to each plane. All stages of writing share these counts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "controller/addresses/flash_layout.h"
#include "controller/writing/page_program.h"

namespace nandscape::controller {

// State of a stream on a plane.
struct WritePoint {
  // Assembled pages that have no place yet: of the host, and those that move data.
  std::array<std::uint32_t, 2> on_their_way{};
  std::uint32_t padding = 0;  // padding without a place
  // Pages up to this one are wanted durable. If it is not behind the next page, nothing waits.
  std::uint64_t complete_to = 0;
  // Programmed pages of the wordline that is not complete.
  PageProgram* wordline = nullptr;

  std::uint32_t all_on_their_way() const { return on_their_way[false] + on_their_way[true] + padding; }
};

class WritePoints {
 public:
  WritePoints(const FlashLayout& layout, std::uint8_t streams)
      : backlogs(layout.mapping().planes()),
        blocked(layout.flash().planes()),
        layout_(layout),
        streams_(streams),
        planes_(layout.flash().planes()),
        points_(std::size_t{streams} * planes_) {}

  std::uint8_t streams() const { return streams_; }
  std::size_t count() const { return points_.size(); }
  WritePoint& at(std::uint8_t stream, FlashPlane plane) { return points_[std::size_t{stream} * planes_ + plane.value]; }
  const WritePoint& at(std::uint8_t stream, FlashPlane plane) const {
    return points_[std::size_t{stream} * planes_ + plane.value];
  }
  WritePoint& of(const PageProgram& page) { return at(page.write_stream, page.plane); }
  // The page waits for a place at its write point, or does so no longer.
  void add(const PageProgram& page) { ++counter(page); }
  void remove(const PageProgram& page) { --counter(page); }

  FtlPlane mapping_plane(const PageProgram& page) const { return layout_.mapping_plane(page.plane); }
  std::uint32_t& backlog(const PageProgram& page) { return backlogs[mapping_plane(page)]; }

  // Pages of the plane that are not programmed yet.
  IdVector<FtlPlane, std::uint32_t> backlogs;
  // Whether the first waiting page found no place when it was last tried, for pages of the host and for pages that move
  // data.
  IdVector<FlashPlane, std::array<bool, 2>> blocked;

 private:
  std::uint32_t& counter(const PageProgram& page) {
    WritePoint& point = of(page);
    return page.is_padding() ? point.padding : point.on_their_way[page.moves_data()];
  }

  const FlashLayout& layout_;
  const std::uint8_t streams_;
  const std::uint32_t planes_;
  std::vector<WritePoint> points_;
};

}  // namespace nandscape::controller
