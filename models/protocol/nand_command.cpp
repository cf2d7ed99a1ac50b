// SPDX-License-Identifier: Apache-2.0
#include "protocol/nand_command.h"

namespace nandscape {

std::string to_string(NandOperation operation) {
  switch (operation) {
    case NandOperation::read: return "read";
    case NandOperation::program: return "program";
    case NandOperation::erase: return "erase";
    case NandOperation::suspend: return "suspend";
    case NandOperation::resume: return "resume";
  }
  return "?";
}

std::string to_string(const NandCommand& command) {
  std::string text = to_string(command.operation) + " die " + std::to_string(command.die) + " plane " +
                     std::to_string(command.plane) + " block " + std::to_string(command.block) + " page " +
                     std::to_string(command.page);
  if (command.more_planes) text += " (queued)";
  if (command.cache) text += " (cache)";
  return text;
}

}  // namespace nandscape
