// SPDX-License-Identifier: Apache-2.0
// Which reads of subpages go together, as one operation of one plane (SOML): they share neither bitlines nor block
// decoders. `controller.subpages.reads` turns it on.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/flash_ops/scheduler/read_grouping.h"
#include "protocol/nand_command.h"

namespace nandscape::controller {

class SubpageGrouping final : public ReadGrouping {
 public:
  SubpageGrouping(bool locks_die, std::uint32_t page_bytes)
      : locks_die_(locks_die), subpage_bytes_(page_bytes / subpages_per_page) {}

  // Whether the read's bytes lie in one subpage.
  bool takes(const FlashOp& read) const override;
  bool locks_die() const override { return locks_die_; }
  void gather(FlashOp& read, OpQueue& queue, std::vector<FlashOp*>& group, Tick now) const override;

 private:
  std::uint32_t subpage_of(std::uint32_t byte) const { return byte / subpage_bytes_; }
  bool may_join(const std::vector<FlashOp*>& group, const FlashOp& read) const;
  FlashOp* take_partner(const std::vector<FlashOp*>& group, OpQueue& queue) const;
  void add(std::vector<FlashOp*>& group, FlashOp& read) const;

  const bool locks_die_;
  const std::uint32_t subpage_bytes_;
};

}  // namespace nandscape::controller
