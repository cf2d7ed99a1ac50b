// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/parameters.h"

#include "controller/reading/read_recovery.h"

namespace nandscape::controller {

bool ReadRetryParameters::adapts_timing() const { return read_recovery_registry().make(policy)->adapts_timing(); }

bool ReadRetryParameters::reads_soft() const { return read_recovery_registry().make(policy)->reads_soft(); }

void describe(ReadRetryParameters& p, ParameterVisitor& v) {
  v.unread_if(!p.adapts_timing(), {"timing_table"}, "policy is not adaptive");
  v.unread_if(!p.pso, {"pso_search"}, "pso is off");
  v.variant("policy", p.policy, read_recovery_registry(), "recovery of a page that cannot be corrected");
  v.boolean("pso", p.pso, "first read pages at the retry step at which pages of their layer and block were last read");
  v.choice("pso_search", p.pso_search,
           {{"outwards", "the steps above and below the first in turn"},
            {"upwards", "the steps above the first, which aged data need; then those below"}},
           "order of the following steps");
  v.text("timing_table", p.timing_table,
         "reductions of the precharge for adaptive steps: a name in platform/read_timing or a file of the same format, "
         "which "
         "`nandscape profile-rpt` makes; empty: the table named as the cell set");
}

}  // namespace nandscape::controller
