// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.subpages`.
#pragma once

#include <cstdint>

#include "core/parameters.h"

namespace nandscape::controller {

enum class SubpageReads { none, soml, srs };

struct SubpageParameters {
  SubpageReads reads = SubpageReads::none;
  std::uint32_t most_per_operation = 0;
};
void describe(SubpageParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
