// SPDX-License-Identifier: Apache-2.0
// The JSON Schema of configuration files, for editors and validators.
#pragma once

#include "core/value.h"
#include "platform/config/schema.h"

namespace nandscape {

// Returns the JSON Schema (draft 2020-12) of a configuration file. The parameters of all variants of a family are
// properties of its group. A parameter is allowed only if its variant is chosen in the file, or if the file does not
// choose a variant because the file that it extends does.
Value json_schema(const SchemaNode& schema);

}  // namespace nandscape
