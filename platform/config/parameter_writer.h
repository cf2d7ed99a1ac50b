// SPDX-License-Identifier: Apache-2.0
// Parameters to a tree of values: every key with the value in force.
#pragma once

#include <functional>

#include "core/parameters.h"
#include "core/value.h"

namespace nandscape {

// In the order of the schema. A list of one group is written as that group, so that its paths need no number.
Value write_parameters(const std::function<void(ParameterVisitor&)>& description);

template <Describable T>
Value write_parameters(T& parameters) {
  return write_parameters([&parameters](ParameterVisitor& visitor) { describe(parameters, visitor); });
}

}  // namespace nandscape
