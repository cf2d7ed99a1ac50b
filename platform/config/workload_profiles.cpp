// SPDX-License-Identifier: Apache-2.0
#include "platform/config/workload_profiles.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "host/workloads/profile/profile_parameters.h"
#include "host/workloads/volume/volume_parameters.h"
#include "platform/config/configuration.h"
#include "platform/config/named_files.h"
#include "platform/config/parameter_reader.h"
#include "platform/config/tree_merge.h"

namespace nandscape {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view profile_key = "profile";      // key of a workload, beside its kind
constexpr std::string_view published_key = "published";  // key of a profile's file

// A kind of workload with profiles, and the keys of its profiles.
struct ProfiledKind {
  std::string_view kind;
  NamedFiles files;
  SchemaNode statistics;
  // Checks the group `published` of a file, which is not part of the workload; null for kinds without this group.
  void (*check_published)(const Value& published);
};

// The profiles of further kinds are in subfolders of the first kind's folder.
std::array<ProfiledKind, 2> kinds_in(const fs::path& folder) {
  const auto check_results = [](const Value& published) {
    host::VolumeResults results;
    read_parameters(published, results);
  };
  return {{{"profile", NamedFiles("profile", folder), schema_of<host::ProfileStatistics>(), nullptr},
           {"volume", NamedFiles("volume", folder / "volumes"), schema_of<host::VolumeStatistics>(), check_results}}};
}

std::array<ProfiledKind, 2>& profiled_kinds() {
  static std::array<ProfiledKind, 2> kinds = kinds_in(NANDSCAPE_PROFILE_FOLDER);
  return kinds;
}

const std::string* text_at(const Value& workload, std::string_view key) {
  const Value* value = workload.find(key);
  return value != nullptr ? value->text() : nullptr;
}

// The workload's kind; null if the kind has no profiles.
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

// The workload with that index; a single workload has index 0.
Value* workload_at(Value& workloads, std::size_t number) {
  if (Value::List* items = workloads.list_items()) return number < items->size() ? &(*items)[number] : nullptr;
  return number == 0 ? &workloads : nullptr;
}

bool chooses_another(const Value& workload, const Value& overlay) {
  const std::string* chosen = text_at(overlay, profile_key);
  const std::string* current = text_at(workload, profile_key);
  if (chosen != nullptr && *chosen != (current != nullptr ? *current : "")) return true;
  // The same profile name, but of another kind and thus another paper.
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

// The keys of the file that describe the workload. Checks and removes `published`.
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
  // Reports errors of the profile as errors of a configuration that names it.
  resolve_configuration(tree_at("host.workload", workload), {});
  return profiled_kind(workload)->files.read(name, {}, std::string(profile_key));
}

fs::path workload_profile_folder() { return profiled_kinds().front().files.folder(); }

void set_workload_profile_folder(const fs::path& folder) { profiled_kinds() = kinds_in(folder); }

}  // namespace nandscape
