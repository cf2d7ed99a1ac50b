// SPDX-License-Identifier: Apache-2.0
// The parts of single-operation subpage reads (SOML) that the translation layer uses if they are configured: grouping
// for the scheduler, and coordination for the reader.
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

  // Null if reads are not grouped.
  const ReadGrouping* grouping() const { return reads_ == SubpageReads::none ? nullptr : &grouping_; }
  // Null if grouped reads need no coordination. Retries that lock their die are sent alone.
  std::unique_ptr<GroupedReads> make_reads(bool retries_lock_die, FlashIo& io, FlashScheduler& scheduler,
                                           const FtlGeometry& mapping, std::uint32_t layers) const;

 private:
  const SubpageReads reads_;
  const SubpageGrouping grouping_;
};

}  // namespace nandscape::controller
