// SPDX-License-Identifier: Apache-2.0
#include "platform/yaml_reader.h"

#include <yaml-cpp/yaml.h>

#include <fstream>
#include <sstream>

#include "platform/yaml_scalar.h"

namespace nandscape {

namespace {

// Far deeper than any configuration; it ends an alias that contains itself.
constexpr int deepest_nesting = 100;

class TreeBuilder {
 public:
  explicit TreeBuilder(const SourceLocation& begin) : begin_(begin) {}

  SourceLocation location(const YAML::Mark& mark) const {
    const bool known = begin_.line > 0 && !mark.is_null();
    return {begin_.file, known ? begin_.line + mark.line : begin_.line};
  }

  Value build(const YAML::Node& node, int depth = 0) const {
    if (depth > deepest_nesting) throw ConfigError(location(node.Mark()), "", "is nested too deeply, or in itself");
    Value value = build_data(node, depth);
    value.source = location(node.Mark());
    return value;
  }

 private:
  Value build_data(const YAML::Node& node, int depth) const {
    switch (node.Type()) {
      case YAML::NodeType::Scalar: return build_scalar(node);
      case YAML::NodeType::Sequence: return build_list(node, depth);
      case YAML::NodeType::Map: return build_map(node, depth);
      default: return Value();
    }
  }

  // The parser tags a quoted scalar "!" and a plain one "?".
  Value build_scalar(const YAML::Node& node) const {
    const std::string& tag = node.Tag();
    if (tag == "!" || tag == "tag:yaml.org,2002:str") return Value(node.Scalar());
    if (tag.empty() || tag == "?") return resolve_scalar(node.Scalar());
    throw ConfigError(location(node.Mark()), "", "the tag '" + tag + "' has no meaning here");
  }

  Value build_list(const YAML::Node& node, int depth) const {
    Value::List items;
    for (const YAML::Node& item : node) items.push_back(build(item, depth + 1));
    return Value(std::move(items));
  }

  Value build_map(const YAML::Node& node, int depth) const {
    Value map = Value::map();
    Value merged = Value::map();
    for (const auto& entry : node) {
      const YAML::Node& key_node = entry.first;
      const YAML::Node& value_node = entry.second;
      if (!key_node.IsScalar()) throw ConfigError(location(key_node.Mark()), "", "a key must be plain text");
      const std::string& key = key_node.Scalar();
      if (key == "<<" && key_node.Tag() == "?") {
        merge(merged, build(value_node, depth + 1));
        continue;
      }
      if (const Value* first = map.find(key)) {
        throw ConfigError(location(key_node.Mark()), key, "is given twice; the first is at " + first->source.text());
      }
      Value& value = map[key] = build(value_node, depth + 1);
      // A key and its value may stand on different lines, and an alias points to its anchor: the key is the place.
      value.source = location(key_node.Mark());
    }
    add_missing(map, merged);
    return map;
  }

  // `<<: *base` or `<<: [*first, *second]`, where the first has precedence.
  void merge(Value& merged, const Value& bases) const {
    if (const Value::List* list = bases.list_items()) {
      for (const Value& base : *list) merge(merged, base);
    } else if (bases.map_items() != nullptr) {
      add_missing(merged, bases);
    } else {
      throw ConfigError(bases.source, "<<", "a merge key takes a map or a list of maps");
    }
  }

  static void add_missing(Value& map, const Value& additions) {
    for (const auto& [key, value] : *additions.map_items()) {
      if (map.find(key) == nullptr) map[key] = value;
    }
  }

  SourceLocation begin_;
};

}  // namespace

Value read_yaml(const std::string& text, const SourceLocation& begin) {
  const TreeBuilder builder(begin);
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.size() > 1) {
      throw ConfigError(builder.location(documents[1].Mark()), "", "a second document begins here; one is read");
    }
    return builder.build(documents.empty() ? YAML::Node() : documents[0]);
  } catch (const YAML::Exception& error) {
    throw ConfigError(builder.location(error.mark), "", "not valid YAML: " + error.msg);
  }
}

Value read_yaml_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file) throw ConfigError({path.string(), 0}, "", "cannot be read");
  return read_yaml(text.str(), {path.string(), 1});
}

}  // namespace nandscape
