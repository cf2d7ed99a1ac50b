// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/displaced_pages.h"

#include <ostream>
#include <utility>

namespace nandscape::controller {

// How long pages wait without progress before the drive has no place left: far longer than emptying a block takes.
constexpr Tick starvation_limit = second;

// The other plane's own collection keeps a free block: that is enough for all that it has to move at a time.
bool DisplacedPages::may_take_in(std::uint8_t stream, PlaneId plane) const {
  if (room_.with_room(plane, false) != plane) return false;
  const bool open = frontier_.has_room(stream, plane);
  if (power_.saving) return open || blocks_.free_blocks(plane) > 0;
  return open ? blocks_.free_blocks(plane) > 0 : supply_->host_may_take_block(plane);
}

std::optional<DisplacedPages::Place> DisplacedPages::place_for(const PageProgram& page) const {
  for (const std::uint8_t stream : {streams_.lasting, streams_.reserve}) {
    if (stream == streams_.reserve && !page.moves_data()) continue;
    for (std::uint32_t plane = 0; plane < blocks_.geometry().planes(); ++plane) {
      if (may_take_in(stream, PlaneId(plane))) return Place{PlaneId(plane), stream};
    }
  }
  if (!power_.saving) return std::nullopt;
  // What is saved goes where it is durable soonest: to any block that is open.
  if (const auto open = frontier_.any_open()) return Place{open->plane, open->stream};
  return std::nullopt;
}

void DisplacedPages::wait(PageProgram& page) { waiting_.push(page); }

void DisplacedPages::starve() {
  if (std::exchange(starving_, true)) return;
  calendar_.schedule<&DisplacedPages::look_for_progress>(calendar_.now() + starvation_limit, *this,
                                                         client_.placed_pages());
}

// If others were placed meanwhile, these are tried again, and may wait as long once more.
void DisplacedPages::look_for_progress(std::uint64_t placed_before) {
  starving_ = false;
  if (client_.placed_pages() == placed_before) {
    client_.no_place_left(calendar_.now());
  } else {
    client_.try_again(calendar_.now());
  }
}

PageQueue DisplacedPages::take() { return std::exchange(waiting_, {}); }

void DisplacedPages::list_waiting(std::ostream& out) const {
  if (!waiting_.empty()) out << waiting_.size() << " pages find no free block on any plane\n";
}

}  // namespace nandscape::controller
