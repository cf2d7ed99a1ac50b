// SPDX-License-Identifier: Apache-2.0
// What the media of a drive tell of themselves, whatever controller is in front of them.
#pragma once

#include "platform/blocks/energy_account.h"
#include "platform/wiring/flash_media.h"

namespace nandscape {

// The groups nand, ecc and channel. Of the pages encoded, `changed_codes` were encoded before by another code.
void describe_media(const FlashMedia& media, const DeviceFacts& facts, std::uint64_t changed_codes,
                    StatisticsVisitor& visitor, Tick now);
// Of engines, channels and dies.
void add_media_busy_times(const FlashMedia& media, const DeviceFacts& facts, BusyTimes& times);
void add_media_energy(const FlashMedia& media, const DeviceFacts& facts, const FlashDeviceParameters& parameters,
                      EnergyAccount& account);

}  // namespace nandscape
