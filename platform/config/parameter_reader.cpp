// SPDX-License-Identifier: Apache-2.0
#include "platform/config/parameter_reader.h"

#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "platform/config/config_errors.h"
#include "platform/config/renamed_keys.h"
#include "platform/config/unknown_key.h"
#include "platform/config/value_checks.h"

namespace nandscape {

namespace {

class ParameterReader final : public ParameterVisitor {
 public:
  ParameterReader(const Value& tree, const SchemaNode& schema, const VariantObjects& objects, ConfigErrors& errors)
      : schema_(schema), objects_(objects), errors_(errors) {
    enter(&tree, schema, "");
  }

  // Reports the unknown keys of the root group. Call it once, after all parameters have been visited.
  void finish() { leave(); }
  const VariantObjects& chosen_objects() const { return chosen_objects_; }

 protected:
  void visit_boolean(const ParameterInfo& info, bool& value) override { read(info, value, check_boolean); }

  void visit_integer(const ParameterInfo& info, std::int64_t& value, IntegerRange) override {
    read(info, value, check_integer);
  }

  void visit_real(const ParameterInfo& info, double& value, RealRange) override { read(info, value, check_real); }

  void visit_text(const ParameterInfo& info, std::string& value) override { read(info, value, check_text); }

  void visit_choice(const ParameterInfo& info, std::string& value, const std::vector<Choice>&) override {
    read(info, value, check_choice);
  }

  void visit_variant(const ParameterInfo& info, VariantChoice& value, const VariantFamily& family) override {
    if (read_object(info, value, family)) return;
    const std::string standard = value.name;
    read(info, value.name, check_choice);
    levels_.back().chosen[std::string(info.key)] = value.name;
    if (value.parameters == nullptr || value.name != standard) value.parameters = family.make_parameters(value.name);
    value.parameters->visit(*this);
  }

  void visit_reals(const ParameterInfo& info, std::vector<double>& values, RealRange) override {
    const Value* given = take(info);
    if (given == nullptr) return;
    const Value::List* items = given->list_items();
    if (items == nullptr) {
      errors_.add(given->source, path_of(info), "expected a list of numbers, got " + describe_value(*given));
      return;
    }
    values = read_items(info, *items, check_real);
  }

  void visit_texts(const ParameterInfo& info, std::vector<std::string>& values) override {
    const Value* given = take(info);
    if (given == nullptr) return;
    if (const Value::List* items = given->list_items()) {
      values = read_items(info, *items, check_text);
    } else if (std::string text; const auto fault = check_text(*given, node_of(info), text)) {
      errors_.add(given->source, path_of(info), *fault);
    } else {
      values = {text};
    }
  }

  bool enter_group(const ParameterInfo& info) override {
    enter(take(info), node_of(info), path_of(info));
    return true;
  }
  void leave_group() override { leave(); }

  std::size_t enter_list(const ParameterInfo& info, std::size_t size) override {
    const Value* given = take(info);
    if (given != nullptr && given->is_null()) given = nullptr;
    lists_.push_back({given, &node_of(info), path_of(info)});
    if (given == nullptr) return size;
    return given->list_items() != nullptr ? given->list_items()->size() : 1;
  }

  bool enter_item(std::size_t index) override {
    const List& list = lists_.back();
    const Value::List* items = list.given != nullptr ? list.given->list_items() : nullptr;
    if (items != nullptr) {
      enter(&(*items)[index], *list.schema, join_path(list.path, std::to_string(index)));
    } else {
      enter(list.given, *list.schema, list.path);
    }
    return true;
  }
  void leave_item() override { leave(); }
  void leave_list() override { lists_.pop_back(); }

 private:
  // A group that is being read.
  struct Level {
    const Value::Map* entries;  // null if no key of the group is given
    const SchemaNode* schema;
    std::string path;
    std::set<std::string, std::less<>> asked;
    ChosenVariants chosen;
  };
  struct List {
    const Value* given;
    const SchemaNode* schema;
    std::string path;
  };

  void enter(const Value* given, const SchemaNode& schema, const std::string& path) {
    const Value::Map* entries = given != nullptr ? given->map_items() : nullptr;
    // A group whose keys are all commented out is read as null, which is allowed.
    if (given != nullptr && entries == nullptr && !given->is_null()) {
      const std::string keys = given->text() != nullptr ? keys_for_value(path, *given->text()) : "";
      errors_.add(given->source, path,
                  keys.empty() ? "expected a group of keys, got " + describe_value(*given)
                               : describe_value(*given) + " is now " + keys);
    }
    levels_.push_back({entries, &schema, path, {}, {}});
  }

