// SPDX-License-Identifier: Apache-2.0
// The registry of temperature sources, from which `nand.condition.temperature` selects the temperature of the flash.
#pragma once

#include "core/registry.h"
#include "core/temperature_source.h"
#include "nand/parameters.h"

namespace nandscape::nand {

// A temperature source is made from the parameters of the flash. They contain the configured temperature and the
// dependence of data ageing on temperature.
using TemperatureRegistry = Registry<TemperatureSource, const NandParameters&>;
TemperatureRegistry& temperature_registry();

}  // namespace nandscape::nand
