// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/refresh/parameters.h"

#include "controller/migration/refresh/refresh_policy.h"

namespace nandscape::controller {

void describe(RefreshParameters& p, ParameterVisitor& v) {
  v.unread_if(!p.refreshes(), {"check_hours"}, "policy is none");
  v.variant("policy", p.policy, refresh_registry(), "which blocks are refreshed before their data are lost");
  v.real("check_hours", p.check_hours, {1e-7, 10'000}, "hours", "time between two checks of all blocks");
}

void describe(ReadDisturbParameters& p, ParameterVisitor& v) {
  v.integer("limit_reads", p.limit_reads, {}, "",
            "page reads of a block since its last erase after which its data are moved; 0: never");
}

void describe(ScrubParameters& p, ParameterVisitor& v) {
  v.unread_if(p.period_hours == 0, {"relocate_error_fraction"}, "period_hours is 0");
  v.real("period_hours", p.period_hours, {0, 2500}, "hours",
         "simulated time in which every page of the device is read once to look for errors; 0: never");
  v.real("relocate_error_fraction", p.relocate_error_fraction, {0, 1}, "",
         "a block is moved if a codeword has at least this share of the correctable errors");
}

}  // namespace nandscape::controller
