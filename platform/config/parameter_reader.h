// SPDX-License-Identifier: Apache-2.0
// Reads and checks a tree of values into the parameters of a schema.
#pragma once

#include <functional>

#include "core/parameters.h"
#include "core/value.h"
#include "platform/config/schema.h"
#include "platform/config/variant_objects.h"

namespace nandscape {

// Reads the keys of `tree` into the parameters that `description` visits. Parameters without a key keep their defaults.
// If the tree contains the name of one of `objects` at the path of that object, the object is chosen. Returns the
// chosen objects. Throws one ConfigError with every unknown key and every invalid value.
VariantObjects read_parameters(const Value& tree, const std::function<void(ParameterVisitor&)>& description,
                               const SchemaNode& schema, const VariantObjects& objects = {});

template <Describable T>
void read_parameters(const Value& tree, T& parameters) {
  read_parameters(
      tree, [&parameters](ParameterVisitor& visitor) { describe(parameters, visitor); }, schema_of<T>());
}

}  // namespace nandscape
