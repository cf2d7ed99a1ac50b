// SPDX-License-Identifier: Apache-2.0
// Values of a tree into the parameters of a schema, checked.
#pragma once

#include <functional>

#include "core/parameters.h"
#include "core/value.h"
#include "platform/config/schema.h"
#include "platform/config/variant_objects.h"

namespace nandscape {

// Reads what `tree` gives into the parameters that `description` visits; the others keep their defaults. Where the tree
// has the name of one of the objects at its path, that is chosen; returns those. Throws one ConfigError that names
// every key that is unknown and every value that does not fit.
VariantObjects read_parameters(const Value& tree, const std::function<void(ParameterVisitor&)>& description,
                               const SchemaNode& schema, const VariantObjects& objects = {});

template <Describable T>
void read_parameters(const Value& tree, T& parameters) {
  read_parameters(
      tree, [&parameters](ParameterVisitor& visitor) { describe(parameters, visitor); }, schema_of<T>());
}

}  // namespace nandscape
