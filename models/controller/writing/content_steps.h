// SPDX-License-Identifier: Apache-2.0
// Pages whose content leaves a margin up to what the code corrects are programmed with a larger ISPP step [Sha, section
// IV-B1]: which one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "controller/content/content_facts.h"
#include "controller/writing/write_mode.h"

namespace nandscape::controller {

inline constexpr std::uint16_t own_step = 0;

class ContentSteps {
 public:
  virtual ~ContentSteps() = default;

  // In mV; 0: the device's own. For the rest see WriteModePolicy.
  virtual std::uint16_t step_mv(const PlacedPage& page) const = 0;
  virtual bool goes_by_wordline() const { return false; }
  virtual bool maps_states() const { return false; }
  virtual std::uint8_t state_map(std::span<const std::byte> /*first*/, std::span<const std::byte> /*last*/) const {
    return 0;
  }
};

// Those of the paper for cells of two bits in natural order, others for all other codings. Throws ConfigError for what
// they do not go with.
std::unique_ptr<ContentSteps> content_steps(const ContentFacts& facts);

}  // namespace nandscape::controller
