// SPDX-License-Identifier: Apache-2.0
#include "controller/parameters.h"

namespace nandscape::controller {

void describe(ControllerParameters& p, ParameterVisitor& v) {
  v.unread_if(!p.has_dram(), {"dram"}, "cache.policy is none, and mapping.memory is not dram");
  v.unread_if(!p.write_mode.derives_steps(), {"content"}, "write_mode.by_content is off");
  v.unread_if(!p.read_retry.predicts_start(), {"precondition.last_read_share"}, "read_retry.start is default_levels");
  const bool no_capacitor = p.power_loss.protection == PowerLossProtection::none &&
                            (!p.cache.keeps_writes() || p.cache.backup == CacheBackup::none);
  v.unread_if(no_capacitor, {"power_loss.hold_up_ms"}, "nothing has a capacitor");
  v.group("mapping", p.mapping, "logical to physical addresses");
  v.group("fullpages", p.fullpages, "mapping units that fill a page and are written together");
  v.group("scheduler", p.scheduler, "flash commands of each die");
  v.group("subpages", p.subpages, "reads of parts of pages");
  v.group("garbage_collection", p.garbage_collection, "making free blocks");
  v.group("read_retry", p.read_retry, "recovery of uncorrectable pages");
  v.group("power_loss", p.power_loss, "writes when the power fails");
  v.group("parity", p.parity, "parity, from which lost pages are rebuilt");
  v.group("streams", p.streams, "which writes share blocks");
  v.group("write_mode", p.write_mode, "how pages are programmed");
  v.group("content", p.content, "writing by the content of pages");
  v.group("wear_levelling", p.wear_levelling, "spreading erases over the blocks");
  v.group("refresh", p.refresh, "refresh of old data");
  v.group("read_disturb", p.read_disturb, "relocation of data that are read often");
  v.group("scrub", p.scrub, "search for errors before the host meets them");
  v.group("precondition", p.precondition, "content of the device at the start");
  v.group("slc_cache", p.slc_cache, "blocks in SLC mode, to which the host writes first");
  v.group("firmware", p.firmware, "firmware time");
  v.group("cache", p.cache, "host data in DRAM");
  v.group("dram", p.dram, "timing of the DRAM");
  v.unread_if(!p.firmware.takes_cycles(), {"power.core_mw"}, "firmware needs no cycles");
  v.group("power", p.power, "power of the controller and losses of the regulators");
}

}  // namespace nandscape::controller
