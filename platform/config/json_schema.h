// SPDX-License-Identifier: Apache-2.0
// The schema for editors and other checkers of configuration files.
#pragma once

#include "core/value.h"
#include "platform/config/schema.h"

namespace nandscape {

// JSON Schema, draft 2020-12, of a configuration file. The parameters of all variants of a family are properties of its
// group; each is allowed only where the variant it belongs to is chosen, or where the file leaves the choice to what it
// extends.
Value json_schema(const SchemaNode& schema);

}  // namespace nandscape
