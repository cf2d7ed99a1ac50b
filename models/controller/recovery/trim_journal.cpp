// SPDX-License-Identifier: Apache-2.0
#include "controller/recovery/trim_journal.h"

#include <algorithm>

#include "controller/writing/page_tag.h"

namespace nandscape {

void TrimmedRanges::add(Lpn first, std::uint64_t count) {
  std::uint64_t begin = first.value, end = first.value + count;
  // Ranges that touch the new one become part of it.
  auto range = ends_.upper_bound(begin);
  if (range != ends_.begin() && std::prev(range)->second >= begin) --range;
  while (range != ends_.end() && range->first <= end) {
    begin = std::min(begin, range->first);
    end = std::max(end, range->second);
    range = ends_.erase(range);
  }
  ends_[begin] = end;
}

void TrimmedRanges::remove(Lpn lpn) {
  auto range = ends_.upper_bound(lpn.value);
  if (range == ends_.begin()) return;
  --range;
  const std::uint64_t begin = range->first, end = range->second;
  if (lpn.value >= end) return;
  ends_.erase(range);
  if (begin < lpn.value) ends_[begin] = lpn.value;
  if (lpn.value + 1 < end) ends_[lpn.value + 1] = end;
}

void TrimmedRanges::prune(const std::function<bool(Lpn)>& holds_data,
                          const std::function<void(Lpn, std::uint64_t)>& range) {
  std::map<std::uint64_t, std::uint64_t> left;
  for (const auto& [begin, end] : ends_) {
    for (std::uint64_t lpn = begin; lpn < end;) {
      while (lpn < end && holds_data(Lpn(lpn))) ++lpn;
      const std::uint64_t first = lpn;
      while (lpn < end && !holds_data(Lpn(lpn))) ++lpn;
      if (lpn == first) continue;
      left[first] = lpn;
      range(Lpn(first), lpn - first);
    }
  }
  ends_ = std::move(left);
}

namespace {

// The mark, the number of records; of each record three words.
constexpr std::size_t header_words = 2;
constexpr std::size_t record_words = 3;

}  // namespace

std::size_t most_trim_records(std::uint32_t page_bytes) {
  return (page_bytes / sizeof(std::uint64_t) - header_words) / record_words;
}

std::vector<std::uint64_t> journal_words(std::span<const TrimRecord> records) {
  std::vector<std::uint64_t> words{journal_mark, records.size()};
  for (const TrimRecord& record : records) {
    words.insert(words.end(), {record.first.value, record.count, record.version});
  }
  return words;
}

std::vector<TrimRecord> trim_records(std::span<const std::uint64_t> words) {
  std::vector<TrimRecord> records;
  for (std::uint64_t k = 0; k < words[1]; ++k) {
    const std::size_t at = header_words + k * record_words;
    if (at + record_words > words.size()) break;
    records.push_back({Lpn(words[at]), words[at + 1], words[at + 2]});
  }
  return records;
}

}  // namespace nandscape
