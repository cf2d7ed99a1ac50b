// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/pending_flushes.h"

namespace nandscape::controller {

void PendingFlushes::count_clean(std::uint64_t order, AccessStatus status) {
  for (CacheOperation* flush = flushes_.first(); flush != nullptr; flush = flush->next_listed) {
    if (order > flush->barrier) continue;
    --flush->pending;
    if (status != AccessStatus::ok) flush->failure = status;
  }
}

void PendingFlushes::send_due(Tick now) {
  // From the first on each time: whoever hears that a flush is done may send another.
  while (!flushes_.empty() && flushes_.first()->pending == 0) {
    CacheOperation& flush = *flushes_.first();
    flushes_.remove(flush);
    backend_.submit(flush, now);
  }
}

}  // namespace nandscape::controller
