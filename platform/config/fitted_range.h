// SPDX-License-Identifier: Apache-2.0
// Whether the condition of the flash lies where the constants of its cells were fitted (`nand.cells.fitted`).
#pragma once

#include <optional>
#include <string>

#include "nand/parameters.h"

namespace nandscape {

// What lies outside, and what the set was fitted to, in one line; nothing where all lies inside.
std::optional<std::string> outside_fitted_range(const nand::NandParameters& parameters);

}  // namespace nandscape
