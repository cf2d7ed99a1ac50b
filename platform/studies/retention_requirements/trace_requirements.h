// SPDX-License-Identifier: Apache-2.0
// How long the data of a trace must be kept: section 4.1 of Liu, Yang and Wu, "Optimizing NAND Flash-Based
// SSDs via Retention Relaxation" (FAST 2012). The requirement of a written sector is the time until it is overwritten;
// for the last write of each sector it is unknown. Trimmed or zeroed sectors count as still required.
#pragma once

#include <cstdint>

#include "host/workloads/trace/trace_records.h"
#include "platform/studies/retention_requirements/requirement_histogram.h"

namespace nandscape {

struct TraceRequirements {
  std::uint64_t writes = 0;            // requests
  std::uint64_t written_sectors = 0;   // N
  std::uint64_t distinct_sectors = 0;  // W: the number of unknown requirements
  std::uint64_t capacity_sectors = 0;  // A: as given, or the end of the highest request
  std::uint64_t span_ns = 0;           // T1: from the end of the skipped time to the last record
  std::uint64_t reordered = 0;         // records earlier than a preceding record, moved to the time of that record
  std::uint64_t extents = 0;           // extents of written sectors at the end, which determine the memory use
  RequirementHistogram requirements;
};

// Reads the trace once and keeps none of its records. Skips writes within `skip_ns` after the first record. An address
// past the capacity is an error, as in a replay; with a capacity of 0, the highest address determines the disk size.
// Throws InputError for an unreadable trace, a trace without times, and a trace without writes.
TraceRequirements study_requirements(const host::TraceFile& trace, std::uint64_t skip_ns,
                                     std::uint64_t capacity_sectors);

}  // namespace nandscape
