// SPDX-License-Identifier: Apache-2.0
// A part of the drive that keeps the drive's power below a limit, for example by delaying commands to the dies. The
// front end sets the limit when the host chooses a power state.
#pragma once

#include "core/ticks.h"

namespace nandscape {

class PowerLimit {
 public:
  // From now on, the drive takes at most `milliwatts` from the supply, on average over the period of the limiter.
  virtual void set_limit(double milliwatts, Tick now) = 0;

 protected:
  ~PowerLimit() = default;
};

}  // namespace nandscape
