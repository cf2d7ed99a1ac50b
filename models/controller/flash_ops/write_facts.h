// SPDX-License-Identifier: Apache-2.0
// What write modes have to know of the flash and of the drive.
#pragma once

#include <limits>

namespace nandscape::controller {

struct WriteFacts {
  double step_mv = 250;  // of the device's ISPP
  // Larger ones lift cells of one state into the next; ideal cells know no such step.
  double largest_step_mv = std::numeric_limits<double>::infinity();
  bool copyback = false;  // collection moves pages within the flash
  bool parity = false;    // superblocks have pages of parity
};

}  // namespace nandscape::controller
