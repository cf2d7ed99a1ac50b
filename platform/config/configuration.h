// SPDX-License-Identifier: Apache-2.0
// Loads a configuration: reads YAML, merges the files that it extends, applies overrides, checks the values, and
// resolves all keys.
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
  // All keys with their values, in the order of the schema. Loading this tree again gives the same configuration.
  Value resolved;
  // The keys that were given, with the source location of each value for messages.
  Value given;
  // The keys that the caller gave. Keys of presets are not included, and neither are keys of files that the caller's
  // file extends.
  KeyPaths asked;
  // Objects that are used in place of registered variants, such as policies written in Python.
  VariantObjects objects;
  // Plug-ins that may not be loaded: key -> file that names the plug-in. If there are any, check_configuration() is
  // skipped, since it would run plug-ins, and the configuration cannot be simulated.
  ForeignPlugins foreign_plugins;

  // Throws ConfigError if `foreign_plugins` is not empty.
  void require_allowed_plugins() const;

  // Returns a line for each choice because of which given keys have no effect, and for a queue priority without effect.
  // Adds a line if free and open blocks occupy more than a quarter of the over-provisioning, and if the condition of
  // the flash is outside the range to which its cells were fitted.
  std::vector<std::string> warnings() const;

  // Returns the over-provisioning that garbage collection can use (CapacityPlan).
  double effective_over_provisioning() const;

  std::string to_yaml() const;
};

// An override: the dotted path of a key and its new value, for example ("nand.condition.pe_cycles", 2000). The `source`
// of the value says where the override was given.
using Override = std::pair<std::string, Value>;

// Parses an assignment such as "nand.timing.t_prog_us=650", whose right side is YAML.
Override parse_override(std::string_view assignment);

// The sources that may cause a plug-in to be loaded. `overrides` allows only plug-ins named by overrides, for commands
// that only inspect a file. `files` also allows the user's configuration files, and `results` also allows saved
// results.
enum class PluginTrust { overrides, files, results };

// Reads the named preset, or a YAML file if `name_or_path` is an existing file. The key `extends` in a file names a
// preset or another file, relative to the file. `objects` are the objects that the overrides (or the tree) refer to by
// name. Throws ConfigError for invalid keys or values.
Configuration load_configuration(const std::string& name_or_path, const std::vector<Override>& overrides = {},
                                 const VariantObjects& objects = {}, PluginTrust trust = PluginTrust::files);
// Does the same for a tree of values from Python. `foreign` lists the plug-ins of the tree that may not be loaded.
Configuration resolve_configuration(const Value& tree, const std::vector<Override>& overrides = {},
                                    const VariantObjects& objects = {}, const ForeignPlugins& foreign = {});
// Returns a copy of the configuration with some keys changed. Its foreign plug-ins stay foreign unless `allow_plugins`
// is true.
Configuration override_configuration(const Configuration& configuration, const std::vector<Override>& overrides,
                                     VariantObjects objects = {}, bool allow_plugins = false);

// Returns the names of the shipped presets, each with the first comment line of its file.
std::vector<std::pair<std::string, std::string>> list_presets();
// Sets the folder of the presets. By default, it is the folder in the source tree. The installed Python package sets
// the folder to its own copy.
void set_preset_folder(std::filesystem::path folder);

// The same functions for cell sets, which are the possible values of `nand.cells.set`.
std::vector<std::pair<std::string, std::string>> list_cell_sets();
void set_cell_set_folder(std::filesystem::path folder);

// The same functions for workload profiles, which are the possible values of `host.workload.profile`. Only some kinds
// of workload have profiles.
struct WorkloadProfile {
  std::string kind;
  std::string name;
  std::string comment;
};
std::vector<WorkloadProfile> list_workload_profiles();
// Returns the checked keys of a profile's file with the types that the values have in the file: a real number written
// without a fraction is an integer. Throws ConfigError for an unknown profile or an invalid file.
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
  std::string variant;  // the variant to which the parameter belongs, for example "greedy"; empty if there is none
};
std::vector<ParameterRow> list_parameters();

// Returns the JSON Schema (draft 2020-12) of a configuration file, with which editors can check such files.
Value configuration_json_schema();

}  // namespace nandscape
