// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/parameters.h"

#include "controller/mapping/allocation_order.h"
#include "controller/mapping/allocation_policy.h"

namespace nandscape::controller {

void describe(MappingParameters& p, ParameterVisitor& v) {
  v.unread_if(p.unit_bytes == 0, {"write_coalescing_us"}, "unit_bytes is 0, so that a unit fills its page");
  v.unread_if(p.cache.cache_bytes == 0 && p.memory != MappingPlace::dram, {"entry_bytes"},
              "cache_bytes is 0, so that the mapping is in memory");
  v.unread_if(p.memory != MappingPlace::host, {"host_buffer_bytes"}, "memory is not host");
  v.unread_if(!p.superpages(), {"superblock_dies", "superpage_wait_us"}, "layout is plane");
  v.choice("layout", p.layout,
           {{"plane", "blocks are opened, filled and collected on each plane by itself"},
            {"superpage", "a superblock has a block on each plane of several dies, and is filled row by row"}},
           "which flash blocks are written and erased together");
  v.integer(
      "superblock_dies", p.superblock_dies, {0, 1 << 16}, "",
      "dies of a superblock; must divide the number of dies; 0: those of a stripe set (controller.parity), or all "
      "dies of the drive");
  v.real("superpage_wait_us", p.superpage_wait_us, {0, 1e6}, "us",
         "how long a page waits for the pages of its row on the other planes of its die, to be programmed with them");
  v.choice("allocation", p.allocation, allocation_orders(),
           "static plane allocation: what consecutive logical pages are spread over first");
  v.real("over_provisioning", p.over_provisioning, {0, 100}, "",
         "(raw capacity - exported capacity) / exported capacity");
  v.variant("plane", p.plane, allocation_registry(), "how the plane for new data is chosen");
  v.integer("unit_bytes", p.unit_bytes, {0, 1 << 20}, "bytes",
            "size of a mapping unit: a flash page (0), or a half or a quarter of one");
  v.real("write_coalescing_us", p.write_coalescing_us, {0, 1e6}, "us",
         "how long a page that holds several units waits for more of them");
  v.real(
      "wordline_wait_us", p.wordline_wait_us, {0, 1e6}, "us",
      "how long a page waits for the other page of its wordline, if the content of both decides how they are written");
  v.real("trim_entry_ns", p.trim_entry_ns, {0, 1e6}, "ns",
         "time in which a trim clears one mapping entry and invalidates its data; the default is about 20 cycles of "
         "each of four cores at 1 GHz. Trims are carried out one after the other");
  describe(p.cache, v);
  v.choice("memory", p.memory,
           {{"ideal", "look-ups of entries in memory take no time"},
            {"dram", "a look-up is an access to the DRAM (controller.dram)"},
            {"host", "the drive has no DRAM: cache_bytes is SRAM, and the host lends memory over the link"}},
           "memory of the mapping; it decides what the look-up of an entry costs");
  v.integer("host_buffer_bytes", p.host_buffer_bytes, {4096, std::int64_t{1} << 40}, "bytes",
            "size of the host memory buffer that the drive asks for (HMPRE); the host grants at most "
            "host.driver.host_buffer_bytes");
}

void describe(WearLevellingParameters& p, ParameterVisitor& v) {
  v.unread_if(p.static_threshold == 0, {"check_erases"}, "static_threshold is 0");
  v.choice("free_block", p.free_block,
           {{"fifo", "the one that was erased first"}, {"least_worn", "the one that was erased least often"}},
           "which free block of a plane is written next");
  v.integer("static_threshold", p.static_threshold, {}, "",
            "erases by which a block may lag behind its plane's most worn one before its data are moved; 0: any");
  v.integer("check_erases", p.check_erases, {1, 1 << 20}, "",
            "erases on a plane between two searches for such a block");
}

}  // namespace nandscape::controller
