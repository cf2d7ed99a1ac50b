// SPDX-License-Identifier: Apache-2.0
// Configuration group `controller.streams`.
#pragma once

#include "core/parameters.h"

namespace nandscape::controller {

struct StreamParameters {
  VariantChoice policy{"by_source", nullptr};
};
void describe(StreamParameters& p, ParameterVisitor& v);

}  // namespace nandscape::controller
