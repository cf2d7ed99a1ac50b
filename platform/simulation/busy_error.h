// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/error.h"

namespace nandscape {

// Thrown when a simulation is called while another call of the same simulation is in progress, or after a fork during
// such a call. The second call does not change the simulation.
class BusyError : public Error {
 public:
  using Error::Error;
};

}  // namespace nandscape
