// SPDX-License-Identifier: Apache-2.0
// Merges one configuration over another.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/value.h"
#include "platform/config/schema.h"

namespace nandscape {

// Merges `overlay` over `base`. Groups are merged key by key, whereas plain values and lists are replaced. If the
// overlay chooses another variant of a family, the parameters of the old variant are removed from the base. Parameters
// in the overlay are never removed, so that the reader can report parameters of the wrong variant.
void merge_tree(Value& base, const Value& overlay, const SchemaNode& schema);

// Returns the list index that a part of a path denotes, or nothing if the part is a key.
std::optional<std::size_t> item_number(std::string_view part);

// Returns whether the tree gives every key of the group.
bool gives_all(const Value& tree, const SchemaNode& group);

// Returns the tree {a: {b: value}} for the path "a.b".
Value tree_at(const std::string& path, Value value);

// Throws ConfigError if there are too many overrides, or if a path has more parts than any key.
void check_overrides(const std::vector<std::pair<std::string, Value>>& overrides);

// Merges each value over the tree at its dotted path. A number in a path is the index of a list item. The order of the
// overrides has an effect only if they concern the same key. Throws ConfigError if the index in a path exceeds the
// list.
void apply_overrides(Value& tree, const std::vector<std::pair<std::string, Value>>& overrides,
                     const SchemaNode& schema);

}  // namespace nandscape
