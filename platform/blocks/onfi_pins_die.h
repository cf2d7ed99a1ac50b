// SPDX-License-Identifier: Apache-2.0
// The built-in die behind ONFI pins: a player (rtl/onfi/onfi_player_module.h) drives channel commands to the pins of an
// ONFI target (rtl/onfi/onfi_device_module.h), and the target executes them on the die. A whole drive then works over
// pins: after a power loss its mapping is recovered from the spare bytes.
//
// Wires carry bytes. The spare area of a page holds its parity, if the decoder works on bytes, and then the tag
// (rtl/onfi/spare_tag.h). A configured feature that needs more than bytes causes a ConfigError that names its key.
// Checkpoints do not include the registers of the target and the player.
#pragma once

#include "platform/blocks/die_block.h"

namespace nandscape {

// Registers the kind `onfi_pins`. The function is defined in platform/wiring/onfi_pins_die.cpp, where the configuration
// of the device is known.
void add_onfi_pins_die(DieBlocks& blocks);

}  // namespace nandscape
