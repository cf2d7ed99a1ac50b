// SPDX-License-Identifier: Apache-2.0
#include "platform/config/workload_profiles.h"

#include <string>
#include <string_view>
#include <utility>

#include "host/workloads/profile/profile_parameters.h"
#include "platform/config/configuration.h"
#include "platform/config/named_files.h"
#include "platform/config/tree_merge.h"

namespace nandscape {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view profile_kind = "profile";  // of workload; beside it, the key of the same name

NamedFiles& profiles() {
  static NamedFiles files("profile", NANDSCAPE_PROFILE_FOLDER);
  return files;
}

// The keys of a profile's file.
const SchemaNode& statistics_schema() {
  static const SchemaNode schema = schema_of<host::ProfileStatistics>();
  return schema;
}

template <class Tree>
Tree* workloads_of(Tree& tree) {
  auto* host = tree.find("host");
  return host != nullptr ? host->find("workload") : nullptr;
}

// The workload of that number; one that stands alone is number 0.
Value* workload_at(Value& workloads, std::size_t number) {
  if (Value::List* items = workloads.list_items()) return number < items->size() ? &(*items)[number] : nullptr;
  return number == 0 ? &workloads : nullptr;
}

// The name that it gives, if any.
const std::string* profile_of(const Value& workload) {
  const Value* profile = workload.find(profile_kind);
  return profile != nullptr ? profile->text() : nullptr;
}

void leave_profile(Value& workload, const Value& overlay) {
  const std::string* chosen = profile_of(overlay);
  if (chosen == nullptr || workload.map_items() == nullptr) return;
  const std::string* current = profile_of(workload);
  if (*chosen == (current != nullptr ? *current : host::ProfileParameters().profile)) return;
  std::erase_if(*workload.map_items(),
                [](const auto& entry) { return statistics_schema().child(entry.first) != nullptr; });
}

void lay_profile(Value& workload, const SchemaNode& schema, const std::string& path) {
  const Value* kind = workload.find("kind");
  if (kind == nullptr || kind->text() == nullptr || *kind->text() != profile_kind) return;
  const std::string* name = profile_of(workload);
  if (name == nullptr || name->empty() || gives_all(workload, statistics_schema())) return;
  const std::string key = path + "." + std::string(profile_kind);
  Value figures = profiles().read(*name, workload.find(profile_kind)->source, key);
  for (const auto& [figure, value] : *figures.map_items()) {
    if (statistics_schema().child(figure) != nullptr || schema.child(figure) == nullptr) continue;
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

std::vector<std::pair<std::string, std::string>> list_workload_profiles() { return profiles().list(); }

fs::path workload_profile_folder() { return profiles().folder(); }

void set_workload_profile_folder(fs::path folder) { profiles().set_folder(std::move(folder)); }

}  // namespace nandscape
