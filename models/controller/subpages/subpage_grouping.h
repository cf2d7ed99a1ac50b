// SPDX-License-Identifier: Apache-2.0
// Selects the reads that a die executes as one operation (single-operation read, SOML) [Nie et al., sections II-A and
// III-A].
//
//   members  Reads of the same die can be combined if they share neither bitlines nor a block decoder. Each plane has
//            its own bitlines and decoders. A read occupies the bitlines of all subpages that contain its bytes.
//   order    The oldest read is chosen first. Then reads of the same host command are preferred, so that the command
//            completes early. After these come the reads that will probably need about as many attempts as the oldest.
//
// `controller.subpages.reads` enables grouping, and `controller.subpages.most_per_operation` limits the number of
// subpages in an operation. If `controller.scheduler.multi_plane` is off, all reads of an operation are on one plane.
#pragma once

#include <cstdint>

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

  // Returns whether the read can be combined with other reads. A read of a whole page cannot be combined if cache reads
  // are enabled.
  bool takes(const FlashOp& read) const override;
  bool fit(const FlashOp& one, const FlashOp& other) const override;
  bool locks_die() const override { return locks_die_; }
  void gather(FlashOp& first, OpQueue& queue, OpQueue& group, Tick now) const override;

 private:
  // Returns the subpages that contain the bytes of the read, as a bit mask.
  std::uint8_t subpages_of(const NandCommand& read) const;
  bool too_many(const OpQueue& group, const FlashOp& read) const;
  [[nodiscard]] bool may_join(const OpQueue& group, const FlashOp& read) const;
  FlashOp* take_partner(const OpQueue& group, OpQueue& queue) const;
  void add(OpQueue& group, FlashOp& read) const;

  const bool locks_die_;
  const std::uint32_t most_;  // most subpages in an operation; 0: unlimited
  const bool across_planes_;
  const bool whole_pages_;
  const std::uint32_t subpage_bytes_;
};

}  // namespace nandscape::controller
