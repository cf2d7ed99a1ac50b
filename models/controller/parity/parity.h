// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.parity`.
#pragma once

#include <cstdint>

#include "core/parameters.h"

namespace nandscape::controller {

struct ParityParameters {
  std::uint32_t stripe_dies = 0;
};
void describe(ParityParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
