// SPDX-License-Identifier: Apache-2.0
#include "platform/config/unknown_key.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/nearest_name.h"
#include "platform/config/renamed_keys.h"
#include "platform/config/units.h"

namespace nandscape {

namespace {

using Nodes = std::vector<const SchemaNode*>;

bool is_in_force(const SchemaNode& node, const ChosenVariants& chosen) {
  if (node.variant.empty()) return true;
  const auto choice = chosen.find(node.selector);
  return choice != chosen.end() && choice->second == node.variant;
}

// Returns, for example, "candidates belongs to policy randomized_greedy, but policy is greedy". If the selector itself
// belongs to a variant: "columns belongs to format csv, and format belongs to kind trace, but kind is volume".
std::optional<std::string> explain_other_variant(const SchemaNode& group, const ChosenVariants& chosen,
                                                 const std::string& key) {
  std::string owners;
  std::string selector;
  for (const SchemaNode& node : group.children) {
    if (node.key != key || node.variant.empty()) continue;
    owners += (owners.empty() ? "" : " and ") + node.variant;
    selector = node.selector;
  }
  if (owners.empty()) return std::nullopt;
  const std::string belongs = key + " belongs to " + selector + " " + owners;
  if (const auto choice = chosen.find(selector); choice != chosen.end()) {
    return belongs + ", but " + selector + " is " + choice->second;
  }
  const auto outer = explain_other_variant(group, chosen, selector);
  return outer ? std::optional(belongs + ", and " + *outer) : std::nullopt;
}

// Converts a value to the unit `to_unit`. The value is either a number in the unit `key_unit`, or a string with a
// number and a unit. Returns nothing for a number without a unit (`key_unit` is null).
std::optional<std::string> convert_value(const Value& value, const Unit* key_unit, std::string_view to_unit) {
  if (value.text() != nullptr) {
    const auto quantity = parse_quantity(*value.text());
    return quantity ? convert(*quantity, to_unit) : std::nullopt;
  }
  if (key_unit == nullptr || (value.integer() == nullptr && value.real() == nullptr)) return std::nullopt;
  return convert({value.number(), key_unit}, to_unit);
}

// Explains a key whose unit is wrong or missing, such as t_prog_ms or t_prog instead of t_prog_us. Returns nothing if
// this is not the error.
std::optional<std::string> explain_unit_slip(const SchemaNode& node, const std::string& key, const Value& value) {
  if (node.unit.empty() || !node.key.ends_with("_" + node.unit)) return std::nullopt;
  const std::string stem = node.key.substr(0, node.key.size() - node.unit.size() - 1);
  const Unit* key_unit = nullptr;
  if (key != stem) {
    if (!key.starts_with(stem + "_")) return std::nullopt;
    key_unit = find_unit(std::string_view(key).substr(stem.size() + 1));
    if (key_unit == nullptr || !convert({1, key_unit}, node.unit)) return std::nullopt;
  }
  const auto number = convert_value(value, key_unit, node.unit);
  return "unknown key; the key of this parameter ends in its unit, " + unit_symbol(node.unit) + ": write " + node.path +
         (number ? ": " + *number : "");
}

std::optional<std::string> explain_unit_slip(const Nodes& nodes, const std::string& key, const Value& value) {
  for (const SchemaNode* node : nodes) {
    if (auto explanation = explain_unit_slip(*node, key, value)) return explanation;
  }
  return std::nullopt;
}

std::string did_you_mean(const std::string& paths) { return "unknown key; did you mean " + paths + "?"; }

// Returns the paths of the nodes with this key. The string is empty if there are too many nodes to suggest.
std::string paths_of_key(const Nodes& nodes, const std::string& key) {
  constexpr int most_named = 3;
  std::string paths;
  int count = 0;
  for (const SchemaNode* node : nodes) {
    if (node->key != key) continue;
    paths += (paths.empty() ? "" : " or ") + node->path;
    ++count;
  }
  return count <= most_named ? paths : "";
}

std::string path_of_nearest_key(const Nodes& nodes, const std::string& key) {
  std::vector<std::string> keys;
  for (const SchemaNode* node : nodes) keys.push_back(node->key);
  const std::string nearest = nearest_name(key, keys);
  if (nearest.empty()) return "";
  return (*std::find_if(nodes.begin(), nodes.end(), [&](const SchemaNode* node) { return node->key == nearest; }))
      ->path;
}

std::string list_keys(const SchemaNode& group, const Nodes& nodes) {
  std::string keys;
  for (const SchemaNode* node : nodes) keys += (keys.empty() ? "" : ", ") + node->key;
  const std::string place = group.path.empty() ? "here" : "in " + group.path;
  return keys.empty() ? "unknown key; there are no keys " + place : "unknown key; the keys " + place + " are " + keys;
}

}  // namespace

std::string explain_unknown_key(const SchemaNode& schema, const SchemaNode& group, const ChosenVariants& chosen,
                                const std::string& key, const Value& value) {
  if (key.find('.') != std::string::npos) {
    return "unknown key; paths with dots are for --set and Python; in a file each group is its own map";
  }
  Nodes here;
  for (const SchemaNode& node : group.children) {
    if (is_in_force(node, chosen)) here.push_back(&node);
  }
  Nodes everywhere;
  for_each_node(schema, [&](const SchemaNode& node) {
    if (!node.key.empty()) everywhere.push_back(&node);
  });

  const std::string path = group.path.empty() ? key : group.path + "." + key;
  if (const std::string new_name = new_name_of(path); !new_name.empty()) return "is now called " + new_name;
  if (const auto explanation = explain_other_variant(group, chosen, key)) return *explanation;
  if (const auto explanation = explain_unit_slip(here, key, value)) return *explanation;
  if (const std::string paths = paths_of_key(everywhere, key); !paths.empty()) return did_you_mean(paths);
  if (const std::string nearest = path_of_nearest_key(here, key); !nearest.empty()) return did_you_mean(nearest);
  if (const auto explanation = explain_unit_slip(everywhere, key, value)) return *explanation;
  if (const std::string nearest = path_of_nearest_key(everywhere, key); !nearest.empty()) return did_you_mean(nearest);
  return list_keys(group, here);
}

}  // namespace nandscape
