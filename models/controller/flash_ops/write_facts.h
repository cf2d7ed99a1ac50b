// SPDX-License-Identifier: Apache-2.0
// What write modes have to know of the flash and of the drive.
#pragma once

#include "controller/content/content_facts.h"

namespace nandscape::controller {

struct WriteFacts {
  double step_mv = 250;   // of the device's ISPP
  bool copyback = false;  // collection moves pages within the flash
  bool parity = false;    // superblocks have pages of parity
  ContentFacts content;
};

}  // namespace nandscape::controller
