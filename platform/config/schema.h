// SPDX-License-Identifier: Apache-2.0
// The schema as a data structure: a tree of all keys that a configuration may have. It is collected from the describe()
// functions of the parameters.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "core/value.h"

namespace nandscape {

struct SchemaNode {
  enum class Kind {
    group,
    list_of_groups,
    boolean,
    integer,
    real,
    text,
    choice,
    variant,
    list_of_reals,
    list_of_texts
  };
  struct Choice {
    std::string name;
    std::string meaning;
  };

  Kind kind = Kind::group;
  std::string key;
  std::string path;  // full path from the root, without indices of list items: "host.workload.queue_depth"
  std::string unit;
  std::string meaning;
  Value standard;  // the default
  Value low;       // bounds of numbers; null: none
  Value high;
  std::vector<Choice> choices;
  // The variant to which the key belongs, and the sibling key that chooses the variant. Both are empty if the key does
  // not belong to a variant.
  std::string variant;
  std::string selector;
  std::vector<SchemaNode> children;

  bool is_group() const { return kind == Kind::group || kind == Kind::list_of_groups; }
  // Returns the child with this key, or the first such child if several variants have the key. Returns null if there is
  // none.
  const SchemaNode* child(std::string_view child_key) const;
  // Returns the allowed values as text, such as "0 .. 1000 us", ">= 1" or "greedy | fifo". The text is empty if every
  // value is allowed.
  std::string range_text(bool with_unit) const;
};

// Collects the schema from a description. The parameters of all variants become siblings of the key that chooses the
// variant.
SchemaNode describe_schema(const std::function<void(ParameterVisitor&)>& description);

template <Describable T>
SchemaNode schema_of() {
  T parameters;
  return describe_schema([&parameters](ParameterVisitor& visitor) { describe(parameters, visitor); });
}

// Calls `action` for `node` and all nodes below it. A parent is visited before its children.
void for_each_node(const SchemaNode& node, const std::function<void(const SchemaNode&)>& action);

// Joins a group's path and a key: "nand" and "timing" make "nand.timing". Either part may be empty.
std::string join_path(std::string_view group, std::string_view key);

}  // namespace nandscape
