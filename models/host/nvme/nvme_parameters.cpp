// SPDX-License-Identifier: Apache-2.0
#include "host/nvme/nvme_parameters.h"

#include "host/nvme/command_set.h"

namespace nandscape::host {

void describe(PowerStateParameters& p, ParameterVisitor& v) {
  v.unread_if(p.operational, {"idle_mw", "idle_before_ms"}, "operational is true");
  v.real("max_mw", p.max_mw, {0, 655'350}, "mw", "maximum power in the state (MP)");
  v.boolean("operational", p.operational, "whether the controller executes I/O commands in the state (not NOPS)");
  v.real("entry_us", p.entry_us, {0, 1e8}, "us", "time to enter the state (ENLAT)");
  v.real("exit_us", p.exit_us, {0, 1e8}, "us", "time to leave the state (EXLAT)");
  v.real("idle_mw", p.idle_mw, {0, 100000}, "mw",
         "power from the supply at rest in a non-operational state (IDLP), instead of the power that controller, DRAM, "
         "link and dies draw whether they work or not");
  v.integer("idle_before_ms", p.idle_before_ms, {0, 0xff'ffff}, "ms",
            "idle time in the state before, after which the drive enters the state by itself (ITPT); 0: only when the "
            "host asks for it");
}

void describe(NvmeParameters& p, ParameterVisitor& v) {
  v.variant("command_set", p.command_set, command_sets(), "I/O commands of the drive's namespace");
  v.integer("io_queues", p.io_queues, {1, 255}, "", "most pairs of I/O queues that the controller grants");
  v.integer("queue_entries", p.queue_entries, {2, 65536}, "", "most entries of a queue (CAP.MQES)");
  v.integer("max_transfer_kib", p.max_transfer_kib, {8, 2048}, "kib",
            "most data of one command (MDTS), a power of two; MDTS cannot express 4 KiB, since 0 means no limit");
  v.choice("arbitration", p.arbitration,
           {{"round_robin", "submission queues in turn"},
            {"weighted_round_robin", "urgent queues first, then high, medium and low ones by weight"}},
           "how the controller chooses the submission queue to fetch from");
  v.integer("arbitration_burst", p.arbitration_burst, {0, 7}, "",
            "commands in one turn of a queue, as a power of two, 7: no limit; Set Features can change it");
  v.integer("fetch_entries", p.fetch_entries, {1, 256}, "", "most submission entries fetched by one read");
  v.integer("fetches", p.fetches, {1, 64}, "", "fetches of submission entries under way at the same time");
  v.integer("command_slots", p.command_slots, {1, 65536}, "", "commands that the controller works on at the same time");
  v.integer("data_transfers", p.data_transfers, {1, 65536}, "",
            "transfers of page data handed to the link at the same time, in each direction");
  v.boolean("volatile_write_cache", p.volatile_write_cache,
            "whether writes may complete before they are on flash, if the device has a cache for them (VWC)");
  v.real("temperature_rise_c", p.temperature_rise_c, {0, 100}, "c",
         "composite temperature of the SMART log above that of the flash, nand.condition.temperature_c");
  v.groups("power_states", p.power_states,
           "the power states of the drive, by falling maximum power; without a list, the drive has one, without limit");
}

}  // namespace nandscape::host
