// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "controller/writing/page_writer.h"

namespace nandscape {

void PageWriter::list_waiting(std::ostream& out) const {
  for (std::size_t k = 0; k < lanes_.size(); ++k) {
    const WriteLane& lane = lanes_[k];
    std::size_t in_wordline = 0;
    for (const PageProgram* page = lane.wordline; page != nullptr; page = page->next_in_wordline) ++in_wordline;
    if (in_wordline == 0 && lane.on_their_way[false] + lane.on_their_way[true] == 0) continue;
    out << "stream " << k / planes_ << " on plane " << k % planes_ << ": ";
    frontier_->list_lane(static_cast<std::uint8_t>(k / planes_), PlaneId(static_cast<std::uint32_t>(k % planes_)), out);
    out << in_wordline << " of a wordline, on their way " << lane.on_their_way[false] << " new, "
        << lane.on_their_way[true] << " moved\n";
  }
  for (std::size_t k = 0; k < filling_.size(); ++k) {
    for (const PageProgram* page : filling_[k].pages) {
      if (page != nullptr) out << "a page is being filled with " << page->unit_count << " units\n";
    }
  }
  if (undurable_ != 0) out << undurable_ << " pages are programmed and not durable\n";
  if (!homeless_.empty()) out << homeless_.size() << " pages find no free block on any plane\n";
  frontier_->list_waiting(out);
}

}  // namespace nandscape
