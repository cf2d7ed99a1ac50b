// SPDX-License-Identifier: Apache-2.0
// To add a command set, put its files into this folder, and declare and register it here.
#include "host/nvme/command_set.h"

namespace nandscape::host {

void register_nvm(CommandSets& registry);

CommandSets& command_sets() {
  static CommandSets registry("host.nvme.command_set", [](CommandSets& r) { register_nvm(r); });
  return registry;
}

}  // namespace nandscape::host
