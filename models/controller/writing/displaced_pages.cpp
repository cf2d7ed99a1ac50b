// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/displaced_pages.h"

#include <ostream>
#include <utility>

namespace nandscape::controller {

// Time without progress after which the drive has no place left. Emptying a block takes far less.
constexpr Tick starvation_limit = second;

// The other plane keeps a free block for its own collection, enough for all that collection has to move at a time.
bool DisplacedPages::may_take_in(std::uint8_t stream, FtlPlane plane) const {
  if (writing_.room.with_room(plane, false) != plane) return false;
  const bool open = frontier_.has_room(stream, plane);
  return open ? writing_.blocks.free_blocks(plane) > 0 : writing_.supply.host_may_take_block(plane);
}

// If no other block is free, the block that collection writes to is its last one.
bool DisplacedPages::is_open(std::uint8_t stream, FtlPlane plane) const {
  if (!frontier_.has_room(stream, plane) || writing_.room.with_room(plane, false) != plane) return false;
  return stream != writing_.settings.streams.reserve || writing_.supply.host_may_share_block(plane);
}

std::optional<DisplacedPages::Place> DisplacedPages::place_for(const PageProgram& page) const {
  for (const std::uint8_t stream : {writing_.settings.streams.lasting, writing_.settings.streams.reserve}) {
    if (stream == writing_.settings.streams.reserve && !page.moves_data()) continue;
    for (const FtlPlane plane : writing_.blocks.geometry().every_plane()) {
      if (may_take_in(stream, plane)) return Place{plane, stream};
    }
  }
  if (!writing_.power.saving || frontier_.keeps_pages_together()) return std::nullopt;
  // While the drive saves, pages go to any open block.
  for (std::uint8_t stream = 0; stream < writing_.settings.streams.count; ++stream) {
    for (const FtlPlane plane : writing_.blocks.geometry().every_plane()) {
      if (is_open(stream, plane)) return Place{plane, stream};
    }
  }
  return std::nullopt;
}

void DisplacedPages::wait(PageProgram& page) { waiting_.push(page); }

void DisplacedPages::starve() {
  if (std::exchange(starving_, true)) return;
  writing_.calendar.schedule<&DisplacedPages::look_for_progress>(writing_.calendar.now() + starvation_limit, *this,
                                                                 client_.placed_pages());
}

// If other pages were placed meanwhile, the waiting ones are tried again, and may wait as long once more.
void DisplacedPages::look_for_progress(std::uint64_t placed_before) {
  starving_ = false;
  if (client_.placed_pages() == placed_before) {
    client_.no_place_left(writing_.calendar.now());
  } else {
    client_.try_again(writing_.calendar.now());
  }
}

PageQueue DisplacedPages::take() { return std::exchange(waiting_, {}); }

void DisplacedPages::list_waiting(std::ostream& out) const {
  if (!waiting_.empty()) out << waiting_.size() << " pages find no free block on any plane\n";
}

}  // namespace nandscape::controller
