// SPDX-License-Identifier: Apache-2.0
// Cell sets: files that hold the keys of the group nand.cells for one kind of cell. `nand.cells.set` names the one
// whose constants lie under those that a configuration gives itself.
#pragma once

#include <filesystem>

#include "core/value.h"
#include "platform/config/schema.h"

namespace nandscape {

// What merge_tree() does for variants: where `overlay` chooses another set than `base` has, the constants in `base`
// were those of other cells, and go.
void leave_cell_set(Value& base, const Value& overlay);

// Lays the tree's cell set under its group nand.cells. A tree that gives every constant itself does not need the file:
// a resolved configuration runs again where a set of the user's own is missing. Throws ConfigError.
void lay_cell_set(Value& tree, const SchemaNode& schema);

// Where cell sets are looked for; see set_cell_set_folder() in configuration.h.
std::filesystem::path cell_set_folder();

}  // namespace nandscape
