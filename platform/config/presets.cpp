// SPDX-License-Identifier: Apache-2.0
#include "platform/config/presets.h"

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "platform/config/cell_sets.h"
#include "platform/config/configuration.h"
#include "platform/config/named_files.h"
#include "platform/config/tree_merge.h"
#include "platform/config/workload_profiles.h"
#include "platform/config/yaml_reader.h"

namespace nandscape {

namespace {

namespace fs = std::filesystem;

NamedFiles& presets() {
  static NamedFiles files("preset", NANDSCAPE_PRESET_FOLDER);
  return files;
}

using Chain = std::vector<fs::path>;  // files, each extending the next
constexpr std::size_t longest_chain = 20;

// `extends:` may name any file. A file that is not a configuration gets this error instead of unknown keys, so that no
// message shows its contents.
void check_is_configuration(const Value& tree, const fs::path& file, const SchemaNode& schema) {
  const Value::Map& entries = *tree.map_items();
  const bool any_known = std::ranges::any_of(
      entries, [&](const auto& entry) { return entry.first == "extends" || schema.child(entry.first) != nullptr; });
  if (entries.empty() || any_known) return;
  std::string keys;
  for (const SchemaNode& node : schema.children) keys += (keys.empty() ? "" : ", ") + node.key;
  throw ConfigError({file.string(), 0}, "", "is not a configuration: it has none of the keys extends, " + keys);
}

Value read_group(const fs::path& file, ConfigurationFiles& files) {
  Value tree = read_yaml_file(file);
  files.all.insert(file.string());
  // A saved result can be run again; only its configuration is used.
  const Value* const configuration = tree.find("configuration");
  if (configuration != nullptr && tree.find("statistics") != nullptr) {
    files.results.insert(file.string());
    tree = Value(*configuration);
  }
  if (tree.is_null()) tree = Value::map();
  if (tree.map_items() == nullptr) throw ConfigError({file.string(), 0}, "", "is not a group of keys");
  return tree;
}

void check_chain(const fs::path& base, const Chain& chain, const SourceLocation& where) {
  std::error_code error;
  const auto same = [&](const fs::path& file) { return fs::equivalent(file, base, error); };
  const auto first = std::find_if(chain.begin(), chain.end(), same);
  if (first == chain.end()) {
    if (chain.size() < longest_chain) return;
    throw ConfigError(where, "extends", "makes a chain of more than " + std::to_string(longest_chain) + " files");
  }
  std::string cycle;
  for (auto file = first; file != chain.end(); ++file) cycle += file->filename().string() + " extends ";
  throw ConfigError(where, "extends", "makes a cycle: " + cycle + base.filename().string());
}

void extend(Value& tree, const fs::path& folder, Chain& chain, const SchemaNode& schema, ConfigurationFiles& files) {
  const Value* found = tree.find("extends");
  if (found == nullptr) return;
  const Value extends = *found;
  std::erase_if(*tree.map_items(), [](const auto& entry) { return entry.first == "extends"; });
  if (extends.text() == nullptr) {
    throw ConfigError(extends.source, "extends", "expected the name of a preset or the path of a file");
  }
  const fs::path file = presets().find(*extends.text(), folder, extends.source, "extends");
  check_chain(file, chain, extends.source);
  Value base = read_group(file, files);
  if (!chain.empty() && files.results.contains(chain.back().string())) files.results.insert(file.string());
  check_is_configuration(base, file, schema);
  chain.push_back(file);
  extend(base, file.parent_path(), chain, schema, files);
  leave_cell_set(base, tree);
  leave_workload_profiles(base, tree);
  merge_tree(base, tree, schema);
  tree = std::move(base);
}

}  // namespace

Value read_configuration_file(const std::string& name_or_path, const SchemaNode& schema, ConfigurationFiles& files) {
  const fs::path file = presets().find(name_or_path, "", {}, "");
  Value tree = read_group(file, files);
  Chain chain = {file};
  extend(tree, file.parent_path(), chain, schema, files);
  return tree;
}

void extend_tree(Value& tree, const SchemaNode& schema, ConfigurationFiles& files) {
  Chain chain;
  extend(tree, "", chain, schema, files);
}

std::vector<std::pair<std::string, std::string>> list_presets() { return presets().list(); }

fs::path preset_folder() { return presets().folder(); }

void set_preset_folder(fs::path folder) { presets().set_folder(std::move(folder)); }

}  // namespace nandscape
