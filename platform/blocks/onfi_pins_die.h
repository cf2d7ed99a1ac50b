// SPDX-License-Identifier: Apache-2.0
// The built-in die behind ONFI pins: a player (rtl/onfi/onfi_player_module.h) takes the commands of the channel to the
// pins of an ONFI target (rtl/onfi/onfi_device_module.h), and the target takes them to the die. A whole drive then
// works over pins: its mapping comes back from the spare bytes after a power loss.
//
// Wires carry bytes. The spare area of a page holds its parity, where the decoder works on bytes, and behind it the tag
// (rtl/onfi/spare_tag.h). What of a configuration needs more than bytes is a ConfigError that names its key. Registers
// of target and player are in no checkpoint.
#pragma once

#include "platform/blocks/die_block.h"

namespace nandscape {

// As the kind `onfi_pins`. It is made where the configuration of the device is known
// (platform/wiring/onfi_pins_die.cpp).
void add_onfi_pins_die(DieBlocks& blocks);

}  // namespace nandscape
