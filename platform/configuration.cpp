// SPDX-License-Identifier: Apache-2.0
#include "platform/configuration.h"

#include <array>

#include "core/message_text.h"
#include "platform/cell_sets.h"
#include "platform/configuration_checks.h"
#include "platform/json_schema.h"
#include "platform/parameter_reader.h"
#include "platform/parameter_writer.h"
#include "platform/presets.h"
#include "platform/schema.h"
#include "platform/tree_merge.h"
#include "platform/workload_profiles.h"
#include "platform/yaml_reader.h"
#include "platform/yaml_writer.h"

namespace nandscape {

namespace {

const SchemaNode& platform_schema() {
  static const SchemaNode schema = schema_of<PlatformParameters>();
  return schema;
}

Configuration check_and_resolve(Value tree, const std::vector<Override>& overrides) {
  check_overrides(overrides);
  for (const auto& [path, value] : overrides) {
    leave_cell_set(tree, tree_at(path, value));
    leave_workload_profiles(tree, tree_at(path, value));
  }
  apply_overrides(tree, overrides, platform_schema());
  lay_cell_set(tree, platform_schema());
  lay_workload_profiles(tree, platform_schema());
  Configuration configuration;
  PlatformParameters& parameters = configuration.parameters;
  const auto description = [&parameters](ParameterVisitor& visitor) { describe(parameters, visitor); };
  read_parameters(tree, description, platform_schema());
  check_configuration(parameters, tree);
  configuration.resolved = write_parameters(description);
  configuration.given = std::move(tree);
  return configuration;
}

std::string_view type_name(SchemaNode::Kind kind) {
  constexpr std::array<std::string_view, 9> names = {"group", "list of groups", "boolean", "integer",      "real",
                                                     "text",  "choice",         "choice",  "list of reals"};
  return names.at(static_cast<std::size_t>(kind));
}

ParameterRow row_of(const SchemaNode& node) {
  ParameterRow row;
  row.path = node.path;
  row.type = type_name(node.kind);
  row.unit = node.unit;
  row.standard = write_yaml(node.standard);
  row.standard.pop_back();
  row.range = node.range_text(false);
  row.meaning = node.meaning;
  row.variant = node.variant;
  return row;
}

}  // namespace

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

Configuration load_configuration(const std::string& name_or_path, const std::vector<Override>& overrides) {
  return check_and_resolve(read_configuration_file(name_or_path, platform_schema()), overrides);
}

Configuration resolve_configuration(const Value& tree, const std::vector<Override>& overrides) {
  Value extended = tree;
  extend_tree(extended, platform_schema());
  return check_and_resolve(std::move(extended), overrides);
}

std::vector<ParameterRow> list_parameters() {
  std::vector<ParameterRow> rows;
  for_each_node(platform_schema(), [&](const SchemaNode& node) {
    if (!node.is_group()) rows.push_back(row_of(node));
  });
  return rows;
}

Value configuration_json_schema() { return json_schema(platform_schema()); }

}  // namespace nandscape
