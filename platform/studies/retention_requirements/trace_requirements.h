// SPDX-License-Identifier: Apache-2.0
// Determines how long the data of a trace must be retained, as in section 4.1 of Liu, Yang and Wu, "Optimizing NAND
// Flash-Based SSDs via Retention Relaxation" (FAST 2012). The requirement of a written sector is the time until it is
// overwritten; it is unknown for the last write of each sector. Trimmed or zeroed sectors count as still required.
#pragma once

#include <cstdint>

#include "host/workloads/trace/trace_records.h"
#include "platform/studies/retention_requirements/requirement_histogram.h"

namespace nandscape {

struct TraceRequirements {
  std::uint64_t writes = 0;            // requests
  std::uint64_t written_sectors = 0;   // N
  std::uint64_t distinct_sectors = 0;  // W, which is also the number of sectors whose requirement is unknown
  std::uint64_t capacity_sectors = 0;  // A: the given capacity, or the end of the highest request
  std::uint64_t span_ns = 0;           // T1: from the end of the skipped time to the last record
  // Records that are earlier than a record before them. They are moved to the time of that record.
  std::uint64_t reordered = 0;
  // Extents of written sectors at the end of the trace. Their number determines the memory use.
  std::uint64_t extents = 0;
  RequirementHistogram requirements;
};

// Reads the trace once, without storing its records. Skips the writes within `skip_ns` after the first record. If
// `capacity_sectors` is 0, the highest address determines the size of the disk; otherwise an address beyond the
// capacity is an error, as in a replay. Throws InputError for a trace that cannot be read, a trace without times, and a
// trace without writes.
TraceRequirements study_requirements(const host::TraceFile& trace, std::uint64_t skip_ns,
                                     std::uint64_t capacity_sectors);

}  // namespace nandscape
