// SPDX-License-Identifier: Apache-2.0
// Reads of subpages in one operation (SOML), as the translation layer has them where they are chosen: what they add to
// the scheduler and to the reader.
#pragma once

#include <memory>

#include "controller/flash_ops/flash_io.h"
#include "controller/reading/grouped_reads.h"
#include "controller/subpages/parameters.h"
#include "controller/subpages/subpage_grouping.h"

namespace nandscape::controller {

class Subpages {
 public:
  Subpages(const SubpageParameters& parameters, const SchedulerParameters& scheduler, std::uint32_t page_bytes)
      : reads_(parameters.reads), grouping_(parameters, scheduler, page_bytes) {}

  // Null where each read goes by itself.
  const ReadGrouping* grouping() const { return reads_ == SubpageReads::none ? nullptr : &grouping_; }
  // Null where nothing is done for them together. Retries that have their die to themselves go alone.
  std::unique_ptr<GroupedReads> make_reads(bool retries_lock_die, FlashIo& io, FlashScheduler& scheduler,
                                           const FtlGeometry& mapping) const;

 private:
  const SubpageReads reads_;
  const SubpageGrouping grouping_;
};

}  // namespace nandscape::controller
