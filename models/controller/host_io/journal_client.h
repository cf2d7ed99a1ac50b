// SPDX-License-Identifier: Apache-2.0
// Provides the services that the journal of trims needs from the drive. It supplies blocks to write to and the ranges
// that are trimmed, and notifies the flushes and erases that wait for the journal.
#pragma once

#include <vector>

#include "controller/host_io/host_flushes.h"
#include "controller/mapping/power_state.h"
#include "controller/mapping/trimmed_ranges.h"
#include "controller/mapping/unit_map.h"
#include "controller/migration/block_erases.h"
#include "controller/migration/garbage_collection/garbage_collector.h"
#include "controller/power_loss/journal_writer.h"
#include "controller/writing/page_program.h"
#include "controller/writing/unit_writes.h"

namespace nandscape::controller {

class JournalClient final : public JournalWriter::Client {
 public:
  JournalClient(const UnitMap& map, BlockTable& blocks, TrimmedRanges& trimmed, const UnitWrites& units,
                const UndurablePages& undurable, GarbageCollector& collector, BlockErases& erases, HostFlushes& flushes,
                const PowerState& power)
      : map_(map),
        blocks_(blocks),
        trimmed_(trimmed),
        units_(units),
        undurable_(undurable),
        collector_(collector),
        erases_(erases),
        flushes_(flushes),
        power_(power) {}

  Superblock take_journal_block(bool replaces, Tick now) override;
  void release_journal_block(Superblock block, Tick now) override { collector_.discard(block, now); }
  void journal_block_failed(Superblock block) override { blocks_.set_failing(block); }
  void collect_trims(std::vector<TrimRecord>& records) override;
  void journal_waits(Tick now) override;
  void trims_durable(Tick now) override;

 private:
  const UnitMap& map_;
  BlockTable& blocks_;
  TrimmedRanges& trimmed_;
  const UnitWrites& units_;
  const UndurablePages& undurable_;
  GarbageCollector& collector_;
  BlockErases& erases_;
  HostFlushes& flushes_;
  const PowerState& power_;
};

}  // namespace nandscape::controller
