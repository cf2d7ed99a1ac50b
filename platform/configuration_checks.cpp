// SPDX-License-Identifier: Apache-2.0
#include "platform/configuration_checks.h"

#include <algorithm>
#include <string_view>

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

void check_configuration(const PlatformParameters& parameters, const Value& tree) {
  ConfigErrors errors;
  for (const FlashDeviceCheck check : flash_device_checks()) {
    try {
      check(parameters);
    } catch (const ConfigError& error) {
      errors.add(source_of(tree, error.path()), error.path(), error.complaint());
    }
  }
  errors.throw_if_any();
}

}  // namespace nandscape
