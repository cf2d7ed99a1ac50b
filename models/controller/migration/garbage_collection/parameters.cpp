// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/garbage_collection/parameters.h"

#include "controller/migration/garbage_collection/victim_policy.h"

namespace nandscape::controller {

void describe(GarbageCollectionParameters& p, ParameterVisitor& v) {
  v.unread_if(!p.copyback, {"copyback_limit"}, "copyback is off");
  v.variant("policy", p.policy, victim_registry(), "which block is collected next");
  v.integer("start_free_blocks", p.start_free_blocks, {2, 1 << 16}, "", "a plane with fewer free blocks is collected");
  v.integer("reserved_blocks", p.reserved_blocks, {1, 1 << 16}, "",
            "free blocks of a plane that only collection may write to");
  v.integer("pages_in_flight", p.pages_in_flight, {1, 4096}, "", "pages of a victim that are moved at the same time");
  v.boolean(
      "preemptible", p.preemptible,
      "collection gives way to the host as long as there are blocks to write to; false: once begun, it goes first");
  v.choice("pace", p.pace,
           {{"free", "the host writes until only the reserved blocks are left"},
            {"balanced", "below start_free_blocks the host writes as many pages as collection gains"}},
           "how collection holds back writes of the host");
  v.boolean("copyback", p.copyback,
            "pages whose units are all valid move within their plane without passing the bus and the ECC engine");
  v.integer("copyback_limit", p.copyback_limit, {1, 255}, "",
            "how often in a row data may move this way: errors are not corrected and add up");
}

}  // namespace nandscape::controller
