// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/parameters.h"

#include "controller/reading/read_recovery.h"

namespace nandscape::controller {

bool ReadRetryParameters::adapts_timing() const { return read_recovery_registry().make(policy)->adapts_timing(); }

bool ReadRetryParameters::reads_soft() const { return read_recovery_registry().make(policy)->reads_soft(); }

void describe(ReadRetryParameters& p, ParameterVisitor& v) {
  v.unread_if(!p.adapts_timing(), {"timing_table"}, "policy is neither ar2 nor pnar2");
  v.unread_if(!p.pso, {"pso_search"}, "pso is off");
  v.variant("policy", p.policy, read_recovery_registry(), "what is done with a page that cannot be corrected");
  v.boolean("pso", p.pso, "read first at the retry step at which pages of that layer and block were read of late");
  v.choice("pso_search", p.pso_search,
           {{"outwards", "the steps above and below that one in turn"},
            {"upwards", "those above it, which data need that have aged since; then those below"}},
           "which steps come next");
  v.text("timing_table", p.timing_table,
         "by how much ar2 shortens the precharge: a name of platform/read_timing or a file of the same form, which "
         "`nandscape profile-rpt` makes; empty: the table named as the cell set");
}

}  // namespace nandscape::controller
