// SPDX-License-Identifier: Apache-2.0
#include "controller/controller_counters.h"

#include "protocol/storage.h"

namespace nandscape::controller {

double ControllerCounters::host_bytes() const { return static_cast<double>(host_sectors_written) * sector_bytes; }

double ControllerCounters::programmed_bytes() const {
  return static_cast<double>(writer.programmed_pages) * page_bytes;
}

void describe(const ControllerCounters& c, StatisticsVisitor& v) {
  v.sampled_ratio("write_amplification", c.programmed_bytes(), c.host_bytes(), c.writer.host_pages, "",
                  "bytes programmed over bytes written by the host; unknown below ten `host_pages`");
  v.count("unmapped_reads", c.unmapped_reads, "pages read that held no data");
  v.count("merge_reads", c.merge_reads, "pages read to merge them with a partial write");
  v.count("state_map_reads", c.state_map_reads, "pages read to undo the state map of the other page of their wordline");
  v.count("programmed_pages", c.writer.programmed_pages, "pages programmed, for any reason");
  v.count("host_pages", c.writer.host_pages, "of these, pages with host data");
  v.count("padding_pages", c.writer.padding_pages, "of these, pages without data that only complete a wordline");
  v.count("unfilled_units", c.writer.unfilled_units, "mapping units left empty in the other pages");
  v.group("second_passes", c.second_passes, "second passes of wordlines (nand.timing.program_passes)");
  v.count("failed_programs", c.writer.failed_programs, "programs that failed; the pages were written elsewhere");
  v.count("failed_erases", c.failed_erases, "erases that failed");
  v.count("scrubbed_pages", c.scrubbed_pages, "pages read only to check for errors");
  v.count("stalls", c.stalls, "times that the drive could not proceed, and had to end commands or stop");
  v.level("read_only", std::uint64_t{c.read_only}, "1 when too many blocks have failed for further writes");
  v.level("blocks_in_use", c.blocks_in_use, "superblocks that are currently neither free nor retired");
  v.group("recovery", c.recovery, "recovery of the mapping after a power loss");
  v.group("read_retry", c.read_retry, "pages that had to be read more than once");
  v.group("slc_cache", c.slc_cache, "blocks in SLC mode, to which the host writes first");
  v.group("parity", c.parity, "parity pages, and data rebuilt from them");
  v.group("gc", c.collection, "garbage collection");
  v.group("streams", c.streams, "what a policy with hot streams has separated (controller.streams.policy)");
  v.group("renewal", c.renewal, "blocks refreshed in place (controller.refresh.policy)");
  v.group("guarantees", c.guarantees, "blocks that keep data for a limited time (controller.write_mode.kept_weeks)");
  v.group("scheduler", c.scheduler, "flash commands of the dies");
  v.group("mapping_cache", c.mapping_cache, "cached part of the mapping");
  v.group("mapping_memory", c.mapping_memory, "look-ups of mapping entries (controller.mapping.memory)");
  v.group("fullpages", c.fullpages, "fullpages spread over layers");
  v.group("power_loss", c.power_loss, "state when the power failed");
}

}  // namespace nandscape::controller
