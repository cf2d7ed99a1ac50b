// SPDX-License-Identifier: Apache-2.0
// Which reads go together, as one operation of a die (SOML; Nie et al., sections II-A and III-A):
//
//   who            reads of the die that share neither bitlines nor block decoders. Each plane has its own of both. A
//                  read takes the bitlines of all the subpages in which its bytes lie, and joins as a whole.
//   in what order  the oldest is the main read. Others of its command come first, so that what is asked for with it is
//                  there together; then those that are likely to be decoded at the same read of their pages.
//
// `controller.subpages.reads` turns it on, `controller.subpages.most_per_operation` limits the subpages. Where
// `controller.scheduler.multi_plane` is off, all are of one plane.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/flash_ops/scheduler/parameters.h"
#include "controller/flash_ops/scheduler/read_grouping.h"
#include "controller/subpages/parameters.h"
#include "protocol/nand_command.h"

namespace nandscape::controller {

class SubpageGrouping final : public ReadGrouping {
 public:
  SubpageGrouping(const SubpageParameters& parameters, const SchedulerParameters& scheduler, std::uint32_t page_bytes)
      : locks_die_(parameters.reads == SubpageReads::soml),
        most_(parameters.most_per_operation),
        across_planes_(scheduler.multi_plane),
        whole_pages_(!scheduler.cache_read),
        subpage_bytes_(page_bytes / subpages_per_page) {}

  // Whole pages go as cache reads where there are any.
  bool takes(const FlashOp& read) const override;
  bool fit(const FlashOp& one, const FlashOp& other) const override;
  bool locks_die() const override { return locks_die_; }
  void gather(FlashOp& first, OpQueue& queue, std::vector<FlashOp*>& group, Tick now) const override;

 private:
  // Those of its page that the read takes, bit k for the k-th.
  std::uint8_t subpages_of(const NandCommand& read) const;
  bool too_many(const std::vector<FlashOp*>& group, const FlashOp& read) const;
  bool may_join(const std::vector<FlashOp*>& group, const FlashOp& read) const;
  FlashOp* take_partner(const std::vector<FlashOp*>& group, OpQueue& queue) const;
  void add(std::vector<FlashOp*>& group, FlashOp& read) const;

  const bool locks_die_;
  const std::uint32_t most_;  // subpages of an operation; 0: any number
  const bool across_planes_;
  const bool whole_pages_;
  const std::uint32_t subpage_bytes_;
};

}  // namespace nandscape::controller
