// SPDX-License-Identifier: Apache-2.0
// Which reads of subpages go together, as one operation of one plane (SOML): they share neither bitlines nor block
// decoders. `controller.scheduler.subpage_reads` turns it on.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/flash_ops/flash_op.h"
#include "controller/flash_ops/scheduler/parameters.h"

namespace nandscape {

class SubpageGrouping {
 public:
  SubpageGrouping(SubpageReads reads, std::uint32_t page_bytes)
      : reads_(reads), subpage_bytes_(page_bytes / subpages_per_page) {}

  // Whether the read may go with others of its plane: its bytes lie in one subpage.
  bool reads_subpage(const FlashOp& read) const { return reads_ != SubpageReads::none && lies_in_subpage(read); }
  // An operation keeps its die until all of its subpages are decoded, retries included (`soml`).
  bool locks_die() const { return reads_ == SubpageReads::soml; }

  // Puts into `group` the read, which has left the queue, and takes out of the queue those that go with it.
  void gather(FlashOp& read, OpQueue& queue, std::vector<FlashOp*>& group, Tick now) const;

 private:
  bool lies_in_subpage(const FlashOp& read) const;
  std::uint32_t subpage_of(std::uint32_t byte) const { return byte / subpage_bytes_; }
  bool may_join(const std::vector<FlashOp*>& group, const FlashOp& read) const;
  FlashOp* take_partner(const std::vector<FlashOp*>& group, OpQueue& queue) const;
  void add(std::vector<FlashOp*>& group, FlashOp& read) const;

  const SubpageReads reads_;
  const std::uint32_t subpage_bytes_;
};

}  // namespace nandscape
