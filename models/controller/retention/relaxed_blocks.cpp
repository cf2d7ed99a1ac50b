// SPDX-License-Identifier: Apache-2.0
#include "controller/retention/relaxed_blocks.h"

#include <algorithm>

namespace nandscape::controller {

std::uint8_t RelaxedBlocks::open(Superblock block, Tick now) {
  opened_hours_[block.value] = clock_.hours(now);
  return static_cast<std::uint8_t>(1 + period(now) % modes);
}

std::uint32_t RelaxedBlocks::periods_since(std::uint8_t mode, Tick now) const {
  return static_cast<std::uint32_t>((period(now) + modes - (mode - 1u) % modes) % modes);
}

void RelaxedBlocks::found(Superblock block, std::uint8_t mode, Tick now) {
  const double since = periods_since(mode, now) * period_hours_;
  opened_hours_[block.value] = std::max(0.0, period_begin(now) - since);
}

void RelaxedBlocks::persist(Archive& archive) {
  constexpr double most_hours = 1e12;  // longer than any drive lives
  for (double& opened : opened_hours_) archive.real(opened, 0, most_hours, "the hour at which a block was opened");
}

}  // namespace nandscape::controller
