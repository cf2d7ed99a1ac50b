// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/host_flushes.h"

#include <ostream>
#include <utility>

namespace nandscape::controller {

void HostFlushes::flush(PageAccess& access, Tick now) {
  const bool durable = power_.programmed_is_durable();
  if (durable || (ledger_.undurable().oldest_new() == 0 && !journal_.pending() && !copies_at_risk())) {
    if (!durable) ledger_.complete_wordlines();  // with parity, incomplete rows may remain
    end(access, now);
    return;
  }
  flushes_.push_back({&access, ledger_.undurable().latest(), journal_.pending()});
  ledger_.complete_wordlines();
  journal_.write(now);
}

void HostFlushes::page_durable(Tick now) {
  while (!flushes_.empty() && !copies_at_risk()) {
    const std::uint64_t oldest = ledger_.undurable().oldest_new();
    if (flushes_.front().trims || (oldest != 0 && oldest <= flushes_.front().programmed)) return;
    PageAccess& access = *flushes_.front().access;
    flushes_.pop_front();
    end(access, now);
  }
}

void HostFlushes::end(PageAccess& access, Tick now) {
  if (access.status == AccessStatus::ok && ledger_.lost_new_data()) access.status = AccessStatus::write_fault;
  host_.complete(access, now);
}

void HostFlushes::trims_not_durable() {
  for (Flush& flush : flushes_) {
    if (std::exchange(flush.trims, false)) flush.access->status = AccessStatus::write_protected;
  }
}

std::vector<PageAccess*> HostFlushes::give_up() {
  std::vector<PageAccess*> accesses;
  for (const Flush& flush : std::exchange(flushes_, {})) accesses.push_back(flush.access);
  return accesses;
}

void HostFlushes::list_waiting(std::ostream& out) const {
  for (const Flush& flush : flushes_) {
    out << "a flush waits for page " << flush.programmed << ", the oldest page not yet durable is "
        << ledger_.undurable().oldest_new() << (flush.trims ? ", and for the journal of trims" : "") << "\n";
  }
}

}  // namespace nandscape::controller
