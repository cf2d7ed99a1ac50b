// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/block_guarantees.h"

#include "controller/writing/write_mode.h"

namespace nandscape::controller {

void describe(const GuaranteeCounters& c, StatisticsVisitor& v) {
  v.level("blocks", c.blocks, "superblocks that now hold valid data with a limited lifetime");
  v.level("oldest_hours", c.oldest_hours, "hours",
          "time since the first of these superblocks was opened, in equivalent hours at 30 C");
  v.count("reprogrammed_blocks", c.reprogrammed_blocks, "superblocks emptied before their data expired");
  v.count("reprogrammed_pages", c.reprogrammed_pages, "pages with valid data in these superblocks");
  v.count("reprogrammed_bytes", c.reprogrammed_bytes, "valid bytes of these pages, written again in the background");
  v.level("longest_hours", c.longest_hours, "hours",
          "longest time from opening such a superblock to its erase, in equivalent hours at 30 C");
}

std::unique_ptr<BlockGuarantees> WriteModePolicy::make_guarantees(const GuaranteeContext&) { return nullptr; }

}  // namespace nandscape::controller
