// SPDX-License-Identifier: Apache-2.0
// Cell sets: files with the keys of the group nand.cells for one kind of cell. `nand.cells.set` names the set whose
// constants are defaults for the keys that a configuration does not give.
#pragma once

#include <filesystem>

#include "core/value.h"
#include "platform/config/schema.h"

namespace nandscape {

// Clears the constants in `base` if `overlay` chooses another set, since they belong to other cells. merge_tree() does
// the same for variants.
void leave_cell_set(Value& base, const Value& overlay);

// Merges the tree's cell set as defaults into its group nand.cells. A tree with every constant does not need the file,
// so a resolved configuration runs where a custom set is missing. Throws ConfigError.
void lay_cell_set(Value& tree, const SchemaNode& schema);

// The folder of cell sets; see set_cell_set_folder() in configuration.h.
std::filesystem::path cell_set_folder();

}  // namespace nandscape
