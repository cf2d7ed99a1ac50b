// SPDX-License-Identifier: Apache-2.0
// The retention tracker [Liu et al., FAST 2012, 5.1]. Relaxed blocks opened in one period are reprogrammed during the
// next, oldest first, one after the other and evenly over the period. At the end of a period its open blocks are
// closed. After a long time without power, overdue blocks are reprogrammed first, all at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "controller/migration/block_guarantees.h"
#include "controller/retention/relaxed_blocks.h"

namespace nandscape::controller {

class RetentionTracker final : public BlockGuarantees {
 public:
  RetentionTracker(RelaxedBlocks& relaxed, const GuaranteeContext& context);

  Tick due(Tick now) const override;
  double hours_left(Tick now) const override;
  void work(Tick now) override;
  void resume(Tick now) override;
  void block_erased(Superblock block, Tick now) override;

  GuaranteeCounters counters(Tick now) const override;
  void persist(Archive& archive) override;
  void persist_counters(Archive& archive) override { archive(longest_hours_); }

 private:
  bool holds_data(Superblock block) const { return blocks_.write_mode(block) != 0 && blocks_.valid_pages(block) != 0; }
  bool waits(Superblock block) const { return holds_data(block) && blocks_.state(block) == BlockTable::State::full; }
  std::uint32_t periods_since(Superblock block, Tick now) const {
    return relaxed_.periods_since(blocks_.write_mode(block), now);
  }
  // The time on the drive's clock, in hours, of the next work; infinite while no block has relaxed data.
  double next(Tick now) const;
  void ask(Superblock block, Tick now);
  void ask_in_turn(std::span<const Superblock> waiting, Tick now);

  RelaxedBlocks& relaxed_;
  const BlockTable& blocks_;
  const DriveClock& clock_;
  Host& host_;
  std::uint64_t period_ = 0;     // the period of next_hours_
  double next_hours_ = 0;        // when to reprogram the next waiting block
  std::vector<bool> asked_for_;  // by block: whether the host was told to empty it
  double longest_hours_ = 0;
};

}  // namespace nandscape::controller
