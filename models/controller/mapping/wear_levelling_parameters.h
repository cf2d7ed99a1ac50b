// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.wear_levelling`.
#pragma once

#include <cstdint>

#include "core/parameters.h"

namespace nandscape::controller {

// Which free block of a plane is written next. most_worn is for data that are there to stay, and cannot be configured.
enum class FreeBlockOrder { fifo, least_worn, most_worn };

struct WearLevellingParameters {
  FreeBlockOrder free_block = FreeBlockOrder::fifo;
  std::uint32_t static_threshold = 0;
  std::uint32_t check_erases = 16;
};
void describe(WearLevellingParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
