// SPDX-License-Identifier: Apache-2.0
#include "controller/subpages/subpage_rounds.h"

namespace nandscape::controller {

void SubpageRounds::gathered(std::span<FlashOp* const> group) {
  std::uint8_t levels = 1;
  for (const FlashOp* read : group) levels = std::max(levels, read->command.sensing_levels);
  for (FlashOp* member : group) {
    if (static_cast<GroupedRead*>(member)->reads_hard) continue;
    auto& read = static_cast<PageRead&>(*member);
    while (read.command.sensing_levels < levels) {
      const std::optional<ReadStep> step = read.next_step();
      if (!step || step->retry_step != read.command.retry_step) break;
      if (step->sensing_levels <= read.command.sensing_levels) break;
      read.recovery_stage = retry_stage(step->sensing_levels);
      ++read.tried;
      io_.set_sensing_levels(read, step->sensing_levels, read.command.earlier_levels);
    }
  }
}

}  // namespace nandscape::controller
