// SPDX-License-Identifier: Apache-2.0
// Explains keys that the schema does not have.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/value.h"
#include "platform/config/schema.h"

namespace nandscape {

// The variants chosen in one group: the key that chooses, and the name.
using ChosenVariants = std::map<std::string, std::string, std::less<>>;

// Explains why `key`, found in `group` with `value`, is unknown, and what the user most likely meant: a parameter of a
// variant that is not chosen, the same key with its right unit, or the nearest key in the group or the schema.
std::string explain_unknown_key(const SchemaNode& schema, const SchemaNode& group, const ChosenVariants& chosen,
                                const std::string& key, const Value& value);

}  // namespace nandscape
