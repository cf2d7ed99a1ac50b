// SPDX-License-Identifier: Apache-2.0
// Selects the reads that form one operation of a die (SOML; Nie et al., sections II-A and III-A):
//
//   members  reads of the die that share neither bitlines nor block decoders. Each plane has its own of both. A read
//            takes the bitlines of all subpages that contain its bytes, and joins as a whole.
//   order    the oldest is the main read. Other reads of its host command come next, so that the command completes
//            together; then reads that are likely to be decoded after about as many attempts.
//
// `controller.subpages.reads` turns grouping on, and `controller.subpages.most_per_operation` limits the subpages of an
// operation. If `controller.scheduler.multi_plane` is off, all reads of an operation are on one plane.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/flash_ops/scheduler/die_queues.h"
#include "controller/flash_ops/scheduler/scheduling_policy.h"
#include "core/parameters.h"
#include "protocol/nand_command.h"

namespace nandscape::controller {

// Configuration group `controller.subpages`.
enum class SubpageReads { none, soml, srs };

struct SubpageParameters {
  SubpageReads reads = SubpageReads::none;
  std::uint32_t most_per_operation = 0;
};
void describe(SubpageParameters& p, ParameterVisitor& v);

class SubpageGrouping final : public ReadGrouping {
 public:
  SubpageGrouping(const SubpageParameters& parameters, const SchedulerParameters& scheduler, std::uint32_t page_bytes)
      : locks_die_(parameters.reads == SubpageReads::soml),
        most_(parameters.most_per_operation),
        across_planes_(scheduler.multi_plane),
        whole_pages_(!scheduler.cache_read),
        subpage_bytes_(page_bytes / subpages_per_page) {}

  // Whole pages are not grouped if cache reads are on.
  bool takes(const FlashOp& read) const override;
  bool fit(const FlashOp& one, const FlashOp& other) const override;
  bool locks_die() const override { return locks_die_; }
  void gather(FlashOp& first, OpQueue& queue, std::vector<FlashOp*>& group, Tick now) const override;

 private:
  // Bit mask of the subpages that contain the read's bytes.
  std::uint8_t subpages_of(const NandCommand& read) const;
  bool too_many(const std::vector<FlashOp*>& group, const FlashOp& read) const;
  [[nodiscard]] bool may_join(const std::vector<FlashOp*>& group, const FlashOp& read) const;
  FlashOp* take_partner(const std::vector<FlashOp*>& group, OpQueue& queue) const;
  void add(std::vector<FlashOp*>& group, FlashOp& read) const;

  const bool locks_die_;
  const std::uint32_t most_;  // subpages per operation; 0: unlimited
  const bool across_planes_;
  const bool whole_pages_;
  const std::uint32_t subpage_bytes_;
};

}  // namespace nandscape::controller
