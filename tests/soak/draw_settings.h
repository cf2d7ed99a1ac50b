// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/random.h"

namespace nandscape::soak {

// Settings of a tiny drive, and the facts that drawing operations needs.
struct DrawnDrive {
  std::vector<std::string> settings;
  unsigned page_sectors = 8;
  bool real_cells = false;  // slow
  bool adjusts = false;     // wordlines
  bool at_pins = false;     // a checkpoint cannot hold dies at pins
};
DrawnDrive draw_drive(RandomStream& random);

}  // namespace nandscape::soak
