// SPDX-License-Identifier: Apache-2.0
// The format of the journal of trims, which records on flash which units were trimmed. A trimmed unit leaves its data
// behind, and no tag says that they no longer count. A record of the journal holds a range of units and a version: data
// of that version or newer were written after the trim.
//
// Records gather in memory until a flush, or until an erase that might remove data which a trim has invalidated. They
// are then written to a page of the journal. Each page is written to every place of a wordline, since only a complete
// wordline is durable. A full block is followed by one that begins with a snapshot: all units that are trimmed at the
// time. Once the snapshot is complete, the blocks before it may be erased.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "controller/mapping/trimmed_ranges.h"

namespace nandscape::controller {

// A page of the journal. It belongs to the snapshot that its block begins with or continues. Snapshots are numbered.
struct JournalPage {
  std::uint64_t snapshot = 0;
  bool completes_snapshot = false;
  std::vector<TrimRecord> records;
};

// Encodes records as the words of a journal page's tag, which holds at most most_trim_records() of them.
std::size_t most_trim_records(std::uint32_t page_bytes);
std::vector<std::uint64_t> journal_words(std::uint64_t snapshot, bool completes_snapshot,
                                         std::span<const TrimRecord> records);
// Decodes a page that has the journal's mark; truncated records are left out.
JournalPage journal_page(std::span<const std::uint64_t> words);

}  // namespace nandscape::controller
