// SPDX-License-Identifier: Apache-2.0
// The energy that a drive has taken from its supply since the beginning of the simulation, by part.
#pragma once

#include "platform/blocks/drive.h"
#include "platform/blocks/energy_account.h"
#include "platform/config/parameters.h"

namespace nandscape {

class HostModule;

EnergyAccount energy_of(const Drive& drive, const HostModule& host, const PlatformParameters& parameters, Tick now);

}  // namespace nandscape
