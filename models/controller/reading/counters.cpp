// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/counters.h"

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
  struct Row {
    const char* name;
    const char* meaning;
  };
  static constexpr std::array<Row, recovery_stages> rows = {{
      {"first_read", "first reads of pages"},
      {"hard_retry", "hard reads at other steps of the retry table"},
      {"vref_search", "hard reads that search the step with the fewest errors"},
      {"soft_2bit", "soft reads of 2 and 3 sensing levels"},
      {"soft_3bit", "soft reads of 4 and more sensing levels"},
      {"last_resort", "pages rebuilt from others by parity"},
  }};
  for (std::size_t k = 0; k < rows.size(); ++k) v.group(rows[k].name, c.stages[k], rows[k].meaning);
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
