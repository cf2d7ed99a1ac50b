// SPDX-License-Identifier: Apache-2.0
// For how long a trace's data have to be kept: section 4.1 of the retention-relaxation paper (see
// retention_relaxation/error_rates.h). The requirement of a sector that is written is the time until it is overwritten;
// of the last write of each sector it is not known. Sectors that are trimmed or zeroed count as still required.
#pragma once

#include <cstdint>

#include "host/workloads/trace/trace_records.h"
#include "platform/studies/retention_requirements/requirement_histogram.h"

namespace nandscape {

struct TraceRequirements {
  std::uint64_t writes = 0;            // requests
  std::uint64_t written_sectors = 0;   // N
  std::uint64_t distinct_sectors = 0;  // W: as many requirements are not known
  std::uint64_t capacity_sectors = 0;  // A: as given, or up to the highest address
  std::uint64_t span_ns = 0;           // T1: from the end of what is skipped to the last record
  std::uint64_t reordered = 0;         // records earlier than one before them, taken at that one's time
  std::uint64_t extents = 0;           // that the sectors lie in at the end; memory follows them
  RequirementHistogram requirements;
};

// Reads the trace once and keeps none of its records. What comes within `skip_ns` after the first record is left out.
// With a capacity, an address past it is an error, as in a replay; with 0 the highest one says how large the disk is.
// Throws InputError for what cannot be read, for a trace without times and for one that writes nothing.
TraceRequirements study_requirements(const host::TraceFile& trace, std::uint64_t skip_ns,
                                     std::uint64_t capacity_sectors);

}  // namespace nandscape
