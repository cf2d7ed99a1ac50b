// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/counters.h"

#include <algorithm>
#include <functional>
#include <string>

namespace nandscape::controller {

void describe(const SensingLevelCounters& c, StatisticsVisitor& v) {
  for (std::size_t k = 0; k < c.reads.size(); ++k) {
    v.count("levels_" + std::to_string(k + 1), c.reads[k],
            k == 0 ? "hard reads" : "soft reads with that number of sensing levels");
  }
}

void describe(const RecoveryStageCounters& c, StatisticsVisitor& v) {
  v.count("reads", c.reads, "reads sent to the decoder");
  v.count("pages", c.pages, "pages corrected by one of these reads");
}

void describe(const RecoveryStagesCounters& c, StatisticsVisitor& v) {
  auto counters = c.stages.begin();
  for (const StageName& stage : known_stages()) v.group(stage.name, *counters++, stage.meaning);
  for (const StageName& stage : c.own) v.group(stage.name, *counters++, stage.meaning);
}

// Saves or restores the counts. If the recovery policy of the checkpoint has other stages, the counts of the stages
// that only this policy has start at 0.
void RecoveryStagesCounters::persist(Archive& archive) {
  const auto first_own = stages.begin() + static_cast<std::ptrdiff_t>(known_stages().size());
  std::for_each(stages.begin(), first_own, std::ref(archive));
  std::string names;
  for (const StageName& stage : own) names += stage.name + " ";
  archive.variant(names, [&](Archive& state) { std::for_each(first_own, stages.end(), std::ref(state)); });
}

void describe(const ReadRetryCounters& c, StatisticsVisitor& v) {
  v.count("retried_reads", c.retried_reads, "page reads that took retry steps");
  v.count("failed_reads", c.failed_reads, "page reads that no step could correct");
  v.ratio("steps", static_cast<double>(c.steps), static_cast<double>(c.reads), "", "average retry steps per page read");
  v.group("sensing_levels", c.sensing_levels, "reads sent to the decoder, including retries, by sensing levels");
  v.group("stages", c.stages, "reads and the pages that they corrected, by recovery stage");
  v.count("needless_steps", c.locked.needless_steps, "retry steps already begun when the page was decoded");
  v.count("shortened", c.locked.shortened, "retries with shortened precharge");
  v.count("fallbacks", c.locked.fallbacks, "of these, retries repeated at the default timing");
}

}  // namespace nandscape::controller
