// SPDX-License-Identifier: Apache-2.0
// The parts that the flash translation layer needs for single-operation subpage reads (SOML), if they are configured:
// the grouping of reads for the scheduler, and the coordination of grouped reads for the page reader.
#pragma once

#include <memory>

#include "controller/flash_ops/flash_io.h"
#include "controller/reading/page_read.h"
#include "controller/subpages/subpage_grouping.h"

namespace nandscape::controller {

class Subpages {
 public:
  Subpages(const SubpageParameters& parameters, const SchedulerParameters& scheduler, std::uint32_t page_bytes)
      : reads_(parameters.reads), grouping_(parameters, scheduler, page_bytes) {}

  // Returns the grouping, or null if reads are not grouped.
  const ReadGrouping* grouping() const { return reads_ == SubpageReads::none ? nullptr : &grouping_; }
  // Creates the coordination of grouped reads. Returns null if none is needed: for ungrouped reads, and for `srs` if
  // retries lock their die, because a retry that locks its die is sent alone.
  std::unique_ptr<GroupedReads> make_reads(bool retries_lock_die, FlashIo& io, FlashScheduler& scheduler,
                                           const FtlGeometry& mapping, std::uint32_t layers) const;

 private:
  const SubpageReads reads_;
  const SubpageGrouping grouping_;
};

}  // namespace nandscape::controller
