// SPDX-License-Identifier: Apache-2.0
// The format of the journal of trims, which records on flash which units have been trimmed. It is needed because
// trimming a unit leaves its old data on flash, and the tag of their page does not show that the unit has been trimmed.
// A record contains a range of units and a version. Data with that version or a newer version were written after the
// trim.
//
// Records are gathered in memory. They are written to a page of the journal at a flush, or before an erase that might
// remove data that a trim has invalidated. All pages of a wordline are written with the same content, because only a
// complete wordline is durable. When a block is full, the next block begins with a snapshot, which contains all units
// that are trimmed at that time. Once the snapshot is complete, the older blocks may be erased.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "controller/mapping/trimmed_ranges.h"

namespace nandscape::controller {

// The decoded content of a page of the journal. `snapshot` is the number of the latest snapshot that had been begun
// when the page was written, and `completes_snapshot` is set in its last page.
struct JournalPage {
  std::uint64_t snapshot = 0;
  bool completes_snapshot = false;
  std::vector<TrimRecord> records;
};

// most_trim_records() returns the number of records that fit in a page. journal_words() returns the words of a page's
// tag with the given records; there must not be more than fit.
std::size_t most_trim_records(std::uint32_t page_bytes);
std::vector<std::uint64_t> journal_words(std::uint64_t snapshot, bool completes_snapshot,
                                         std::span<const TrimRecord> records);
// Decodes a page that has the mark of the journal. Records that are cut off at the end of the page are left out.
JournalPage journal_page(std::span<const std::uint64_t> words);

}  // namespace nandscape::controller
