// SPDX-License-Identifier: Apache-2.0
// Writes parameters to a tree of values: every key with its current value.
#pragma once

#include <functional>

#include "core/parameters.h"
#include "core/value.h"

namespace nandscape {

// Keys are in the order of the schema. A list with one group is written as that group, so that paths need no index.
Value write_parameters(const std::function<void(ParameterVisitor&)>& description);

template <Describable T>
Value write_parameters(T& parameters) {
  return write_parameters([&parameters](ParameterVisitor& visitor) { describe(parameters, visitor); });
}

}  // namespace nandscape
