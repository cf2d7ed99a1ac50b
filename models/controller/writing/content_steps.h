// SPDX-License-Identifier: Apache-2.0
// Chooses a larger ISPP step for pages whose content leaves a margin to the errors that the code corrects [Sha, section
// IV-B1].
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

  // The ISPP step in mV; 0 is the device's own. The other functions are those of WriteModePolicy.
  virtual std::uint16_t step_mv(const PlacedPage& page) const = 0;
  virtual bool goes_by_wordline() const { return false; }
  virtual bool maps_states() const { return false; }
  virtual std::uint8_t state_map(std::span<const std::byte> /*first*/, std::span<const std::byte> /*last*/) const {
    return 0;
  }
};

// Returns the paper's steps for two-bit cells in natural order, and WordlineSteps for all other codings. Throws
// ConfigError for parameters that the steps do not support.
std::unique_ptr<ContentSteps> content_steps(const ContentFacts& facts);

}  // namespace nandscape::controller
