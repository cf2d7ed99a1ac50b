// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/block_guarantees.h"

#include "controller/writing/write_mode.h"

namespace nandscape::controller {

void describe(const GuaranteeCounters& c, StatisticsVisitor& v) {
  v.level("blocks", c.blocks, "superblocks with valid data that last for a limited time, now");
  v.level("oldest_hours", c.oldest_hours, "hours", "time since the first of these was opened, counted at 30 C");
  v.count("reprogrammed_blocks", c.reprogrammed_blocks, "superblocks emptied before the time of their data was over");
  v.count("reprogrammed_pages", c.reprogrammed_pages, "pages with valid data that these had");
  v.count("reprogrammed_bytes", c.reprogrammed_bytes, "bytes of these that were valid, written anew in the background");
  v.level("longest_hours", c.longest_hours, "hours",
          "the longest time from the opening of one of them to its erase, counted at 30 C");
}

std::unique_ptr<BlockGuarantees> WriteModePolicy::make_guarantees(const GuaranteeContext&) { return nullptr; }

}  // namespace nandscape::controller
