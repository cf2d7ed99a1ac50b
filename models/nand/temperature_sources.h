// SPDX-License-Identifier: Apache-2.0
// The sources of the flash's temperature (`nand.condition.temperature`).
#pragma once

#include "core/registry.h"
#include "core/temperature_source.h"
#include "nand/parameters.h"

namespace nandscape::nand {

// A source is made from the parameters of the flash, which give the configured temperature and how temperature ages
// data.
using TemperatureRegistry = Registry<TemperatureSource, const NandParameters&>;
TemperatureRegistry& temperature_registry();

}  // namespace nandscape::nand
