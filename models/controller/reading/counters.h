// SPDX-License-Identifier: Apache-2.0
// Statistics `controller.read_retry`.
#pragma once

#include <array>
#include <cstdint>

#include "controller/reading/read_recovery.h"
#include "core/statistics.h"
#include "protocol/sensing_levels.h"

namespace nandscape::controller {

// Reads of pages and their retries, by the number of sensing levels.
struct SensingLevelCounters {
  std::array<std::uint64_t, most_sensing_levels> reads{};
};
void describe(const SensingLevelCounters& counters, StatisticsVisitor& visitor);

// Counts of one recovery stage.
struct RecoveryStageCounters {
  std::uint64_t reads = 0;
  std::uint64_t pages = 0;
};
void describe(const RecoveryStageCounters& counters, StatisticsVisitor& visitor);

struct RecoveryStagesCounters {
  RecoveryStageCounters& of(RecoveryStage stage) { return stages[static_cast<std::size_t>(stage)]; }

  std::array<RecoveryStageCounters, recovery_stages> stages{};
};
void describe(const RecoveryStagesCounters& counters, StatisticsVisitor& visitor);

// Counts of retries that lock their die.
struct DieLockedRetryCounters {
  std::uint64_t needless_steps = 0;
  std::uint64_t shortened = 0;
  std::uint64_t fallbacks = 0;
};

struct ReadRetryCounters {
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
