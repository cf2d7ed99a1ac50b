// SPDX-License-Identifier: Apache-2.0
#include "platform/config/configuration.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <sstream>

#include "controller/capacity.h"
#include "controller/flash_ops/scheduler/scheduling_policy.h"
#include "core/message_text.h"
#include "platform/config/configuration_checks.h"
#include "platform/config/configuration_files.h"
#include "platform/config/json_schema.h"
#include "platform/config/parameter_reader.h"
#include "platform/config/parameter_writer.h"
#include "platform/config/plugin_paths.h"
#include "platform/config/schema.h"
#include "platform/config/tree_merge.h"
#include "platform/config/yaml_reader.h"
#include "platform/config/yaml_writer.h"

namespace nandscape {

namespace {

// Returns the schema of a configuration. More variants may be registered between two configurations, so a separate
// schema is stored for each number of registered variants.
const SchemaNode& platform_schema() {
  static std::mutex guard;
  static std::map<std::size_t, SchemaNode> schemas;
  const std::scoped_lock lock(guard);
  const auto known = schemas.find(registered_variants);
  if (known != schemas.end()) return known->second;
  // schema_of() may create registries, and this registers variants. The variants are therefore counted after the call.
  SchemaNode schema = schema_of<PlatformParameters>();
  return schemas.try_emplace(registered_variants, std::move(schema)).first->second;
}

// Checks a tree of values with overrides and resolves all keys. Does not load plug-ins that the files in `distrusted`
// name.
Configuration check_and_resolve(Value tree, const std::vector<Override>& overrides, KeyPaths asked,
                                const VariantObjects& objects, const std::set<std::string>& distrusted) {
  check_overrides(overrides);
  for (const auto& [path, value] : overrides) {
    leave_cell_set(tree, tree_at(path, value));
    leave_workload_profiles(tree, tree_at(path, value));
  }
  apply_overrides(tree, overrides, platform_schema());
  ForeignPlugins foreign = foreign_plugins(tree, distrusted);
  make_plugin_paths_absolute(tree);
  lay_cell_set(tree, platform_schema());
  lay_workload_profiles(tree, platform_schema());
  Configuration configuration;
  PlatformParameters& parameters = configuration.parameters;
  const auto description = [&parameters](ParameterVisitor& visitor) { describe(parameters, visitor); };
  configuration.objects = read_parameters(tree, description, platform_schema(), objects);
  if (foreign.empty()) check_configuration(parameters, tree);
  configuration.foreign_plugins = std::move(foreign);
  configuration.resolved = write_parameters(description);
  configuration.given = std::move(tree);
  // A file that gives every key is a resolved configuration. Its keys are not choices of the caller, so none of them
  // causes a warning about missing effect.
  const KeyPaths all = keys_of(configuration.resolved);
  if (std::includes(asked.begin(), asked.end(), all.begin(), all.end())) asked.clear();
  for (const auto& [path, value] : overrides) asked.merge(keys_of(value, {}, path));
  configuration.asked = std::move(asked);
  return configuration;
}

std::string_view type_name(SchemaNode::Kind kind) {
  constexpr std::array<std::string_view, 10> names = {"group",         "list of groups", "boolean", "integer",
                                                      "real",          "text",           "choice",  "choice",
                                                      "list of reals", "list of texts"};
  return names.at(static_cast<std::size_t>(kind));
}

ParameterRow row_of(const SchemaNode& node, const std::string& variant) {
  ParameterRow row;
  row.path = node.path;
  row.type = type_name(node.kind);
  row.unit = node.unit;
  row.standard = write_yaml(node.standard);
  row.standard.pop_back();
  row.range = node.range_text(false);
  row.meaning = node.meaning;
  row.variant = variant;
  return row;
}

// Adds a row for each parameter in the node. The parameters in a variant's group belong to that variant.
void add_rows(const SchemaNode& node, const std::string& outer_variant, std::vector<ParameterRow>& rows) {
  const std::string& variant = node.variant.empty() ? outer_variant : node.variant;
  if (!node.is_group()) rows.push_back(row_of(node, variant));
  for (const SchemaNode& child : node.children) add_rows(child, variant, rows);
}

std::string two_digits(double value) {
  std::ostringstream text;
  text << std::setprecision(2) << value;
  return text.str();
}

// Returns a warning if garbage collection has much less spare flash than the configured over-provisioning. This happens
// if planes have few blocks, or must keep many blocks free.
std::optional<std::string> spare_taken(const Configuration& configuration) {
  constexpr double most = 0.25;  // share of the over-provisioning
  const controller::ControllerParameters& p = configuration.parameters.controller;
  const double nominal = p.mapping.over_provisioning;
  const double effective = configuration.effective_over_provisioning();
  // The static part of an SLC cache is not spare flash, and its size is given.
  const double cached = p.slc_cache.static_percent / 100;
  if (effective >= (1 - most) * ((1 + nominal) * (1 - cached) - 1)) return std::nullopt;
  // Counts superblocks. With parity or with allocation over the layers, several flash blocks form one block of the
  // mapping.
  const std::uint32_t blocks =
      controller::flash_layout(p, geometry_of(configuration.parameters)).mapping().blocks_per_plane();
  return "controller.mapping.over_provisioning of " + two_digits(nominal) + " acts as " + two_digits(effective) +
         ": of the " + std::to_string(blocks) +
         " blocks of a plane, controller.garbage_collection.start_free_blocks (" +
         std::to_string(p.garbage_collection.start_free_blocks) + ") are kept free, " +
         (cached == 0 ? "" : "controller.slc_cache.static_percent of them belong to the SLC cache, ") +
         "and each stream of writes has one open; give the planes more blocks, or the drive more over-provisioning";
}

// Returns a warning if priority classes are given without effect. The priority class of a queue has an effect only with
// weighted arbitration, and with scheduling policies that separate the classes.
std::optional<std::string> classes_unread(const PlatformParameters& p) {
  if (p.host.nvme.arbitration != host::ArbitrationMechanism::round_robin) return std::nullopt;
  const auto given = std::ranges::find_if(
      p.host.workload, [](const auto& workload) { return workload.priority != host::WorkloadParameters{}.priority; });
  if (given == p.host.workload.end()) return std::nullopt;
  const controller::SchedulerParameters& scheduler = p.controller.scheduler;
  const auto policy = controller::scheduling_registry().make(scheduler.policy, geometry_of(p).dies());
  if (policy->separates_classes()) return std::nullopt;
  return "host.workload.priority does nothing, since host.nvme.arbitration is round_robin and "
         "controller.scheduler.policy is " +
         scheduler.policy.name;
}

}  // namespace

double Configuration::effective_over_provisioning() const {
  return capacity_plan_of(parameters).effective_over_provisioning();
}

std::vector<std::string> Configuration::warnings() const {
  // The checks were skipped for this configuration, and it cannot be simulated.
  if (!foreign_plugins.empty()) return {};
  std::vector<std::string> lines = ignored_keys(parameters, asked);
  if (std::optional<std::string> taken = spare_taken(*this)) lines.push_back(std::move(*taken));
  if (std::optional<std::string> unread = classes_unread(parameters)) lines.push_back(std::move(*unread));
  if (!cell_model_of(parameters.simulation)->has_errors()) return lines;
  if (std::optional<std::string> outside = outside_fitted_range(parameters.nand)) lines.push_back(std::move(*outside));
  return lines;
}

void Configuration::require_allowed_plugins() const {
  if (foreign_plugins.empty()) return;
  const auto& [key, file] = *foreign_plugins.begin();
  throw ConfigError(
      {file, 0}, key,
      "names the plug-in " + quotation(*resolved.at(key).text()) +
          ", whose code would run with your rights; a saved result or a checkpoint alone does not load it. "
          "If you trust it, allow it (--allow-plugins, in Python allow_plugins=True), or give "
          "the key yourself");
}

std::string Configuration::to_yaml() const { return write_yaml(resolved); }

Override parse_override(std::string_view assignment) {
  const SourceLocation source{"--set", 0};
  const std::size_t equals = assignment.find('=');
  const std::string path(assignment.substr(0, equals));
  if (equals == std::string_view::npos || path.empty()) {
    throw ConfigError(source, "", "expected key=value, as nand.timing.t_prog_us=650, got " + quotation(assignment));
  }
  if (path.front() == '.' || path.back() == '.' || path.find("..") != std::string::npos) {
    throw ConfigError(source, path, "a part of the path is empty");
  }
  return {path, read_yaml(std::string(assignment.substr(equals + 1)), source)};
}

Configuration load_configuration(const std::string& name_or_path, const std::vector<Override>& overrides,
                                 const VariantObjects& objects, PluginTrust trust) {
  ConfigurationFiles files;
  Value tree = read_configuration_file(name_or_path, platform_schema(), files);
  if (trust == PluginTrust::results) files.results.clear();
  const std::vector<std::pair<std::string, std::string>> presets = list_presets();
  const bool preset = std::ranges::any_of(presets, [&](const auto& entry) { return entry.first == name_or_path; });
  KeyPaths asked = preset ? KeyPaths() : keys_of(tree, name_or_path);
  return check_and_resolve(std::move(tree), overrides, std::move(asked), objects,
                           trust == PluginTrust::overrides ? files.all : files.results);
}

Configuration resolve_configuration(const Value& tree, const std::vector<Override>& overrides,
                                    const VariantObjects& objects, const ForeignPlugins& foreign) {
  Value extended = tree;
  ConfigurationFiles files;
  extend_tree(extended, platform_schema(), files);
  mark_foreign_plugins(extended, foreign);
  for (const auto& [key, file] : foreign) files.results.insert(file);
  KeyPaths asked = keys_of(tree);
  asked.erase("extends");
  return check_and_resolve(std::move(extended), overrides, std::move(asked), objects, files.results);
}

Configuration override_configuration(const Configuration& configuration, const std::vector<Override>& overrides,
                                     VariantObjects objects, bool allow_plugins) {
  objects.insert(configuration.objects.begin(), configuration.objects.end());
  Value tree = configuration.resolved;
  std::set<std::string> files;
  if (!allow_plugins) {
    mark_foreign_plugins(tree, configuration.foreign_plugins);
    for (const auto& [key, file] : configuration.foreign_plugins) files.insert(file);
  }
  return check_and_resolve(std::move(tree), overrides, configuration.asked, objects, files);
}

std::vector<ParameterRow> list_parameters() {
  std::vector<ParameterRow> rows;
  add_rows(platform_schema(), {}, rows);
  return rows;
}

Value configuration_json_schema() { return json_schema(platform_schema()); }

}  // namespace nandscape
