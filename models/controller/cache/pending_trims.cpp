// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/pending_trims.h"

#include <iterator>

namespace nandscape::controller {

CacheOperation* PendingTrims::find(std::uint64_t first, std::uint64_t end) const {
  auto behind = trims_.lower_bound(end);
  if (behind == trims_.begin()) return nullptr;
  CacheOperation* const trim = std::prev(behind)->second;
  return first < trim->lpn.value + trim->page_count ? trim : nullptr;
}

bool PendingTrims::overlap_with(const PageAccess& access) const {
  return !empty() && find(access.lpn.value, access.lpn.value + pages_of(access)) != nullptr;
}

void PendingTrims::add(CacheOperation& trim, Tick now) {
  trims_[trim.lpn.value] = &trim;
  if (trim.pending == 0) backend_.submit(trim, now);
}

void PendingTrims::part_ended(Lpn lpn, Tick now) {
  CacheOperation* const trim = find(lpn.value, lpn.value + 1);
  if (trim != nullptr && --trim->pending == 0) backend_.submit(*trim, now);
}

}  // namespace nandscape::controller
