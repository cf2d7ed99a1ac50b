// SPDX-License-Identifier: Apache-2.0
// From YAML to resolved parameters: read, extend, override, check, resolve.
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

// A configuration that was read and checked; it does not change any more.
struct Configuration {
  PlatformParameters parameters;
  // Every key with the value in force, in the order of the schema: loading it again gives the same configuration.
  Value resolved;
  // What was given, with the place of every value, for messages about it.
  Value given;
  // Keys that whoever asked for the configuration gave by himself: not those of presets, nor of what a file extends.
  KeyPaths asked;
  // The objects that stand in the place of variants.
  VariantObjects objects;
  // Plug-ins that are not allowed, by whose word they are named. Where there are any, the checks of
  // check_configuration(), which ask plug-ins, are left out, and no simulation is made of it.
  ForeignPlugins foreign_plugins;

  // Throws ConfigError where there are such plug-ins.
  void require_allowed_plugins() const;

  // A line for each choice that keeps such keys from being read, one where free and open blocks take more than a
  // quarter of the over-provisioning, and one where the condition of the flash lies outside of what its cells were
  // fitted to.
  std::vector<std::string> warnings() const;

  // Over-provisioning as garbage collection finds it (CapacityPlan).
  double effective_over_provisioning() const;

  std::string to_yaml() const;
};

// An override: the dotted path of a key and its value ("nand.condition.pe_cycles", 2000). Its value's `source` says
// where it was given.
using Override = std::pair<std::string, Value>;

// Parses "nand.timing.t_prog_us=650"; the right side is read as YAML.
Override parse_override(std::string_view assignment);

// Whose word is enough to load a plug-in: that of overrides alone, as for what only looks at a file; that of a file of
// the user's as well; or that of saved results, too.
enum class PluginTrust { overrides, files, results };

// Reads the named preset, or the YAML file when `name_or_path` names one that exists. `extends:` in a file names
// another preset or a file beside it. `objects` are those that overrides (or the tree) name. Throws ConfigError.
Configuration load_configuration(const std::string& name_or_path, const std::vector<Override>& overrides = {},
                                 const VariantObjects& objects = {}, PluginTrust trust = PluginTrust::files);
// The same for a tree of values, as Python gives it; `foreign` tells which of its plug-ins are not allowed.
Configuration resolve_configuration(const Value& tree, const std::vector<Override>& overrides = {},
                                    const VariantObjects& objects = {}, const ForeignPlugins& foreign = {});
// Another one with some keys changed. Its foreign plug-ins stay so unless they are allowed.
Configuration override_configuration(const Configuration& configuration, const std::vector<Override>& overrides,
                                     VariantObjects objects = {}, bool allow_plugins = false);

// Names of the presets that come with nandscape, each with the first comment line of its file.
std::vector<std::pair<std::string, std::string>> list_presets();
// Where presets are looked for: the folder of the sources, or the one beside the installed Python package.
void set_preset_folder(std::filesystem::path folder);

// The same of cell sets, which `nand.cells.set` names.
std::vector<std::pair<std::string, std::string>> list_cell_sets();
void set_cell_set_folder(std::filesystem::path folder);

// And of the profiles of workloads, which `host.workload.profile` names: those of each kind of workload that has some.
struct WorkloadProfile {
  std::string kind;
  std::string name;
  std::string comment;
};
std::vector<WorkloadProfile> list_workload_profiles();
// The keys of a profile's file as they stand there, checked: an integer where a whole number is written. Throws
// ConfigError.
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
  std::string variant;  // the variant it belongs to, "greedy"; empty for parameters that are always there
};
std::vector<ParameterRow> list_parameters();

// JSON Schema (draft 2020-12) of a configuration file, for editors.
Value configuration_json_schema();

}  // namespace nandscape
