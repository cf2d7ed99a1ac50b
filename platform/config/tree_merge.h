// SPDX-License-Identifier: Apache-2.0
// One configuration over another.
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

// Lays `overlay` over `base`: groups are merged key by key, plain values and lists are replaced. Where the overlay
// chooses another variant of a family, parameters of the old variant in the base no longer mean anything and go;
// those that the overlay itself gives stay, to be reported if they do not belong.
void merge_tree(Value& base, const Value& overlay, const SchemaNode& schema);

// The number that a part of a path is, of an item of a list; none where it is a key.
std::optional<std::size_t> item_number(std::string_view part);

// Whether the tree gives every key of the group.
bool gives_all(const Value& tree, const SchemaNode& group);

// The tree {a: {b: value}} for the path "a.b".
Value tree_at(const std::string& path, Value value);

// Throws ConfigError when there are more overrides than keys can be meant, or a path leads deeper than any key.
void check_overrides(const std::vector<std::pair<std::string, Value>>& overrides);

// Lays each value over the tree at its dotted path; a number in a path is the item of a list. The order of overrides
// that do not name the same key does not matter. Throws ConfigError on a path that leads into no item of a list.
void apply_overrides(Value& tree, const std::vector<std::pair<std::string, Value>>& overrides,
                     const SchemaNode& schema);

}  // namespace nandscape
