// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.subpages`.
#pragma once

#include "core/parameters.h"

namespace nandscape::controller {

enum class SubpageReads { none, soml, srs };

struct SubpageParameters {
  SubpageReads reads = SubpageReads::none;
};
void describe(SubpageParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
