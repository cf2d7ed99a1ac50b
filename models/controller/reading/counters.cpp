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

void describe(const RecoveryStageCounters& c, StatisticsVisitor& v) {
  v.count("reads", c.reads, "that were decoded");
  v.count("pages", c.pages, "that were corrected by one of them");
}

void describe(const RecoveryStagesCounters& c, StatisticsVisitor& v) {
  struct Row {
    const char* name;
    const char* meaning;
  };
  static constexpr std::array<Row, recovery_stages> rows = {{
      {"first_read", "first reads of pages"},
      {"hard_retry", "hard reads at other steps of the retry table"},
      {"vref_search", "hard reads in search of the step with the fewest errors"},
      {"soft_2bit", "soft reads of 2 and 3 sensing levels"},
      {"soft_3bit", "soft reads of 4 and more sensing levels"},
      {"last_resort", "pages made from others by parity"},
  }};
  for (std::size_t k = 0; k < rows.size(); ++k) v.group(rows[k].name, c.stages[k], rows[k].meaning);
}

void describe(const ReadRetryCounters& c, StatisticsVisitor& v) {
  v.count("retried_reads", c.retried_reads, "pages read that took retry steps");
  v.count("failed_reads", c.failed_reads, "pages that could not be corrected at any step");
  v.ratio("steps", static_cast<double>(c.steps), static_cast<double>(c.reads), "",
          "retry steps of a page read, on average");
  v.group("sensing_levels", c.sensing_levels, "reads that were decoded, retries among them, by their sensing levels");
  v.group("stages", c.stages, "reads and the pages that they have corrected, by stage of the recovery");
  v.count("needless_steps", c.locked.needless_steps, "retry steps that were begun when the page was already decoded");
  v.count("shortened", c.locked.shortened, "retries with shortened precharge");
  v.count("fallbacks", c.locked.fallbacks, "of those that had to be done once more at the default timing");
}

}  // namespace nandscape::controller
