// SPDX-License-Identifier: Apache-2.0
// Policies that return random legal answers. Whatever they answer, a drive must work, even if the answers are bad or
// the same question is answered differently the next time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "controller/flash_ops/scheduler/scheduling_policy.h"
#include "controller/migration/garbage_collection/victim_policy.h"
#include "controller/reading/read_recovery.h"
#include "core/random.h"
#include "protocol/sensing_levels.h"

namespace nandscape {

// Chooses a random queue that is not empty. If an operation is suspended, it may also choose to resume that.
class RandomScheduling final : public controller::SchedulingPolicy {
 public:
  explicit RandomScheduling(std::uint64_t seed, bool keeps_account = false)
      : random_(seed, "scheduling"), keeps_account_(keeps_account) {}

  std::optional<controller::QueueKind> choose(const controller::DieCandidates& candidates, Tick) const override {
    std::uint64_t waiting = candidates.suspended != nullptr;
    for (const controller::FlashOp* op : candidates.first) waiting += op != nullptr;
    if (waiting == 0) return std::nullopt;
    std::uint64_t left = random_.below(waiting);
    for (std::size_t kind = 0; kind < controller::queue_kinds; ++kind) {
      if (candidates.first[kind] != nullptr && left-- == 0) return static_cast<controller::QueueKind>(kind);
    }
    return std::nullopt;
  }
  bool keeps_account() const override { return keeps_account_; }
  bool may_suspend(const controller::FlashOp&, const controller::FlashOp&, Tick) const override {
    return random_.below(2) == 0;
  }

 private:
  mutable RandomStream random_;
  const bool keeps_account_;
};

// Chooses a random block that may be collected.
class RandomVictims final : public controller::VictimPolicy {
 public:
  explicit RandomVictims(std::uint64_t seed) : random_(seed, "victims") {}

  controller::Superblock choose(const controller::BlockTable& blocks, controller::FtlPlane plane, Tick) override {
    return controller::draw_block(blocks, plane, random_,
                                  [&](controller::Superblock block) { return controller::collectable(blocks, block); });
  }

 private:
  RandomStream random_;
};

// Reads a page at random steps, and gives the page up after a few reads.
class RandomRecovery final : public controller::ReadRecoveryPolicy {
 public:
  RandomRecovery(std::uint64_t seed, bool locks_die, bool reads_soft)
      : random_(seed, "recovery"), locks_die_(locks_die), reads_soft_(reads_soft) {}

  controller::RecoveryNeeds needs() const override {
    return {.locks_die = locks_die_, .reads_soft = reads_soft_, .stages = {{"any", "some of the reads"}}};
  }
  std::optional<controller::ReadStep> next(const controller::PageUnderRecovery& page) override {
    const std::size_t reads = page.attempts.size();
    if (reads == 12 || random_.below(10) == 0) return std::nullopt;
    const int most = static_cast<int>(most_sensing_levels);
    const int earlier = reads == 0 ? most : page.attempts.back().step.sensing_levels;
    controller::ReadStep step{.retry_step = static_cast<int>(random_.below(page.order.size()))};
    if (reads_soft_) step.sensing_levels = 1 + static_cast<int>(random_.below(most));
    step.adds_senses = step.sensing_levels > earlier && random_.below(2) == 0;
    step.pipelined = locks_die_ && random_.below(2) == 0;
    if (random_.below(3) == 0) step.stage = controller::own_stage(0);
    return step;
  }

 private:
  RandomStream random_;
  const bool locks_die_;
  const bool reads_soft_;
};

// An object that makes the policy. A configuration can contain such an object in place of the name of a policy.
class RandomSchedulingObject final : public controller::SchedulingRegistry::Object {
 public:
  explicit RandomSchedulingObject(std::uint64_t seed, bool keeps_account = false)
      : seed_(seed), keeps_account_(keeps_account) {}
  const std::string& name() const override {
    static const std::string names[] = {"random:scheduling", "random:accounting_scheduling"};
    return names[keeps_account_ ? 1 : 0];
  }
  std::string_view family() const override { return controller::scheduling_registry().family(); }
  std::unique_ptr<controller::SchedulingPolicy> make(std::uint32_t) const override {
    return std::make_unique<RandomScheduling>(seed_, keeps_account_);
  }

 private:
  const std::uint64_t seed_;
  const bool keeps_account_;
};

class RandomRecoveryObject final : public controller::ReadRecoveryRegistry::Object {
 public:
  RandomRecoveryObject(std::uint64_t seed, bool locks_die, bool reads_soft)
      : seed_(seed), locks_die_(locks_die), reads_soft_(reads_soft) {}
  const std::string& name() const override {
    static const std::string names[] = {"random:recovery", "random:locking_recovery", "random:soft_recovery",
                                        "random:locking_soft_recovery"};
    return names[(locks_die_ ? 1 : 0) + (reads_soft_ ? 2 : 0)];
  }
  std::string_view family() const override { return controller::read_recovery_registry().family(); }
  std::unique_ptr<controller::ReadRecoveryPolicy> make() const override {
    return std::make_unique<RandomRecovery>(seed_, locks_die_, reads_soft_);
  }

 private:
  const std::uint64_t seed_;
  const bool locks_die_;
  const bool reads_soft_;
};

class RandomVictimsObject final : public controller::VictimRegistry::Object {
 public:
  const std::string& name() const override {
    static const std::string name = "random:victims";
    return name;
  }
  std::string_view family() const override { return controller::victim_registry().family(); }
  std::unique_ptr<controller::VictimPolicy> make(std::uint64_t seed) const override {
    return std::make_unique<RandomVictims>(seed);
  }
};

}  // namespace nandscape
