// SPDX-License-Identifier: Apache-2.0
// Checks whether the condition of the flash is within the range that its cell constants were fitted to
// (`nand.cells.fitted`).
#pragma once

#include <optional>
#include <string>

#include "nand/parameters.h"

namespace nandscape {

// One line with the values outside the range and the fitted bounds; nothing if all are inside.
std::optional<std::string> outside_fitted_range(const nand::NandParameters& parameters);

}  // namespace nandscape
