// SPDX-License-Identifier: Apache-2.0
// The recovery stage of a page read, from cheap to expensive.
#pragma once

#include <cstddef>
#include <cstdint>

#include "protocol/sensing_levels.h"

namespace nandscape::controller {

enum class RecoveryStage : std::uint8_t {
  first_read,
  hard_retry,   // at another step of the retry table
  vref_search,  // at another step, to find the one with the fewest errors
  soft_2bit,    // with two or three sensing levels
  soft_3bit,    // with more sensing levels
  last_resort   // rebuilt from other pages
};
inline constexpr std::size_t recovery_stages = 6;

// The stage of a read after the first that is not part of a search.
constexpr RecoveryStage retry_stage(std::uint32_t sensing_levels) {
  const std::uint32_t bits = soft_bits(sensing_levels);
  return bits == 1 ? RecoveryStage::hard_retry : bits == 2 ? RecoveryStage::soft_2bit : RecoveryStage::soft_3bit;
}

}  // namespace nandscape::controller
