// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/error.h"

namespace nandscape {

// Thrown when a simulation is called during another call of it, or after a fork during such a call. The simulation is
// unchanged.
class BusyError : public Error {
 public:
  using Error::Error;
};

}  // namespace nandscape
