// SPDX-License-Identifier: Apache-2.0
#include "platform/config/configuration_files.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "host/workloads/profile/profile_parameters.h"
#include "host/workloads/volume/volume_parameters.h"
#include "nand/cells/parameters.h"
#include "platform/config/configuration.h"
#include "platform/config/named_files.h"
#include "platform/config/parameter_reader.h"
#include "platform/config/tree_merge.h"
#include "platform/config/yaml_reader.h"

namespace nandscape {

namespace {

namespace fs = std::filesystem;

constexpr const char* set_path = "nand.cells.set";

NamedFiles& cell_sets() {
  static NamedFiles files("cell set", NANDSCAPE_SOURCE_DATA_FOLDER "/cells");
  return files;
}

const Value* cells_of(const Value& tree) {
  const Value* nand = tree.find("nand");
  return nand != nullptr ? nand->find("cells") : nullptr;
}

const Value* set_of(const Value& tree) {
  const Value* cells = cells_of(tree);
  return cells != nullptr ? cells->find("set") : nullptr;
}

// Returns the group `key` of another group, and creates it if it is missing. Returns null if the value of the key is
// not a group; the reader of the parameters reports this error later.
Value* group_in(Value* group, std::string_view key) {
  if (group == nullptr || (!group->is_null() && group->map_items() == nullptr)) return nullptr;
  const bool given = group->find(key) != nullptr;
  Value& inner = (*group)[key];
  if (!given) inner.source = group->source;
  if (inner.is_null()) {
    const SourceLocation source = inner.source;
    inner = Value::map();
    inner.source = source;
  }
  return inner.map_items() != nullptr ? &inner : nullptr;
}

Value read_cell_set(const std::string& name, const SourceLocation& where) {
  Value constants = cell_sets().read(name, where, set_path);
  if (const Value* set = constants.find("set")) {
    throw ConfigError(set->source, set_path, "a cell set cannot extend another one");
  }
  return constants;
}

}  // namespace

void leave_cell_set(Value& base, const Value& overlay) {
  const Value* chosen = set_of(overlay);
  if (chosen == nullptr || cells_of(base) == nullptr) return;
  const Value* current = set_of(base);
  if (*chosen == (current != nullptr ? *current : Value(nand::CellParameters().set))) return;
  base["nand"]["cells"] = Value::map();
}

void lay_cell_set(Value& tree, const SchemaNode& schema) {
  const SchemaNode& cells_schema = *schema.child("nand")->child("cells");
  Value* cells = group_in(group_in(&tree, "nand"), "cells");
  if (cells == nullptr || gives_all(*cells, cells_schema)) return;
  const Value* set = cells->find("set");
  if (set != nullptr && set->text() == nullptr) return;  // the reader of the parameters reports this error
  Value constants =
      set != nullptr ? read_cell_set(*set->text(), set->source) : read_cell_set(nand::CellParameters().set, {});
  merge_tree(constants, *cells, cells_schema);
  *cells = std::move(constants);
}

std::vector<std::pair<std::string, std::string>> list_cell_sets() { return cell_sets().list(); }

fs::path cell_set_folder() { return cell_sets().folder(); }

void set_cell_set_folder(fs::path folder) { cell_sets().set_folder(std::move(folder)); }

namespace {

constexpr std::string_view profile_key = "profile";      // key of a workload, beside its kind
constexpr std::string_view published_key = "published";  // key of a profile's file

// A kind of workload that has profiles, with the folder and the keys of these profiles.
struct ProfiledKind {
  std::string_view kind;
  NamedFiles files;
  SchemaNode statistics;
  // Checks the group `published` of a profile's file, which does not describe the workload itself. Null for kinds
  // without this group.
  void (*check_published)(const Value& published);
};

// Returns the kinds of workload that have profiles. The profiles of the first kind are in `folder`, and those of the
// second kind in a subfolder.
std::array<ProfiledKind, 2> kinds_in(const fs::path& folder) {
  const auto check_results = [](const Value& published) {
    host::VolumeResults results;
    read_parameters(published, results);
  };
  return {{{"profile", NamedFiles("profile", folder), schema_of<host::ProfileStatistics>(), nullptr},
           {"volume", NamedFiles("volume", folder / "volumes"), schema_of<host::VolumeStatistics>(), check_results}}};
}

std::array<ProfiledKind, 2>& profiled_kinds() {
  static std::array<ProfiledKind, 2> kinds = kinds_in(NANDSCAPE_SOURCE_DATA_FOLDER "/profiles");
  return kinds;
}

const std::string* text_at(const Value& workload, std::string_view key) {
  const Value* value = workload.find(key);
  return value != nullptr ? value->text() : nullptr;
}

// Returns the kind of the workload, or null if this kind has no profiles.
const ProfiledKind* profiled_kind(const Value& workload) {
  const std::string* kind = text_at(workload, "kind");
  if (kind == nullptr) return nullptr;
  const auto found = std::ranges::find(profiled_kinds(), *kind, &ProfiledKind::kind);
  return found != profiled_kinds().end() ? &*found : nullptr;
}

template <class Tree>
Tree* workloads_of(Tree& tree) {
  auto* host = tree.find("host");
  return host != nullptr ? host->find("workload") : nullptr;
}

// Returns the workload with index `number`, or null if there is none. A workload that is not in a list has index 0.
Value* workload_at(Value& workloads, std::size_t number) {
  if (Value::List* items = workloads.list_items()) return number < items->size() ? &(*items)[number] : nullptr;
  return number == 0 ? &workloads : nullptr;
}

bool chooses_another(const Value& workload, const Value& overlay) {
  const std::string* chosen = text_at(overlay, profile_key);
  const std::string* current = text_at(workload, profile_key);
  if (chosen != nullptr && *chosen != (current != nullptr ? *current : "")) return true;
  // Two kinds may have profiles of the same name, with statistics from different papers.
  const ProfiledKind* kind = profiled_kind(overlay);
  const ProfiledKind* current_kind = profiled_kind(workload);
  return kind != nullptr && current_kind != nullptr && kind != current_kind;
}

void leave_profile(Value& workload, const Value& overlay) {
  if (workload.map_items() == nullptr || !chooses_another(workload, overlay)) return;
  std::erase_if(*workload.map_items(), [](const auto& entry) {
    return std::ranges::any_of(profiled_kinds(),
                               [&](const ProfiledKind& kind) { return kind.statistics.child(entry.first) != nullptr; });
  });
}

// Returns those keys of the file that describe the workload. Checks the group `published` and removes it.
Value statistics_in(Value file, const ProfiledKind& kind) {
  if (kind.check_published == nullptr) return file;
  if (const Value* published = file.find(published_key)) kind.check_published(*published);
  std::erase_if(*file.map_items(), [](const auto& entry) { return entry.first == published_key; });
  return file;
}

void lay_profile(Value& workload, const SchemaNode& schema, const std::string& path) {
  const ProfiledKind* kind = profiled_kind(workload);
  const std::string* name = text_at(workload, profile_key);
  if (kind == nullptr || name == nullptr || name->empty() || gives_all(workload, kind->statistics)) return;
  const std::string key = path + "." + std::string(profile_key);
  Value figures = statistics_in(kind->files.read(*name, workload.find(profile_key)->source, key), *kind);
  for (const auto& [figure, value] : *figures.map_items()) {
    if (kind->statistics.child(figure) != nullptr || schema.child(figure) == nullptr) continue;
    throw ConfigError(value.source, path + "." + figure,
                      "a profile holds statistics of requests; give this beside the profile's name");
  }
  merge_tree(figures, workload, schema);
  workload = std::move(figures);
}

}  // namespace

void leave_workload_profiles(Value& base, const Value& overlay) {
  Value* workloads = workloads_of(base);
  const Value* overlays = workloads_of(overlay);
  if (workloads == nullptr || overlays == nullptr || overlays->map_items() == nullptr) return;
  if (Value* only = workload_at(*workloads, 0); only != nullptr) leave_profile(*only, *overlays);
  for (const auto& [key, value] : *overlays->map_items()) {
    const auto number = item_number(key);
    Value* workload = number ? workload_at(*workloads, *number) : nullptr;
    if (workload != nullptr) leave_profile(*workload, value);
  }
}

void lay_workload_profiles(Value& tree, const SchemaNode& schema) {
  Value* workloads = workloads_of(tree);
  if (workloads == nullptr) return;
  const SchemaNode& workload_schema = *schema.child("host")->child("workload");
  Value::List* items = workloads->list_items();
  if (items == nullptr) {
    lay_profile(*workloads, workload_schema, workload_schema.path);
    return;
  }
  for (std::size_t k = 0; k < items->size(); ++k) {
    lay_profile((*items)[k], workload_schema, workload_schema.path + "." + std::to_string(k));
  }
}

std::vector<WorkloadProfile> list_workload_profiles() {
  std::vector<WorkloadProfile> profiles;
  for (const ProfiledKind& kind : profiled_kinds()) {
    for (auto& [name, comment] : kind.files.list()) {
      profiles.push_back({std::string(kind.kind), std::move(name), std::move(comment)});
    }
  }
  return profiles;
}

Value workload_profile(const std::string& kind, const std::string& name) {
  const Value workload(Value::Map{{"kind", kind}, {std::string(profile_key), name}});
  // Resolves a configuration that names the profile, so that errors in the profile are reported as errors of a
  // configuration.
  resolve_configuration(tree_at("host.workload", workload), {});
  return profiled_kind(workload)->files.read(name, {}, std::string(profile_key));
}

fs::path workload_profile_folder() { return profiled_kinds().front().files.folder(); }

void set_workload_profile_folder(const fs::path& folder) { profiled_kinds() = kinds_in(folder); }

namespace {

NamedFiles& presets() {
  static NamedFiles files("preset", NANDSCAPE_SOURCE_DATA_FOLDER "/presets");
  return files;
}

using Chain = std::vector<fs::path>;  // files, each extending the next
constexpr std::size_t longest_chain = 20;

// Throws ConfigError if the file is not a configuration. The key `extends` may name any file. Without this check,
// another kind of file would cause errors for unknown keys, and these would show the contents of the file.
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
  // A file that is a saved result can be run again. Only the configuration in it is used.
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
