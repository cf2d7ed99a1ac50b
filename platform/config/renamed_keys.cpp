// SPDX-License-Identifier: Apache-2.0
#include "platform/config/renamed_keys.h"

namespace nandscape {

std::span<const RenamedKey> renamed_keys() {
  static constexpr RenamedKey renamed[] = {
      {"controller.write_step_ratio", "controller.write_mode.step_ratio"},
  };
  return renamed;
}

std::string new_name_of(std::string_view old_path) {
  for (const RenamedKey& key : renamed_keys()) {
    if (key.old_path == old_path) return std::string(key.new_path);
  }
  return "";
}

std::string keys_for_value(std::string_view path, std::string_view value) {
  struct ReplacedValue {
    std::string_view path;
    std::string_view value;
    std::string_view keys;
  };
  static constexpr ReplacedValue replaced[] = {
      {"controller.read_retry.policy", "pr2", "controller.read_retry.pipelined: true"},
      {"controller.read_retry.policy", "ar2", "controller.read_retry.adaptive: true"},
      {"controller.read_retry.policy", "pnar2",
       "controller.read_retry.pipelined: true and controller.read_retry.adaptive: true"},
      {"controller.write_mode", "normal",
       "controller.write_mode.kept_weeks: 0 and controller.write_mode.by_content: false"},
      {"controller.write_mode", "cdber", "controller.write_mode.by_content: true"},
      {"controller.write_mode", "rr_10week",
       "controller.write_mode.kept_weeks: 10 and controller.write_mode.step_ratio: 1.86"},
      {"controller.write_mode", "rr_2week",
       "controller.write_mode.kept_weeks: 2 and controller.write_mode.step_ratio: 2.33"},
      {"controller.write_mode", "cdber_rr_10week",
       "controller.write_mode.by_content: true, controller.write_mode.kept_weeks: 10 and "
       "controller.write_mode.step_ratio: 1.86"},
      {"controller.write_mode", "cdber_rr_2week",
       "controller.write_mode.by_content: true, controller.write_mode.kept_weeks: 2 and "
       "controller.write_mode.step_ratio: 2.33"},
  };
  for (const ReplacedValue& one : replaced) {
    if (one.path == path && one.value == value) return std::string(one.keys);
  }
  return "";
}

}  // namespace nandscape
