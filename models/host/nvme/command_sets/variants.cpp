// SPDX-License-Identifier: Apache-2.0
// A new command set adds its files to this folder, and its declaration and registration here.
#include "host/nvme/command_set.h"

namespace nandscape::host {

void register_nvm(CommandSets& registry);

CommandSets& command_sets() {
  static CommandSets registry("host.nvme.command_set", [](CommandSets& r) { register_nvm(r); });
  return registry;
}

}  // namespace nandscape::host
