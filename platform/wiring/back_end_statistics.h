// SPDX-License-Identifier: Apache-2.0
// The statistics of a drive's back end. They do not depend on the controller.
#pragma once

#include "platform/blocks/energy_account.h"
#include "platform/wiring/flash_back_end.h"

namespace nandscape {

// Reports the groups nand, ecc and channel of the statistics. `changed_codes` is the number of pages that were
// re-encoded with a different code.
void describe_back_end(const FlashBackEnd& back_end, const DeviceFacts& facts, std::uint64_t changed_codes,
                       StatisticsVisitor& visitor, Tick now);
// These functions add the busy times and the energy of engines, channels and dies.
void add_back_end_busy_times(const FlashBackEnd& back_end, const DeviceFacts& facts, BusyTimes& times);
void add_back_end_energy(const FlashBackEnd& back_end, const DeviceFacts& facts,
                         const FlashDeviceParameters& parameters, EnergyAccount& account);

}  // namespace nandscape
