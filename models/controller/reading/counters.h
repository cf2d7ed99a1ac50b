// SPDX-License-Identifier: Apache-2.0
// Statistics `controller.read_retry`.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "controller/reading/read_recovery.h"
#include "core/archive.h"
#include "core/statistics.h"
#include "protocol/sensing_levels.h"

namespace nandscape::controller {

// The number of page reads, retries included, for each number of sensing levels.
struct SensingLevelCounters {
  std::array<std::uint64_t, most_sensing_levels> reads{};
};
void describe(const SensingLevelCounters& counters, StatisticsVisitor& visitor);

// The numbers of reads in one recovery stage and of pages corrected by these reads.
struct RecoveryStageCounters {
  std::uint64_t reads = 0;
  std::uint64_t pages = 0;
};
void describe(const RecoveryStageCounters& counters, StatisticsVisitor& visitor);

struct RecoveryStagesCounters {
  // Counts the recovery stages that every drive has and the stages `named`, which only the policy has.
  explicit RecoveryStagesCounters(std::vector<StageName> named = {})
      : own(std::move(named)), stages(known_stages().size() + own.size()) {}

  RecoveryStageCounters& of(RecoveryStage stage) { return stages[static_cast<std::size_t>(stage)]; }
  void persist(Archive& archive);

  std::vector<StageName> own;
  std::vector<RecoveryStageCounters> stages;
};
void describe(const RecoveryStagesCounters& counters, StatisticsVisitor& visitor);

// Counts of read-retries that lock their die (die_locked_retries.h).
struct DieLockedRetryCounters {
  std::uint64_t needless_steps = 0;
  std::uint64_t shortened = 0;
  std::uint64_t fallbacks = 0;
};

struct ReadRetryCounters {
  void persist(Archive& archive) { archive(reads, retried_reads, steps, failed_reads, sensing_levels, stages, locked); }

  std::uint64_t reads = 0;
  std::uint64_t retried_reads = 0;
  std::uint64_t steps = 0;
  std::uint64_t failed_reads = 0;
  SensingLevelCounters sensing_levels;
  RecoveryStagesCounters stages;
  DieLockedRetryCounters locked;
};
void describe(const ReadRetryCounters& counters, StatisticsVisitor& visitor);

}  // namespace nandscape::controller