  void leave() {
    const Level& level = levels_.back();
    if (level.entries != nullptr) {
      for (const auto& [key, value] : *level.entries) {
        if (level.asked.contains(key)) continue;
        const std::string path = join_path(level.path, key);
        // The explanation requires a search of the whole schema, so it is not computed if it will not be reported.
        const std::string what =
            errors_.full() ? "" : explain_unknown_key(schema_, *level.schema, level.chosen, key, value);
        errors_.add(value.source, path, what);
      }
    }
    levels_.pop_back();
  }

  // Reads the name of an object if the tree has such a name for the key, and returns false otherwise. Reports an error
  // if the object was not given, which can happen because the tree, and so a file, contains only the name.
  bool read_object(const ParameterInfo& info, VariantChoice& value, const VariantFamily& family) {
    const Value* given = take(info);
    const std::string* name = given != nullptr ? given->text() : nullptr;
    if (name == nullptr || name->find(':') == std::string::npos) return false;
    const std::string path = path_of(info);
    const auto object = objects_.find(path);
    if (object == objects_.end() || object->second->name() != *name) {
      errors_.add(given->source, path,
                  "is " + describe_value(*given) +
                      ", the name of an object that was not given: give the object itself, " + "or choose one of " +
                      node_of(info).range_text(false));
    } else if (object->second->family() != family.family()) {
      errors_.add(given->source, path,
                  *name + " is a policy for " + std::string(object->second->family()) + ", but one for " +
                      std::string(family.family()) + " is needed here");
    } else {
      value = {*name, object->second};
      levels_.back().chosen[std::string(info.key)] = *name;
      chosen_objects_.insert(*object);
    }
    return true;
  }

  // Returns the value that is given for a key, or null if none is given.
  const Value* take(const ParameterInfo& info) {
    Level& level = levels_.back();
    if (level.entries == nullptr) return nullptr;
    level.asked.emplace(info.key);
    for (const auto& [key, value] : *level.entries) {
      if (key == info.key) return &value;
    }
    return nullptr;
  }

  template <class T>
  using Check = std::optional<std::string> (*)(const Value& given, const SchemaNode& node, T& value);

  template <class T>
  std::vector<T> read_items(const ParameterInfo& info, const Value::List& items, Check<T> check) {
    std::vector<T> values(items.size());
    for (std::size_t k = 0; k < items.size(); ++k) {
      T value{};
      if (const auto fault = check(items[k], node_of(info), value)) {
        errors_.add(items[k].source, path_of(info), "item " + std::to_string(k) + ": " + *fault);
      }
      values[k] = std::move(value);
    }
    return values;
  }

  template <class T>
  void read(const ParameterInfo& info, T& value, Check<T> check) {
    const Value* given = take(info);
    if (given == nullptr) return;
    if (const auto fault = check(*given, node_of(info), value)) {
      errors_.add(given->source, path_of(info), *fault);
    }
  }

  // Returns the schema node of the key. If several variants have the key, returns the node of the chosen variant.
  const SchemaNode& node_of(const ParameterInfo& info) const {
    const Level& level = levels_.back();
    const SchemaNode* first = nullptr;
    for (const SchemaNode& node : level.schema->children) {
      if (node.key != info.key) continue;
      const auto choice = level.chosen.find(node.selector);
      if (node.variant.empty() || (choice != level.chosen.end() && choice->second == node.variant)) return node;
      if (first == nullptr) first = &node;
    }
    if (first == nullptr) throw std::logic_error("the schema lacks " + path_of(info));
    return *first;
  }

  std::string path_of(const ParameterInfo& info) const { return join_path(levels_.back().path, info.key); }

  const SchemaNode& schema_;
  const VariantObjects& objects_;
  VariantObjects chosen_objects_;
  ConfigErrors& errors_;
  std::vector<Level> levels_;
  std::vector<List> lists_;
};

}  // namespace

VariantObjects read_parameters(const Value& tree, const std::function<void(ParameterVisitor&)>& description,
                               const SchemaNode& schema, const VariantObjects& objects) {
  ConfigErrors errors;
  ParameterReader reader(tree, schema, objects, errors);
  description(reader);
  reader.finish();
  errors.throw_if_any();
  return reader.chosen_objects();
}

}  // namespace nandscape
