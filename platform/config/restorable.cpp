// SPDX-License-Identifier: Apache-2.0
#include "platform/config/restorable.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/error.h"
#include "platform/config/configuration_checks.h"
#include "platform/config/yaml_writer.h"

namespace nandscape {

namespace {

// Groups and keys that affect the drive's future behaviour, but not the meaning of its state.
constexpr std::array<std::string_view, 15> free_to_change = {
    "host",
    "simulation.request_log",
    "simulation.breakdown",
    "simulation.quantum_us",
    "simulation.check_protocol",
    "controller.mapping.plane",
    "controller.mapping.write_coalescing_us",
    "controller.scheduler",
    "controller.subpages",
    "controller.garbage_collection",
    "controller.read_retry",
    "controller.power_loss",
    "controller.firmware",
    "controller.cache",
    "controller.dram",
};

// The exception: the initial fill of the drive depends on it.
constexpr std::string_view fixed = "controller.garbage_collection.start_free_blocks";

bool may_differ(const std::string& path) {
  if (path == fixed) return false;
  if (fixed.starts_with(path + ".")) return false;  // a group: its keys are compared one by one
  return std::any_of(free_to_change.begin(), free_to_change.end(), [&](std::string_view free) {
    return path == free || (path.starts_with(free) && path[free.size()] == '.');
  });
}

void compare(const Value& saved, const Value& resolved, const std::string& path, const Value& given) {
  if (may_differ(path) || saved == resolved) return;
  if (saved.map_items() != nullptr && resolved.map_items() != nullptr) {
    const auto inner = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
    for (const auto& [key, value] : *saved.map_items()) {
      const Value* now = resolved.find(key);
      compare(value, now == nullptr ? Value() : *now, inner(key), given);
    }
    for (const auto& [key, value] : *resolved.map_items()) {
      if (saved.find(key) == nullptr) compare(Value(), value, inner(key), given);
    }
    return;
  }
  std::string before = write_yaml(saved);
  before.pop_back();
  throw ConfigError(source_of(given, path), path,
                    "the state of the checkpoint depends on this key, and was saved with " + before +
                        "; keep this value (workloads and policies may change)");
}

}  // namespace

void check_restorable(const Value& saved, const Value& resolved, const Value& given) {
  compare(saved, resolved, "", given);
}

}  // namespace nandscape
