// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.wear_levelling`.
#pragma once

#include <cstdint>

#include "core/parameters.h"

namespace nandscape::controller {

// The free block of a plane that is written next. most_worn is for long-lived data, and cannot be configured.
enum class FreeBlockOrder { fifo, least_worn, most_worn };

struct WearLevellingParameters {
  FreeBlockOrder free_block = FreeBlockOrder::fifo;
  std::uint32_t static_threshold = 0;
  std::uint32_t check_erases = 16;
};
void describe(WearLevellingParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
