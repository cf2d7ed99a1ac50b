// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/pending_flushes.h"

namespace nandscape::controller {

void PendingFlushes::add(CacheOperation& flush) {
  flush.pending -= pending_;
  pending_ += flush.pending;
  last_barrier_ = flush.barrier;
  flushes_.push(&flush);
}

std::uint64_t PendingFlushes::first_waiting_for(std::uint64_t order) {
  std::uint64_t first = flushes_.next_number() - flushes_.size();
  std::uint64_t end = flushes_.next_number();
  while (first != end) {
    const std::uint64_t middle = first + (end - first) / 2;
    if (flushes_[middle]->barrier < order) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return first;
}

void PendingFlushes::count_clean(std::uint64_t order, AccessStatus status) {
  if (empty() || !wait_for(order)) return;
  const std::uint64_t first = first_waiting_for(order);
  --flushes_[first]->pending;
  --pending_;
  if (status == AccessStatus::ok) [[likely]]
    return;
  for (std::uint64_t k = first; k != flushes_.next_number(); ++k) flushes_[k]->failure = status;
}

void PendingFlushes::send_due(Tick now) {
  // Starts from the front each time, since the client may submit another flush when one completes.
  while (!empty() && flushes_.front()->pending == 0) {
    CacheOperation& flush = *flushes_.front();
    flushes_.pop();
    backend_.submit(flush, now);
  }
}

}  // namespace nandscape::controller
