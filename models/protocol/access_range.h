// SPDX-License-Identifier: Apache-2.0
// Computes the range of pages that an access reads or changes. These functions must not be called for flushes, because
// a flush accesses no pages.
#pragma once

#include <cstdint>

#include "protocol/storage.h"

namespace nandscape {

inline bool is_write(const PageAccess& access) { return access.kind == AccessKind::write; }
inline bool is_trim(const PageAccess& access) { return access.kind == AccessKind::trim; }

inline std::uint64_t pages_of(const PageAccess& access) { return is_trim(access) ? access.page_count : 1; }

inline bool overlap(const PageAccess& a, const PageAccess& b) {
  return b.lpn.value - a.lpn.value < pages_of(a) || a.lpn.value - b.lpn.value < pages_of(b);
}

}  // namespace nandscape
