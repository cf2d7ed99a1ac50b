// SPDX-License-Identifier: Apache-2.0
// What the controller does when nothing goes on any more.
#include <sstream>

#include "controller/controller.h"

namespace nandscape {

std::string Controller::waiting() const {
  std::ostringstream out;
  std::size_t writes = 0;
  writes_.for_each([&](const UnitWrite&) { ++writes; });
  if (read_only_) out << "the drive is read-only" << (no_place_left_ ? ", without any place left" : "") << "\n";
  if (writes != 0) out << writes << " units are being written, " << rewritten_units_ << " of them once more\n";
  for (const Flush& flush : flushes_) {
    out << "a flush waits for page " << flush.programmed << ", the oldest that is not durable is "
        << writer_.oldest_undurable() << (flush.trims ? ", and for the journal of trims" : "") << "\n";
  }
  if (!erases_waiting_.empty()) out << erases_waiting_.size() << " erases wait for the journal of trims\n";
  scheduler_.list_waiting(out);
  writer_.list_waiting(out);
  collector_.list_waiting(out);
  journal_.list_waiting(out);
  return out.str();
}

}  // namespace nandscape
