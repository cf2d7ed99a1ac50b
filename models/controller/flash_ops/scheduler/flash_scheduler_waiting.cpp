// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "controller/flash_ops/scheduler/flash_scheduler.h"

namespace nandscape {

void FlashScheduler::list_waiting(std::ostream& out) const {
  constexpr const char* activities[] = {"idle",        "requesting", "reading",   "copying",
                                        "programming", "erasing",    "suspending"};
  for (std::size_t index = 0; index < dies_.size(); ++index) {
    const DieState& die = dies_[index];
    std::ostringstream of_die;
    const auto put = [&](const char* what, const OpQueue& queue, bool blocked = false) {
      if (!queue.empty()) of_die << " " << what << " " << queue.size() << (blocked ? " (no place)" : "") << ",";
    };
    put("host reads", die.host_reads);
    put("background reads", die.background_reads);
    put("under lock", die.under_lock);
    for (const PlaneQueues& plane : die.planes) {
      put("host writes", plane.host_writes.waiting, plane.host_writes.blocked);
      put("background writes", plane.background_writes.waiting, plane.background_writes.blocked);
      put("erases", plane.erases);
    }
    const std::string waiting = of_die.str();
    if (waiting.empty() && die.activity == Activity::idle && die.suspended == Activity::idle) continue;
    out << "die " << index << " " << activities[static_cast<std::size_t>(die.activity)] << ":" << waiting;
    if (die.suspended != Activity::idle) out << " suspended " << activities[static_cast<std::size_t>(die.suspended)];
    out << "\n";
  }
}

}  // namespace nandscape
