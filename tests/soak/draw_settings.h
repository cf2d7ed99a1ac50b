// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/random.h"

namespace nandscape::soak {

// The settings of a tiny drive, and properties that are needed to draw suitable operations for it.
struct DrawnDrive {
  std::vector<std::string> settings;
  unsigned page_sectors = 8;
  bool real_cells = false;  // the cells have errors, which makes the simulation slow
  bool adjusts = false;     // the drive adjusts wordlines
  bool at_pins = false;     // dies at ONFI pins; their state cannot be saved in a checkpoint
};
DrawnDrive draw_drive(RandomStream& random);

}  // namespace nandscape::soak
