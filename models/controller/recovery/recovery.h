// SPDX-License-Identifier: Apache-2.0
// What the controller has to remember while it finds its mapping again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "controller/recovery/recovery_scan.h"
#include "controller/recovery/trim_journal.h"
#include "core/archive.h"
#include "core/ticks.h"
#include "protocol/storage.h"

namespace nandscape {

// What a block of the journal says.
struct JournalBlock {
  std::uint64_t snapshot = 0;
  bool complete = false;
  std::vector<TrimRecord> records;

  void take_in(const JournalPage& page) {
    snapshot = page.snapshot;
    complete |= page.completes_snapshot;
    records.insert(records.end(), page.records.begin(), page.records.end());
  }
};

// A checkpoint of the mapping, as it is on flash. It lies in blocks that nand.geometry leaves out, as firmware does.
struct MappingCheckpoint {
  std::vector<std::byte> state;  // empty: what the device was preconditioned with
  bool complete = false;         // nothing has been written since

  void persist(Archive& archive) { archive(state, complete); }
};

struct Recovery {
  Recovery(const FlashLayout& layout, std::uint64_t logical_pages, RecoveryScan::Client& client, Tick now,
           std::optional<std::uint64_t> known_version)
      : begin(now),
        scan(layout, logical_pages, client, known_version),
        most_programmed(layout.mapping().blocks()),
        least_programmed(layout.mapping().blocks(), layout.flash().pages_per_block),
        members_left(layout.mapping().blocks(), layout.members()),
        changed(layout.mapping().blocks()),
        stamps(layout.mapping().blocks()),
        reads_left(layout.flash().dies()),
        words(layout.flash().page_bytes / sizeof(std::uint64_t)) {}

  Tick begin;
  Tick scan_begin = 0;
  RecoveryScan scan;
  // By block of the mapping: pages of its most and of its least programmed member, and members that have not been
  // scanned.
  std::vector<std::uint32_t> most_programmed;
  std::vector<std::uint32_t> least_programmed;
  std::vector<std::uint32_t> members_left;
  std::vector<bool> changed;                         // since the checkpoint
  std::vector<std::optional<std::uint32_t>> stamps;  // found; the checkpoint's hold until all members are scanned
  std::vector<std::uint32_t> reads_left;             // of tags, by die: its planes are read together
  std::vector<Ppn> journal_pages;                    // of the flash
  std::size_t journal_pages_read = 0;
  std::vector<std::uint64_t> words;  // of the journal page being read
  std::map<BlockId, JournalBlock> journal;
  // Units that were found again, with the version of that time.
  struct Copy {
    Lpn lpn;
    Ppn place;
    std::uint64_t version;
    bool of_checkpoint;  // it is there if its block was not erased since
  };
  std::vector<Copy> copies;
  std::vector<BlockId> outdated_journal;
  std::vector<BlockId> undone;  // blocks that what was moved to them is no more in
  PageAccess* first_waiting = nullptr;
  PageAccess* last_waiting = nullptr;
  std::function<void()> ended;
};

}  // namespace nandscape
