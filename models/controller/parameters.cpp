// SPDX-License-Identifier: Apache-2.0
#include "controller/parameters.h"

#include "controller/garbage_collection/victim_policy.h"
#include "controller/mapping/allocation_order.h"
#include "controller/mapping/flash_layout.h"
#include "controller/scheduler/scheduling_policy.h"
#include "protocol/sensing_levels.h"

namespace nandscape {

void describe(MappingParameters& p, ParameterVisitor& v) {
  v.unread_if(p.unit_bytes == 0, {"write_coalescing_us"}, "unit_bytes is 0, so that a unit fills its page");
  v.unread_if(p.fullpage_allocation != FullpageAllocation::fpa, {"fullpage_layer_groups", "fullpage_wait_ms"},
              "fullpage_allocation is in_one_page");
  v.unread_if(p.cache.cache_bytes == 0, {"entry_bytes"}, "cache_bytes is 0, so that the mapping is in memory");
  v.choice("allocation", p.allocation, allocation_orders(),
           "static plane allocation: what consecutive logical pages are spread over first");
  v.real("over_provisioning", p.over_provisioning, {0, 100}, "",
         "(raw capacity - exported capacity) / exported capacity");
  v.choice(
      "plane", p.plane,
      {{"by_address", "the one that the allocation gives its logical page"},
       {"least_busy", "the one with the fewest pages on their way to it, the next one by the allocation among equals"}},
      "which plane a write goes to");
  v.integer("unit_bytes", p.unit_bytes, {0, 1 << 20}, "bytes",
            "what one entry of the mapping stands for: a flash page (0), or a half or a quarter of one");
  v.real("write_coalescing_us", p.write_coalescing_us, {0, 1e6}, "us",
         "how long a page waits for more units to be written with it, when a page holds several");
  v.real("trim_entry_ns", p.trim_entry_ns, {0, 1e6}, "ns",
         "time in which a trim clears one entry of the mapping and counts its data as invalid; by default that of some "
         "20 cycles of each of four cores at 1 GHz. Trims are carried out one after the other");
  v.choice("fullpage_allocation", p.fullpage_allocation,
           {{"in_one_page", "one page of the flash"},
            {"fpa",
             "four pages of different layers, the weakest of which borrows parity from the strongest: layer-aware "
             "fullpage allocation"}},
           "where four mapping units go that make a page of the flash and are written together");
  v.reals("fullpage_layer_groups", p.fullpage_layer_groups, {0, layer_quarters - 1}, "",
          "which quarter of the layers, from the lowest on, each of the four goes to with fpa; the third lends parity "
          "to the fourth");
  v.real("fullpage_wait_ms", p.fullpage_wait_ms, {0, 1e6}, "ms",
         "how long such units wait, with fpa, for others to fill the pages that they share; then they go into one page "
         "each");
  describe(p.cache, v);
}

void describe(SchedulerParameters& p, ParameterVisitor& v) {
  v.unread_if(p.suspend == Suspend::none, {"max_suspends", "min_run_us"}, "suspend is none");
  v.variant("policy", p.policy, scheduling_registry(), "order in which a die serves its commands");
  v.choice("suspend", p.suspend,
           {{"none", "reads wait"},
            {"program", "reads of the host suspend programs"},
            {"erase", "reads of the host suspend erases"},
            {"program_erase", "reads of the host suspend programs and erases"}},
           "what a read of the host may suspend");
  v.integer("max_suspends", p.max_suspends, {0, 1 << 20}, "",
            "a program or erase that was suspended so often runs to its end; 0: no limit");
  v.real("min_run_us", p.min_run_us, {0, 1000000}, "us",
         "a program or erase that was started or resumed, t_resume_us included, is not suspended for so long");
  v.boolean("multi_plane", p.multi_plane, "join commands to pages of the same number on several planes of a die");
  v.choice("subpage_reads", p.subpage_reads,
           {{"none", "each is a read of its page"},
            {"soml",
             "the oldest goes together with others of its plane that share neither bitlines nor block with it, and the "
             "die takes nothing else until all of them are decoded"},
            {"srs",
             "as soml, but those that are likely to be decoded at about the same retry go first, and a retry "
             "goes with others that wait, at as many sensing levels: layer-aware subpage read scheduling"}},
           "how reads that lie in one quarter of a page are sent");
  v.boolean("cache_read", p.cache_read, "sense the next page of a die while the page before it moves out");
  v.boolean("cache_program", p.cache_program, "send the next page of a die while the page before it is programmed");
}

void describe(GarbageCollectionParameters& p, ParameterVisitor& v) {
  v.unread_if(!p.copyback, {"copyback_limit"}, "copyback is off");
  v.variant("policy", p.policy, victim_registry(), "which block is collected");
  v.integer("start_free_blocks", p.start_free_blocks, {2, 1 << 16}, "", "a plane with fewer free blocks is collected");
  v.integer("reserved_blocks", p.reserved_blocks, {1, 1 << 16}, "",
            "free blocks of a plane that only collection may write to");
  v.integer("pages_in_flight", p.pages_in_flight, {1, 4096}, "", "pages of a victim that are moved at the same time");
  v.boolean(
      "preemptible", p.preemptible,
      "collection waits for the host as long as there are blocks to write to; else it goes first once it has begun");
  v.choice("pace", p.pace,
           {{"free", "the host writes until only the reserved blocks are left"},
            {"balanced", "below start_free_blocks the host writes as many pages as collection gains"}},
           "how writes of the host are held back by collection");
  v.boolean("copyback", p.copyback,
            "pages that are valid as a whole move within their plane without passing the bus and the ECC engine");
  v.integer("copyback_limit", p.copyback_limit, {1, 255}, "",
            "how often in a row data move in that way: their errors are not corrected and add up");
}

void describe(ReadRetryParameters& p, ParameterVisitor& v) {
  v.unread_if(p.policy != ReadRetry::soft, {"most_sensing_levels", "keep_senses"}, "policy is not soft");
  v.unread_if(!p.adapts_timing(), {"timing_table"}, "policy is neither ar2 nor pnar2");
  v.choice("policy", p.policy,
           {{"none",
             "there are none: every page is read at the levels that err least on it, which no real controller knows"},
            {"regular", "read again at the next step of the retry table, until one succeeds"},
            {"soft",
             "read again with one more sensing level, from which a soft decoder learns more, until one succeeds; when "
             "most_sensing_levels fail, the next step of the retry table is tried in the same way"},
            {"pr2", "as regular, but each step is sensed while the one before it moves out and is decoded"},
            {"ar2", "as regular, but with the precharge of the steps shortened as far as timing_table allows"},
            {"pnar2", "pr2 and ar2"}},
           "what is done with a page that cannot be corrected");
  v.integer("most_sensing_levels", p.most_sensing_levels, {2, nandscape::most_sensing_levels}, "",
            "with which policy soft reads a page at one step of the retry table");
  v.boolean(
      "keep_senses", p.keep_senses,
      "with which policy soft keeps what it has sensed of a page, and makes only the senses that the next read adds; "
      "else each read makes all of its own");
  v.boolean("pso", p.pso, "read first at the retry step at which pages of that layer and block were read of late");
  v.text("timing_table", p.timing_table,
         "by how much ar2 shortens the precharge: a name of platform/read_timing or a file of the same form, which "
         "`nandscape profile-rpt` makes; empty: the table named as the cell set");
}

void describe(PowerLossParameters& p, ParameterVisitor& v) {
  v.unread_if(p.protection == PowerLossProtection::none, {"hold_up_ms"}, "protection is none");
  v.choice("protection", p.protection,
           {{"capacitor", "what the host was answered for survives a power cut"},
            {"none", "only what was flushed or written with forced access survives; wordlines are filled up for that"}},
           "what happens to writes that are under way when the power fails");
  v.real("hold_up_ms", p.hold_up_ms, {0, 10'000}, "ms",
         "how long a capacitor feeds the drive, which writes meanwhile what is not yet in the cells");
  v.boolean(
      "mapping_checkpoints", p.mapping_checkpoints,
      "the drive writes its mapping to flash when it is shut down, and after it has read many tags, so that after "
      "a loss of power only the tags of what was written since have to be read; off, or with "
      "garbage_collection.copyback, which leaves pages with the tags of other blocks: those of all pages");
}

void describe(ControllerParameters& p, ParameterVisitor& v) {
  v.unread_if(p.cache.policy == CachePolicy::none, {"dram"}, "cache.policy is none");
  v.group("mapping", p.mapping, "logical to physical addresses");
  v.group("scheduler", p.scheduler, "flash commands of each die");
  v.group("garbage_collection", p.garbage_collection, "making free blocks");
  v.group("read_retry", p.read_retry, "recovery of pages that cannot be corrected");
  v.group("power_loss", p.power_loss, "writes when the power fails");
  v.group("parity", p.parity, "pages that are made from others when they are lost");
  v.group("streams", p.streams, "which writes share blocks");
  v.group("wear_levelling", p.wear_levelling, "spreading erases over the blocks");
  v.group("refresh", p.refresh, "old data");
  v.group("read_disturb", p.read_disturb, "data that are read often");
  v.group("scrub", p.scrub, "looking for errors before the host does");
  v.group("precondition", p.precondition, "what the device holds at the start");
  v.group("firmware", p.firmware, "the time that firmware takes");
  v.group("cache", p.cache, "data of the host in DRAM");
  v.group("dram", p.dram, "timing of the DRAM");
}

}  // namespace nandscape
