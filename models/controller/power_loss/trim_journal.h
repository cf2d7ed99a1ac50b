// SPDX-License-Identifier: Apache-2.0
// Which units were trimmed, on flash. A trimmed unit leaves its data behind, and no tag says that they count no more; a
// journal of trims does. Its records give a range of units and the version that takes the place of their data: data of
// that version or newer were written after the trim.
//
// Records gather here until a flush, or an erase that might take away what a trim has made invalid, writes them to a
// page of the journal; the page is written to every place of a wordline, since it is durable only then. A full block is
// followed by another one that begins with a snapshot: all that is trimmed at the time. Once the snapshot is complete,
// the blocks before it may go.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "controller/mapping/trimmed_ranges.h"

namespace nandscape::controller {

// A page of the journal belongs to the snapshot that its block begins with, or goes on with. Snapshots are numbered.
struct JournalPage {
  std::uint64_t snapshot = 0;
  bool completes_snapshot = false;
  std::vector<TrimRecord> records;
};

// A page of the journal as the words of its tag.
std::size_t most_trim_records(std::uint32_t page_bytes);
std::vector<std::uint64_t> journal_words(std::uint64_t snapshot, bool completes_snapshot,
                                         std::span<const TrimRecord> records);
// Of a page that bears the mark; records that are cut off are left out.
JournalPage journal_page(std::span<const std::uint64_t> words);

}  // namespace nandscape::controller
