// SPDX-License-Identifier: Apache-2.0
// The JSON Schema of configuration files, for editors and validators.
#pragma once

#include "core/value.h"
#include "platform/config/schema.h"

namespace nandscape {

// The JSON Schema (draft 2020-12) of a configuration file. The parameters of all variants of a family are properties of
// its group. Each is allowed only if its variant is chosen, or if the file leaves the choice to the file that it
// extends.
Value json_schema(const SchemaNode& schema);

}  // namespace nandscape
