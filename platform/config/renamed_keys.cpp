// SPDX-License-Identifier: Apache-2.0
#include "platform/config/renamed_keys.h"

namespace nandscape {

std::span<const RenamedKey> renamed_keys() {
  static constexpr RenamedKey renamed[] = {
      {"controller.mapping.fullpage_allocation", "controller.fullpages.allocation"},
      {"controller.mapping.fullpage_layer_groups", "controller.fullpages.layer_groups"},
      {"controller.mapping.fullpage_wait_ms", "controller.fullpages.wait_ms"},
      {"controller.precondition.fullpage_percent", "controller.fullpages.precondition_percent"},
      {"controller.scheduler.subpage_reads", "controller.subpages.reads"},
      {"ecc.borrowed_parity_bytes", "controller.fullpages.borrowed_parity_bytes"},
  };
  return renamed;
}

std::string new_name_of(std::string_view old_path) {
  for (const RenamedKey& key : renamed_keys()) {
    if (key.old_path == old_path) return std::string(key.new_path);
  }
  return "";
}

}  // namespace nandscape
