// SPDX-License-Identifier: Apache-2.0
// In which stage of the recovery a read of a page is made: drives go from the cheap ones to the dear ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "protocol/sensing_levels.h"

namespace nandscape::controller {

enum class RecoveryStage : std::uint8_t {
  first_read,
  hard_retry,   // at another step of the retry table
  vref_search,  // likewise, to find where the page errs least
  soft_2bit,    // of two or three sensing levels
  soft_3bit,    // of more
  last_resort   // made from other pages
};
inline constexpr std::size_t recovery_stages = 6;

// Of a read after the first one that is part of no search.
constexpr RecoveryStage retry_stage(std::uint32_t sensing_levels) {
  const std::uint32_t bits = soft_bits(sensing_levels);
  return bits == 1 ? RecoveryStage::hard_retry : bits == 2 ? RecoveryStage::soft_2bit : RecoveryStage::soft_3bit;
}

}  // namespace nandscape::controller
