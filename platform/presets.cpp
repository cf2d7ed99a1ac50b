// SPDX-License-Identifier: Apache-2.0
#include "platform/presets.h"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <vector>

#include "core/nearest_name.h"
#include "platform/configuration.h"
#include "platform/tree_merge.h"
#include "platform/yaml_reader.h"

namespace nandscape {

namespace {

namespace fs = std::filesystem;

fs::path& current_preset_folder() {
  static fs::path folder = NANDSCAPE_PRESET_FOLDER;
  return folder;
}

// The text of the first comment that is not the licence.
std::string first_comment(const fs::path& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("# ") && !line.starts_with("# SPDX")) return line.substr(2);
  }
  return "";
}

[[noreturn]] void throw_not_found(const std::string& name, const SourceLocation& where, const std::string& path) {
  std::vector<std::string> names;
  std::string all;
  for (const auto& [preset, comment] : list_presets()) {
    names.push_back(preset);
    all += (all.empty() ? "" : ", ") + preset;
  }
  const std::string nearest = nearest_name(name, names);
  throw ConfigError(where, path,
                    "no file and no preset is named '" + name + "'" +
                        (nearest.empty() ? "" : "; did you mean " + nearest + "?") + " The presets are " + all);
}

// `name` as a file in `folder`, or else as a preset.
fs::path find_file(const std::string& name, const fs::path& folder, const SourceLocation& where,
                   const std::string& path) {
  const fs::path beside = folder / name;
  if (fs::is_regular_file(beside)) return beside.lexically_normal();
  fs::path preset = preset_folder() / (name + ".yaml");
  if (fs::is_regular_file(preset)) return preset;
  throw_not_found(name, where, path);
}

using Chain = std::vector<fs::path>;  // of files, each extending the next

void extend(Value& tree, const fs::path& folder, Chain& chain, const SchemaNode& schema);

Value read_file(const fs::path& file, Chain& chain, const SchemaNode& schema) {
  Value tree = read_yaml_file(file);
  if (tree.is_null()) tree = Value::map();
  if (tree.map_items() == nullptr) throw ConfigError({file.string(), 0}, "", "is not a group of keys");
  chain.push_back(file);
  extend(tree, file.parent_path(), chain, schema);
  return tree;
}

void check_for_cycle(const fs::path& base, const Chain& chain, const SourceLocation& where) {
  const auto same = [&](const fs::path& file) { return fs::equivalent(file, base); };
  const auto first = std::find_if(chain.begin(), chain.end(), same);
  if (first == chain.end()) return;
  std::string cycle;
  for (auto file = first; file != chain.end(); ++file) cycle += file->filename().string() + " extends ";
  throw ConfigError(where, "extends", "goes round in a circle: " + cycle + base.filename().string());
}

void extend(Value& tree, const fs::path& folder, Chain& chain, const SchemaNode& schema) {
  const Value* found = tree.find("extends");
  if (found == nullptr) return;
  const Value extends = *found;
  std::erase_if(*tree.map_items(), [](const auto& entry) { return entry.first == "extends"; });
  if (extends.text() == nullptr) {
    throw ConfigError(extends.source, "extends", "expected the name of a preset or the path of a file");
  }
  const fs::path file = find_file(*extends.text(), folder, extends.source, "extends");
  check_for_cycle(file, chain, extends.source);
  Value base = read_file(file, chain, schema);
  merge_tree(base, tree, schema);
  tree = std::move(base);
}

}  // namespace

Value read_configuration_file(const std::string& name_or_path, const SchemaNode& schema) {
  Chain chain;
  return read_file(find_file(name_or_path, "", {}, ""), chain, schema);
}

void extend_tree(Value& tree, const SchemaNode& schema) {
  Chain chain;
  extend(tree, "", chain, schema);
}

std::vector<std::pair<std::string, std::string>> list_presets() {
  std::error_code error;
  const fs::directory_iterator folder(preset_folder(), error);
  if (error) throw ConfigError({preset_folder().string(), 0}, "", "the folder of presets cannot be read");
  std::vector<std::pair<std::string, std::string>> presets;
  for (const fs::directory_entry& entry : folder) {
    if (entry.path().extension() == ".yaml") presets.emplace_back(entry.path().stem(), first_comment(entry.path()));
  }
  std::sort(presets.begin(), presets.end());
  return presets;
}

fs::path preset_folder() { return current_preset_folder(); }

void set_preset_folder(fs::path folder) { current_preset_folder() = std::move(folder); }

}  // namespace nandscape
