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
                  "bytes programmed over bytes the host wrote; not known of fewer than ten `host_pages`");
  v.count("unmapped_reads", c.unmapped_reads, "pages read that held no data");
  v.count("merge_reads", c.merge_reads, "pages read to be merged with a write of a part of them");
  v.count("state_map_reads", c.state_map_reads, "pages read to undo the state map of the other page of their wordline");
  v.count("programmed_pages", c.writer.programmed_pages, "pages programmed, for whatever reason");
  v.count("host_pages", c.writer.host_pages, "of these, pages with what the host wrote");
  v.count("padding_pages", c.writer.padding_pages, "of these, pages with no data at all that only complete a wordline");
  v.count("unfilled_units", c.writer.unfilled_units,
          "mapping units for which there was room in the other pages, and that were left empty");
  v.count("failed_programs", c.writer.failed_programs, "programs that failed; the pages were written elsewhere");
  v.count("failed_erases", c.failed_erases, "erases that failed");
  v.count("scrubbed_pages", c.scrubbed_pages, "pages read only to look for errors");
  v.count("stalls", c.stalls, "times that the drive had to end commands, or to stop, since it could not go on");
  v.level("read_only", std::uint64_t{c.read_only},
          "1 once so many blocks have failed that nothing can be written any more");
  v.level("blocks_in_use", c.blocks_in_use, "superblocks that are neither free nor retired, now");
  v.group("recovery", c.recovery, "the mapping after a loss of power");
  v.group("read_retry", c.read_retry, "pages that had to be read more than once");
  v.group("parity", c.parity, "pages of parity, and what is made from them");
  v.group("gc", c.collection, "garbage collection");
  v.group("renewal", c.renewal, "blocks refreshed in place (controller.refresh.policy)");
  v.group("guarantees", c.guarantees, "blocks that keep data for a limited time (controller.write_mode)");
  v.group("scheduler", c.scheduler, "flash commands of the dies");
  v.group("mapping_cache", c.mapping_cache, "the part of the mapping that is in memory");
  v.group("fullpages", c.fullpages, "fullpages that are spread over layers");
  v.group("power_loss", c.power_loss, "when the power went");
}

}  // namespace nandscape::controller
