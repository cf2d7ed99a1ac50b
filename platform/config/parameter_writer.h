// SPDX-License-Identifier: Apache-2.0
// Writes parameters to a tree of values that has every key with its current value.
#pragma once

#include <functional>

#include "core/parameters.h"
#include "core/value.h"

namespace nandscape {

// Returns a tree with the parameters that `description` visits. The keys are in the order of the schema. A list with
// one group is written as that group, so that paths need no index.
Value write_parameters(const std::function<void(ParameterVisitor&)>& description);

template <Describable T>
Value write_parameters(T& parameters) {
  return write_parameters([&parameters](ParameterVisitor& visitor) { describe(parameters, visitor); });
}

}  // namespace nandscape
