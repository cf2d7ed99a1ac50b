// SPDX-License-Identifier: Apache-2.0
#include "controller/flash_ops/scheduler/parameters.h"

#include "controller/flash_ops/scheduler/scheduling_policy.h"

namespace nandscape::controller {

void describe(SchedulerParameters& p, ParameterVisitor& v) {
  v.unread_if(p.suspend == Suspend::none, {"max_suspends", "min_run_us"}, "suspend is none");
  v.variant("policy", p.policy, scheduling_registry(), "order in which a die serves its commands");
  v.choice("suspend", p.suspend,
           {{"none", "reads wait"},
            {"program", "host reads suspend programs"},
            {"erase", "host reads suspend erases"},
            {"program_erase", "host reads suspend programs and erases"}},
           "operations that a host read may suspend");
  v.integer("max_suspends", p.max_suspends, {0, 1 << 20}, "",
            "suspends of a program or erase after which it runs to its end; 0: no limit");
  v.real("min_run_us", p.min_run_us, {0, 1000000}, "us",
         "minimum time that a program or erase runs after its start or resume, t_resume_us included, before it is "
         "suspended");
  v.boolean("multi_plane", p.multi_plane, "join commands to pages of the same number on several planes of a die");
  v.boolean("cache_read", p.cache_read, "sense the next page of a die while the previous page is transferred");
  v.boolean("cache_program", p.cache_program, "send the next page to a die while the previous page is programmed");
}

}  // namespace nandscape::controller
