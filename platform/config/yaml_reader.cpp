// SPDX-License-Identifier: Apache-2.0
#include "platform/config/yaml_reader.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/message_text.h"
#include "platform/config/yaml_scalar.h"

namespace nandscape {

namespace {

// The largest size of a file. Configurations are far smaller, and so are saved results, which contain their
// configuration.
constexpr std::size_t most_bytes = std::size_t{4} << 20;

class TreeBuilder {
 public:
  explicit TreeBuilder(const SourceLocation& begin) : begin_(begin) {}

  SourceLocation location(const YAML::Mark& mark) const {
    const bool known = begin_.line > 0 && !mark.is_null();
    return {begin_.file, known ? begin_.line + mark.line : begin_.line};
  }

  Value build(const YAML::Node& node, std::size_t depth = 0) {
    if (depth > deepest_tree) throw ConfigError(location(node.Mark()), "", "is nested too deeply, or in itself");
    // The values of an alias are copied, so a few lines can stand for a very large number of values.
    if (++values_ > largest_tree) {
      throw ConfigError(location(node.Mark()), "",
                        "has more than " + std::to_string(largest_tree) + " values, including those of aliases");
    }
    Value value = build_data(node, depth);
    value.source = location(node.Mark());
    return value;
  }

 private:
  Value build_data(const YAML::Node& node, std::size_t depth) {
    switch (node.Type()) {
      case YAML::NodeType::Scalar: return build_scalar(node);
      case YAML::NodeType::Sequence: return build_list(node, depth);
      case YAML::NodeType::Map: return build_map(node, depth);
      default: return Value();
    }
  }

  // The YAML parser gives a quoted scalar the tag "!", and a plain scalar the tag "?".
  Value build_scalar(const YAML::Node& node) const {
    const std::string& tag = node.Tag();
    if (tag == "!" || tag == "tag:yaml.org,2002:str") return Value(node.Scalar());
    if (tag.empty() || tag == "?") return resolve_scalar(node.Scalar());
    throw ConfigError(location(node.Mark()), "", "the tag " + quotation(tag) + " has no meaning here");
  }

  Value build_list(const YAML::Node& node, std::size_t depth) {
    Value::List items;
    for (const YAML::Node& item : node) items.push_back(build(item, depth + 1));
    return Value(std::move(items));
  }

  Value build_map(const YAML::Node& node, std::size_t depth) {
    Value::Map map;
    std::vector<Value> bases;
    std::unordered_set<std::string> keys;
    for (const auto& entry : node) {
      const YAML::Node& key_node = entry.first;
      const YAML::Node& value_node = entry.second;
      if (!key_node.IsScalar()) throw ConfigError(location(key_node.Mark()), "", "a key must be plain text");
      const std::string& key = key_node.Scalar();
      if (key == "<<" && key_node.Tag() == "?") {
        bases.push_back(build(value_node, depth + 1));
        continue;
      }
      if (!keys.insert(key).second) {
        const auto first = std::ranges::find(map, key, &Value::Map::value_type::first);
        throw ConfigError(location(key_node.Mark()), key,
                          "is given twice; the first is at " + first->second.source.text());
      }
      // The value is given the source location of its key, because the value may be on another line, and an alias has
      // the location of its anchor.
      map.emplace_back(key, build(value_node, depth + 1)).second.source = location(key_node.Mark());
    }
    for (Value& base : bases) add_missing(map, keys, base);
    return Value(std::move(map));
  }

  // Adds the keys of `<<: *base` or `<<: [*first, *second]`. If several maps have the same key, the first map has
  // precedence.
  static void add_missing(Value::Map& map, std::unordered_set<std::string>& keys, Value& bases) {
    if (Value::List* list = bases.list_items()) {
      for (Value& base : *list) add_missing(map, keys, base);
    } else if (Value::Map* additions = bases.map_items()) {
      for (auto& addition : *additions) {
        if (keys.insert(addition.first).second) map.push_back(std::move(addition));
      }
    } else {
      throw ConfigError(bases.source, "<<", "a merge key takes a map or a list of maps");
    }
  }

  SourceLocation begin_;
  std::size_t values_ = 0;
};

// Stores the mark (the position in the text) of the first node of a document.
class FirstNode final : public YAML::EventHandler {
 public:
  const YAML::Mark& mark() const { return mark_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { see(mark); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { see(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string&) override { see(mark); }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    see(mark);
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    see(mark);
  }
  void OnMapEnd() override {}

 private:
  void see(const YAML::Mark& mark) {
    if (mark_.is_null()) mark_ = mark;
  }

  YAML::Mark mark_ = YAML::Mark::null_mark();
};

// Parses the first document. Returns it together with the mark of a second document, if there is one. LoadAll() is not
// used because it never returns for some texts, for example an anchor before an unfinished scalar.
std::pair<YAML::Node, std::optional<YAML::Mark>> parse(const std::string& text, const SourceLocation& begin) {
  const SourceLocation whole = {begin.file, 0};
  if (text.size() > most_bytes) {
    throw ConfigError(whole, "", "is longer than " + std::to_string(most_bytes) + " bytes; is this a configuration?");
  }
  if (text.find('\0') != std::string::npos)
    throw ConfigError(whole, "", "contains bytes of value 0, so it is not UTF-8 text");
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  FirstNode first, second;
  if (!parser.HandleNextDocument(first)) return {};
  if (parser.HandleNextDocument(second)) return {YAML::Node(), second.mark()};
  return {YAML::Load(text), std::nullopt};
}

}  // namespace

Value read_yaml(const std::string& text, const SourceLocation& begin) {
  TreeBuilder builder(begin);
  try {
    const auto [document, second] = parse(text, begin);
    if (second)
      throw ConfigError(builder.location(*second), "",
                        "a second document begins here; a configuration is one document");
    return builder.build(document);
  } catch (const YAML::Exception& error) {
    throw ConfigError(builder.location(error.mark), "", "not valid YAML: " + error.msg);
  }
}

Value read_yaml_file(const std::filesystem::path& path) {
  const SourceLocation whole = {path.string(), 0};
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw ConfigError(whole, "", "is a folder, not a file");
  std::ifstream file(path, std::ios::binary);
  // Reads at most one byte more than is allowed, regardless of the size that the file claims to have.
  std::string text(most_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || !file.is_open()) throw ConfigError(whole, "", "cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return read_yaml(text, {path.string(), 1});
}

}  // namespace nandscape
