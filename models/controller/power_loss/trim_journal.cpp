// SPDX-License-Identifier: Apache-2.0
#include "controller/power_loss/trim_journal.h"

#include <algorithm>

#include "controller/mapping/page_tag.h"

namespace nandscape::controller {

namespace {

// The header consists of three words: the mark of the journal, the number of the snapshot with a bit that is set if
// this page completes the snapshot, and the number of records. A record consists of its first unit, the number of
// units, and the version.
constexpr std::size_t header_words = 3;
constexpr std::size_t record_words = 3;

}  // namespace

std::size_t most_trim_records(std::uint32_t page_bytes) {
  return (page_bytes / sizeof(std::uint64_t) - header_words) / record_words;
}

std::vector<std::uint64_t> journal_words(std::uint64_t snapshot, bool completes_snapshot,
                                         std::span<const TrimRecord> records) {
  std::vector<std::uint64_t> words{journal_mark, 2 * snapshot + completes_snapshot, records.size()};
  for (const TrimRecord& record : records) {
    words.insert(words.end(), {record.first.value, record.count, record.version});
  }
  return words;
}

JournalPage journal_page(std::span<const std::uint64_t> words) {
  JournalPage page{.snapshot = words[1] / 2, .completes_snapshot = words[1] % 2 != 0, .records = {}};
  for (std::uint64_t k = 0; k < words[2]; ++k) {
    const std::size_t at = header_words + k * record_words;
    if (at + record_words > words.size()) break;
    page.records.push_back({Lpn(words[at]), words[at + 1], words[at + 2]});
  }
  return page;
}

}  // namespace nandscape::controller
