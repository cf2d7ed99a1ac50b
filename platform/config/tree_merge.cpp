// SPDX-License-Identifier: Apache-2.0
#include "platform/config/tree_merge.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace nandscape {

namespace {

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// Returns whether `key` is a parameter of some variants of `selector`, but not of the variant `variant`.
bool is_left_by(const std::string& variant, const SchemaNode& group, const SchemaNode& selector,
                const std::string& key) {
  bool owned = false;
  for (const SchemaNode& node : group.children) {
    if (node.key != key || node.selector != selector.key) continue;
    if (node.variant == variant) return false;
    owned = true;
  }
  return owned;
}

// Removes the parameters of a variant from `base` if `overlay` chooses a different variant.
void forget_left_variants(Value& base, const Value& overlay, const SchemaNode& group) {
  const Value::Map* additions = overlay.map_items();
  if (additions == nullptr) return;
  Value::List* items = base.list_items();
  if (items != nullptr && items->size() == 1) forget_left_variants(items->front(), overlay, group);
  for (const auto& [key, value] : *additions) {
    const SchemaNode* node = group.child(key);
    if (const auto number = item_number(key); number && node == nullptr) {
      if (items == nullptr) {
        forget_left_variants(base, value, group);
      } else if (*number < items->size()) {
        forget_left_variants((*items)[*number], value, group);
      }
    } else if (node != nullptr && base.map_items() != nullptr) {
      if (node->is_group()) {
        if (Value* inner = base.find(key)) forget_left_variants(*inner, value, *node);
      } else if (node->kind == SchemaNode::Kind::variant && value.text() != nullptr) {
        const std::string& variant = *value.text();
        std::erase_if(*base.map_items(),
                      [&](const auto& entry) { return is_left_by(variant, group, *node, entry.first); });
      }
    }
  }
}

void lay_over(Value& base, const Value& overlay) {
  // A group whose keys are all commented out is read as null, and does not change anything.
  if (base.map_items() != nullptr && overlay.is_null()) return;
  if (base.map_items() == nullptr || overlay.map_items() == nullptr) {
    base = overlay;
    return;
  }
  base.source = overlay.source;
  Value::Map& entries = *base.map_items();
  // Maps keys to their indices. A linear search would be slow, since a user may give any number of keys.
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t k = 0; k < entries.size(); ++k) places.emplace(entries[k].first, k);
  for (const auto& [key, value] : *overlay.map_items()) {
    const auto [place, is_new] = places.emplace(key, entries.size());
    if (is_new) entries.emplace_back(key, Value());
    lay_over(entries[place->second].second, value);
  }
}

// Follows the path of an override from the root of the tree downwards. The schema says where a list of groups may stand
// in place of a single group.
class PathWalk {
 public:
  PathWalk(Value& tree, const SchemaNode& schema, const std::string& path, const SourceLocation& source)
      : value_(&tree), node_(&schema), path_(path), source_(source) {}

  void step(const std::string& part) {
    const auto number = item_number(part);
    const bool may_be_list = node_ != nullptr && node_->kind == SchemaNode::Kind::list_of_groups;
    if (Value::List* items = value_->list_items()) {
      if (number) {
        enter_item(*items, *number);
        return;
      }
      if (items->size() != 1) {
        const std::string count = std::to_string(items->size());
        throw ConfigError(source_, path_,
                          "leads through a list of " + count + "; give the index of an item, 0 or higher");
      }
      value_ = &items->front();
    } else if (may_be_list && number) {
      if (*number > 0) throw ConfigError(source_, path_, "leads past the only item of a list");
      return;
    }
    enter_key(part);
  }

  Value& value() { return *value_; }

 private:
  void enter_item(Value::List& items, std::size_t number) {
    if (number >= items.size()) {
      throw ConfigError(source_, path_, "leads past the end of a list of " + std::to_string(items.size()));
    }
    value_ = &items[number];
  }

  void enter_key(const std::string& key) {
    if (value_->map_items() == nullptr) {
      *value_ = Value::map();
      value_->source = source_;
    }
    value_ = &(*value_)[key];
    if (node_ != nullptr) node_ = node_->child(key);
  }

  Value* value_;
  const SchemaNode* node_;
  const std::string& path_;
  const SourceLocation& source_;
};

// The largest number of overrides, which is far more than there are keys. It limits the run time, since each override
// walks through the tree.
constexpr std::size_t most_overrides = 20'000;

}  // namespace

std::optional<std::size_t> item_number(std::string_view part) {
  std::size_t number = 0;
  const char* end = part.data() + part.size();
  const auto [stop, error] = std::from_chars(part.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

bool gives_all(const Value& tree, const SchemaNode& group) {
  return std::all_of(group.children.begin(), group.children.end(), [&](const SchemaNode& node) {
    const Value* value = tree.find(node.key);
    return value != nullptr && (!node.is_group() || gives_all(*value, node));
  });
}

Value tree_at(const std::string& path, Value value) {
  const std::vector<std::string> parts = split_path(path);
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) value = Value(Value::Map{{*part, std::move(value)}});
  return value;
}

void merge_tree(Value& base, const Value& overlay, const SchemaNode& schema) {
  forget_left_variants(base, overlay, schema);
  lay_over(base, overlay);
}

void check_overrides(const std::vector<std::pair<std::string, Value>>& overrides) {
  if (overrides.size() > most_overrides) {
    throw ConfigError({}, "",
                      std::to_string(overrides.size()) + " keys are overridden; at most " +
                          std::to_string(most_overrides) + " can be");
  }
  for (const auto& [path, value] : overrides) {
    if (std::ranges::count(path, '.') < static_cast<std::ptrdiff_t>(deepest_tree)) continue;
    throw ConfigError(value.source, path, "is deeper than any key");
  }
}

void apply_overrides(Value& tree, const std::vector<std::pair<std::string, Value>>& overrides,
                     const SchemaNode& schema) {
  // Removes the parameters of replaced variants first, for all overrides. One override may give a parameter before
  // another override chooses the variant of this parameter.
  for (const auto& [path, value] : overrides) forget_left_variants(tree, tree_at(path, value), schema);
  for (const auto& [path, value] : overrides) {
    PathWalk walk(tree, schema, path, value.source);
    for (const std::string& part : split_path(path)) walk.step(part);
    lay_over(walk.value(), value);
  }
}

}  // namespace nandscape
