// SPDX-License-Identifier: Apache-2.0
// Statistics `controller`.
#pragma once

#include <cstdint>

#include "controller/flash_ops/scheduler/flash_scheduler.h"
#include "controller/fullpages/fullpages.h"
#include "controller/mapping/mapping_cache.h"
#include "controller/migration/block_guarantees.h"
#include "controller/migration/block_renewal.h"
#include "controller/migration/garbage_collection/garbage_collector.h"
#include "controller/parity/parity.h"
#include "controller/power_loss/power_loss.h"
#include "controller/power_loss/power_on_recovery.h"
#include "controller/reading/counters.h"
#include "controller/slc_cache/slc_cache.h"
#include "controller/streams/stream_counters.h"
#include "controller/writing/writing_state.h"
#include "core/statistics.h"

namespace nandscape::controller {

struct ControllerCounters {
  std::uint64_t host_sectors_written = 0;
  std::uint64_t unmapped_reads = 0;
  std::uint64_t merge_reads = 0;
  std::uint64_t state_map_reads = 0;
  WriterCounters writer;
  SecondPassCounters second_passes;
  std::uint64_t failed_erases = 0;
  std::uint64_t scrubbed_pages = 0;
  std::uint64_t stalls = 0;
  bool read_only = false;
  std::uint64_t blocks_in_use = 0;
  std::uint32_t page_bytes = 0;
  ReadRetryCounters read_retry;
  ParityCounters parity;
  GarbageCollectionCounters collection;
  StreamCounters streams;
  RenewalCounters renewal;
  GuaranteeCounters guarantees;
  SlcCacheCounters slc_cache;
  RecoveryCounters recovery;
  SchedulerCounters scheduler;
  MappingCacheCounters mapping_cache;
  MappingMemoryFigures mapping_memory;
  FullpageCounters fullpages;
  PowerLossFigures power_loss;

  double host_bytes() const;
  double programmed_bytes() const;
  double write_amplification() const { return host_bytes() == 0 ? 0 : programmed_bytes() / host_bytes(); }
};
void describe(const ControllerCounters& counters, StatisticsVisitor& visitor);

}  // namespace nandscape::controller
