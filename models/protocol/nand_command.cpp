// SPDX-License-Identifier: Apache-2.0
#include "protocol/nand_command.h"

#include <bit>

namespace nandscape {

std::string to_string(NandOperation operation) {
  switch (operation) {
    case NandOperation::read: return "read";
    case NandOperation::program: return "program";
    case NandOperation::erase: return "erase";
    case NandOperation::suspend: return "suspend";
    case NandOperation::resume: return "resume";
    case NandOperation::reset: return "reset";
    case NandOperation::set_feature: return "set_feature";
    case NandOperation::get_feature: return "get_feature";
    case NandOperation::read_parameter_page: return "read_parameter_page";
    case NandOperation::copyback_read: return "copyback_read";
    case NandOperation::copyback_program: return "copyback_program";
    case NandOperation::adjust_voltage: return "adjust_voltage";
  }
  return "?";
}

namespace {
std::string subpages_text(std::uint32_t subpages) {
  std::string text = std::has_single_bit(subpages) ? " subpage" : " subpages";
  for (std::uint32_t k = 0; subpages >> k != 0; ++k) {
    if ((subpages >> k & 1) != 0) text += " " + std::to_string(k);
  }
  return text;
}
}  // namespace

std::string to_string(const NandCommand& command) {
  std::string text = to_string(command.operation) + " die " + std::to_string(command.die.value);
  switch (command.operation) {
    case NandOperation::reset:
    case NandOperation::read_parameter_page: return text;
    case NandOperation::set_feature:
    case NandOperation::get_feature: return text + " feature " + std::to_string(command.feature);
    default: break;
  }
  text += " plane " + std::to_string(command.plane.value) + " block " + std::to_string(command.block.value) + " page " +
          std::to_string(command.page);
  if (command.single_operation) text += subpages_text(command.subpages);
  if (command.sensing_levels != 1) text += " (" + std::to_string(command.sensing_levels) + " sensing levels)";
  if (command.mode == ProgramMode::slc) text += " (slc)";
  if (command.pass == ProgramPass::again) text += " (second pass)";
  if (command.more_planes) text += " (queued)";
  if (command.cache) text += " (cache)";
  return text;
}

}  // namespace nandscape
