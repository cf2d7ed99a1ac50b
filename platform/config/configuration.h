// SPDX-License-Identifier: Apache-2.0
// Loads a configuration: reads YAML, merges what it extends, applies overrides, checks, and resolves all keys.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/value.h"
#include "platform/config/ignored_keys.h"
#include "platform/config/parameters.h"
#include "platform/config/plugin_paths.h"
#include "platform/config/variant_objects.h"

namespace nandscape {

// A checked configuration. It does not change after loading.
struct Configuration {
  PlatformParameters parameters;
  // Every key with the value in force, in the order of the schema: loading it again gives the same configuration.
  Value resolved;
  // The given keys, with the source location of each value for messages.
  Value given;
  // Keys that the caller gave: not the keys of presets, nor of files that the caller's file extends.
  KeyPaths asked;
  // Objects used in place of registered variants.
  VariantObjects objects;
  // Plug-ins that are not allowed: key -> file that names the plug-in. If there are any, check_configuration() is
  // skipped, since it runs plug-ins, and the configuration cannot be simulated.
  ForeignPlugins foreign_plugins;

  // Throws ConfigError if there are such plug-ins.
  void require_allowed_plugins() const;

  // Returns a line for each choice that leaves given keys without effect, and for a queue priority without effect. Adds
  // a line if free and open blocks take more than a quarter of the over-provisioning, and if the condition of the flash
  // is outside the range that its cells were fitted to.
  std::vector<std::string> warnings() const;

  // Over-provisioning that garbage collection can use (CapacityPlan).
  double effective_over_provisioning() const;

  std::string to_yaml() const;
};

// An override: the dotted path of a key and its value, for example ("nand.condition.pe_cycles", 2000). The value's
// `source` is where it was given.
using Override = std::pair<std::string, Value>;

// Parses "nand.timing.t_prog_us=650"; the right side is YAML.
Override parse_override(std::string_view assignment);

// The sources from which plug-ins may be loaded. `overrides` is for commands that only inspect a file; `files` adds the
// user's files, and `results` adds saved results, too.
enum class PluginTrust { overrides, files, results };

// Reads the named preset, or the YAML file if `name_or_path` is an existing file. `extends:` in a file names a preset
// or a file relative to it. `objects` are the objects that overrides (or the tree) name. Throws ConfigError.
Configuration load_configuration(const std::string& name_or_path, const std::vector<Override>& overrides = {},
                                 const VariantObjects& objects = {}, PluginTrust trust = PluginTrust::files);
// The same for a tree of values from Python. `foreign` lists the plug-ins of the tree that are not allowed.
Configuration resolve_configuration(const Value& tree, const std::vector<Override>& overrides = {},
                                    const VariantObjects& objects = {}, const ForeignPlugins& foreign = {});
// A copy of the configuration with some keys changed. Its foreign plug-ins stay foreign unless `allow_plugins` is set.
Configuration override_configuration(const Configuration& configuration, const std::vector<Override>& overrides,
                                     VariantObjects objects = {}, bool allow_plugins = false);

// Names of the shipped presets, each with the first comment line of its file.
std::vector<std::pair<std::string, std::string>> list_presets();
// Sets the folder of presets. The default is the source folder; the installed Python package sets its own.
void set_preset_folder(std::filesystem::path folder);

// The same for cell sets, which `nand.cells.set` names.
std::vector<std::pair<std::string, std::string>> list_cell_sets();
void set_cell_set_folder(std::filesystem::path folder);

// The same for workload profiles, which `host.workload.profile` names; only some kinds of workload have profiles.
struct WorkloadProfile {
  std::string kind;
  std::string name;
  std::string comment;
};
std::vector<WorkloadProfile> list_workload_profiles();
// The checked keys of a profile's file, with the types that they have in the file: a real written without a fraction is
// an integer. Throws ConfigError.
Value workload_profile(const std::string& kind, const std::string& name);
void set_workload_profile_folder(const std::filesystem::path& folder);

// One parameter of the schema.
struct ParameterRow {
  std::string path;  // "nand.timing.t_prog_us"
  std::string type;  // "real", "integer", "boolean", "text", "choice", "list of reals", "list of texts"
  std::string unit;
  std::string standard;  // the default, as YAML
  std::string range;     // "0 .. 1000000", "fifo | out_of_order"
  std::string meaning;
  std::string variant;  // the variant that the parameter belongs to, for example "greedy"; empty: none
};
std::vector<ParameterRow> list_parameters();

// JSON Schema (draft 2020-12) of a configuration file, for editors.
Value configuration_json_schema();

}  // namespace nandscape
