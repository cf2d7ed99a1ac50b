// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/counters.h"

#include <string>

namespace nandscape::controller {

void describe(const SensingLevelCounters& c, StatisticsVisitor& v) {
  for (std::size_t k = 0; k < c.reads.size(); ++k) {
    v.count("levels_" + std::to_string(k + 1), c.reads[k],
            k == 0 ? "hard reads" : "soft reads with so many sensing levels");
  }
}

void describe(const ReadRetryCounters& c, StatisticsVisitor& v) {
  v.count("retried_reads", c.retried_reads, "pages read that took retry steps");
  v.count("failed_reads", c.failed_reads, "pages that could not be corrected at any step");
  v.real("steps", c.reads == 0 ? 0 : static_cast<double>(c.steps) / static_cast<double>(c.reads), "",
         "retry steps of a page read, on average");
  v.group("sensing_levels", c.sensing_levels, "reads that were decoded, retries among them, by their sensing levels");
  v.count("needless_steps", c.locked.needless_steps, "retry steps that were begun when the page was already decoded");
  v.count("shortened", c.locked.shortened, "retries with shortened precharge");
  v.count("fallbacks", c.locked.fallbacks, "of those that had to be done once more at the default timing");
}

}  // namespace nandscape::controller
