// SPDX-License-Identifier: Apache-2.0
// Draws without replacement. Exactly `successes` of the `trials` draws succeed, and all orders of successes and
// failures are equally likely.
#pragma once

#include <cstdint>

#include "core/random.h"

namespace nandscape::host {

class Quota {
 public:
  Quota(std::uint64_t successes, std::uint64_t trials) : successes_(successes), trials_(trials) {}

  // Returns true if the draw succeeds. May be called at most `trials` times.
  bool draw(RandomStream& random) {
    const bool success = random.below(trials_--) < successes_;
    if (success) --successes_;
    return success;
  }

 private:
  std::uint64_t successes_;
  std::uint64_t trials_;
};

}  // namespace nandscape::host
