// SPDX-License-Identifier: Apache-2.0
// Statistics `controller.parity`.
#pragma once

#include <cstdint>

#include "core/statistics.h"

namespace nandscape::controller {

struct ParityCounters {
  std::uint64_t parity_pages = 0;
  std::uint64_t rebuilds = 0;
  std::uint64_t failed_rebuilds = 0;
};
void describe(const ParityCounters& counters, StatisticsVisitor& visitor);

}  // namespace nandscape::controller
