// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "controller/writing/page_writer.h"

namespace nandscape::controller {

void PageWriter::list_waiting(std::ostream& out) const {
  for (std::size_t k = 0; k < write_points_.size(); ++k) {
    const WritePoint& point = write_points_[k];
    std::size_t in_wordline = 0;
    for (const PageProgram* page = point.wordline; page != nullptr; page = page->next_in_wordline) ++in_wordline;
    if (in_wordline == 0 && point.on_their_way[false] + point.on_their_way[true] == 0) continue;
    out << "stream " << k / planes_ << " on plane " << k % planes_ << ": ";
    frontier_->list_write_point(static_cast<std::uint8_t>(k / planes_),
                                FlashPlane(static_cast<std::uint32_t>(k % planes_)), out);
    out << in_wordline << " of a wordline, on their way " << point.on_their_way[false] << " new, "
        << point.on_their_way[true] << " moved\n";
  }
  if (undurable_.count() != 0) out << undurable_.count() << " pages are programmed and not durable\n";
  displaced_.list_waiting(out);
  if (pairs_) pairs_->list_waiting(out);
  frontier_->list_waiting(out);
}

}  // namespace nandscape::controller
