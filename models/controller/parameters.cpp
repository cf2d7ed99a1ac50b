// SPDX-License-Identifier: Apache-2.0
#include "controller/parameters.h"

#include "controller/garbage_collection/victim_policy.h"
#include "controller/mapping/allocation_order.h"
#include "controller/scheduler/scheduling_policy.h"

namespace nandscape {

void describe(MappingParameters& p, ParameterVisitor& v) {
  v.choice("allocation", p.allocation, allocation_orders(),
           "static plane allocation: what consecutive logical pages are spread over first");
  v.real("over_provisioning", p.over_provisioning, {0, 100}, "",
         "(raw capacity - exported capacity) / exported capacity");
}

void describe(SchedulerParameters& p, ParameterVisitor& v) {
  v.variant("policy", p.policy, scheduling_registry(), "order in which a die serves its commands");
  v.choice("suspend", p.suspend,
           {{"none", "reads wait"},
            {"program", "reads of the host suspend programs"},
            {"erase", "reads of the host suspend erases"},
            {"program_erase", "reads of the host suspend programs and erases"}},
           "what a read of the host may suspend");
  v.boolean("multi_plane", p.multi_plane, "join commands to pages of the same number on several planes of a die");
  v.boolean("cache_read", p.cache_read, "sense the next page of a die while the page before it moves out");
}

void describe(GarbageCollectionParameters& p, ParameterVisitor& v) {
  v.variant("policy", p.policy, victim_registry(), "which block is collected");
  v.integer("start_free_blocks", p.start_free_blocks, {2, 1 << 16}, "", "a plane with fewer free blocks is collected");
  v.integer("reserved_blocks", p.reserved_blocks, {1, 1 << 16}, "",
            "free blocks of a plane that only collection may write to");
  v.integer("pages_in_flight", p.pages_in_flight, {1, 4096}, "", "pages of a victim that are moved at the same time");
}

void describe(ReadRetryParameters& p, ParameterVisitor& v) {
  v.choice(
      "policy", p.policy,
      {{"none", "the read fails"}, {"regular", "read again at the next step of the retry table, until one succeeds"}},
      "what is done with a page that cannot be corrected");
}

void describe(ControllerParameters& p, ParameterVisitor& v) {
  v.group("mapping", p.mapping, "logical to physical addresses");
  v.group("scheduler", p.scheduler, "flash commands of each die");
  v.group("garbage_collection", p.garbage_collection, "making free blocks");
  v.group("read_retry", p.read_retry, "recovery of pages that cannot be corrected");
  v.group("precondition", p.precondition, "what the device holds at the start");
}

}  // namespace nandscape
