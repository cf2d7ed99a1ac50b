// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/pending_trims.h"

namespace nandscape::controller {

bool PendingTrims::overlap_with(const PageAccess& access) const {
  for (const CacheOperation* trim = trims_.first(); trim != nullptr; trim = trim->next_listed) {
    if (overlap(*trim, access)) return true;
  }
  return false;
}

void PendingTrims::add(CacheOperation& trim, Tick now) {
  trims_.push(trim);
  if (trim.pending == 0) backend_.submit(trim, now);
}

void PendingTrims::part_ended(Lpn lpn, Tick now) {
  for (CacheOperation* trim = trims_.first(); trim != nullptr; trim = trim->next_listed) {
    if (lpn.value - trim->lpn.value >= trim->page_count) continue;
    if (--trim->pending == 0) backend_.submit(*trim, now);
    return;
  }
}

}  // namespace nandscape::controller
