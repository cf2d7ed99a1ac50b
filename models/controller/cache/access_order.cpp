// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/access_order.h"

namespace nandscape::controller {

bool AccessOrder::admits(PageAccess& access) {
  if (!releasing_.empty() && releasing_.any([&](const PageAccess& earlier) { return overlap(earlier, access); })) {
    releasing_.push(access);
    return false;
  }
  if (comes_too_early(access)) {
    held_.push(access);
    return false;
  }
  return true;
}

bool AccessOrder::comes_too_early(const PageAccess& access) {
  if (access.kind == AccessKind::flush) return false;
  if (trims_.overlap_with(access)) return true;
  if (held_.any([&](const PageAccess& earlier) { return overlap(earlier, access); })) return true;
  return access.kind == AccessKind::trim && writes_wait(access);
}

bool AccessOrder::writes_wait(const PageAccess& range) {
  if (waiting_.holds_part_of(range) || writes_through_.writes_wait(range)) return true;
  bool wait = false;
  memory_.for_each(range.lpn, range.page_count, [&](const CachedUnit& unit) { wait |= unit.waiting.any(is_write); });
  return wait;
}

}  // namespace nandscape::controller
