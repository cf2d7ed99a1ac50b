// SPDX-License-Identifier: Apache-2.0
#include "platform/configuration_checks.h"

#include <algorithm>
#include <string_view>

#include "nand/coding/coding.h"
#include "platform/config_errors.h"
#include "platform/flash_device_parameters.h"

namespace nandscape {

SourceLocation source_of(const Value& tree, const std::string& path) {
  SourceLocation source = tree.source;
  const Value* value = &tree;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    value = value->find(std::string_view(path).substr(begin, end - begin));
    if (value == nullptr) break;
    source = value->source;
    begin = end + 1;
  }
  return source;
}

namespace {

// Ideal cells have no constants that could misfit the coding, unless the time to program them comes from there.
void check_cells(const PlatformParameters& p) {
  if (p.simulation.cells == CellFidelity::ideal && p.nand.timing.program == ProgramTime::given) return;
  check(p.nand.cells, coding_named(p.nand.coding).states());
}

}  // namespace

void check_configuration(const PlatformParameters& parameters, const Value& tree) {
  ConfigErrors errors;
  const auto run = [&](const auto& one_check) {
    try {
      one_check(parameters);
    } catch (const ConfigError& error) {
      errors.add(source_of(tree, error.path()), error.path(), error.complaint());
    }
  };
  for (const FlashDeviceCheck one_check : flash_device_checks()) run(one_check);
  run(check_cells);
  errors.throw_if_any();
}

}  // namespace nandscape
