// SPDX-License-Identifier: Apache-2.0
// Explains keys that the schema does not have.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/value.h"
#include "platform/config/schema.h"

namespace nandscape {

// The variants that are chosen in one group: the key that chooses the variant -> the name of the variant.
using ChosenVariants = std::map<std::string, std::string, std::less<>>;

// Explains why `key` is unknown, and suggests what the user most likely meant: a parameter of a variant that is not
// chosen, the same key with its right unit, or the most similar key in the group or the schema. `group` is the group in
// which the key was found, and `value` is its value.
std::string explain_unknown_key(const SchemaNode& schema, const SchemaNode& group, const ChosenVariants& chosen,
                                const std::string& key, const Value& value);

}  // namespace nandscape
