// SPDX-License-Identifier: Apache-2.0
// A fake front end that records completions.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "protocol/storage.h"

namespace nandscape {

struct FakeHost final : StorageClient {
  void completed(PageAccess& access, Tick now) override {
    done.emplace_back(&access, now);
    if (heard) heard(access, now);
  }
  void health_changed(Tick now) override {
    ++health_changes;
    if (health) health(now);
  }
  // Returns the time at which the access completed, or nullopt if it has not completed.
  std::optional<Tick> time_of(const PageAccess& access) const {
    for (const auto& [other, at] : done) {
      if (other == &access) return at;
    }
    return std::nullopt;
  }

  std::function<void(PageAccess&, Tick)> heard;
  std::function<void(Tick)> health;
  std::vector<std::pair<PageAccess*, Tick>> done;
  int health_changes = 0;
};

inline PageAccess make_access(AccessKind kind, std::uint64_t lpn, std::uint32_t first = 0, std::uint32_t count = 8,
                              std::byte* data = nullptr) {
  PageAccess access;
  access.kind = kind;
  access.lpn = Lpn(lpn);
  access.first_sector = static_cast<std::uint16_t>(first);
  access.sector_count = static_cast<std::uint16_t>(count);
  access.data = data;
  return access;
}

}  // namespace nandscape
