// SPDX-License-Identifier: Apache-2.0
// Layer-aware subpage read scheduling (SRS; Nie et al., section III-A). A page is expected to take as many reads as the
// last one of its layer, so that reads likely to be decoded together are sent together. A retry is queued like any
// other read, and the reads that join it are sensed at as many levels.
#pragma once

#include <algorithm>
#include <span>

#include "controller/flash_ops/flash_io.h"
#include "controller/reading/page_read.h"
#include "controller/reading/recent_steps.h"
#include "core/archive.h"

namespace nandscape::controller {

class SubpageRounds final : public GroupedReads {
 public:
  SubpageRounds(FlashIo& io, std::uint32_t blocks, std::uint32_t layers) : io_(io), rounds_(blocks, layers) {}

  std::uint16_t expected_round(Superblock block, std::uint32_t layer) const override {
    return rounds_.likely(block, layer);
  }
  // Raises the sensing levels of all reads to the highest of the group, since the array is busy for that long anyway.
  void gathered(std::span<FlashOp* const> group) override;
  void again(GroupedRead& read, Tick now) override { io_.enqueue(read, now, QueuePosition::again); }
  void leave(GroupedRead&, Tick) override {}
  // A read with more levels than it asked for may not have needed them.
  void succeeded(const PageRead& read, std::uint32_t layer) override {
    if (read.reads_hard) return;
    const std::uint16_t round = std::min({read.expected_round, read.tried, RecentSteps::highest});
    rounds_.succeeded(read.block, layer, static_cast<std::uint8_t>(round));
  }
  void erased(Superblock block) override { rounds_.forget(block); }

  std::string_view memory() const override { return "srs"; }
  void persist(Archive& archive) override { rounds_.persist(archive, RecentSteps::highest); }

 private:
  FlashIo& io_;
  RecentSteps rounds_;  // stores numbers of reads, not retry steps
};

}  // namespace nandscape::controller
