// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/trimmed_ranges.h"

#include <utility>

namespace nandscape::controller {

void TrimmedRanges::cut(std::uint64_t lpn) {
  auto range = ranges_.upper_bound(lpn);
  if (range == ranges_.begin()) return;
  --range;
  if (range->first == lpn || range->second.end <= lpn) return;
  ranges_[lpn] = range->second;
  range->second.end = lpn;
}

void TrimmedRanges::append(Ranges& ranges, std::uint64_t begin, const Range& range) {
  if (!ranges.empty()) {
    Range& last = ranges.rbegin()->second;
    if (last.end == begin && last.version == range.version) {
      last.end = range.end;
      return;
    }
  }
  ranges.emplace_hint(ranges.end(), begin, range);
}

void TrimmedRanges::add(const TrimRecord& trim) {
  const std::uint64_t begin = trim.first.value, end = begin + trim.count;
  cut(begin);
  cut(end);
  ranges_.erase(ranges_.lower_bound(begin), ranges_.lower_bound(end));
  ranges_[begin] = {end, trim.version};
}

void TrimmedRanges::remove(Lpn lpn) {
  cut(lpn.value);
  cut(lpn.value + 1);
  ranges_.erase(lpn.value);
}

void TrimmedRanges::prune(const std::function<Lpn(Lpn from, Lpn end)>& next_held) {
  Ranges left;
  for (const auto& [begin, range] : ranges_) {
    for (std::uint64_t lpn = begin; lpn < range.end; ++lpn) {
      const std::uint64_t held = next_held(Lpn(lpn), Lpn(range.end)).value;
      if (held != lpn) append(left, lpn, {held, range.version});
      lpn = held;
    }
  }
  ranges_ = std::move(left);
}

void TrimmedRanges::renew(std::uint64_t version, std::span<const Lpn> but) {
  for (const Lpn lpn : but) {
    cut(lpn.value);
    cut(lpn.value + 1);
  }
  Ranges renewed;
  auto next = but.begin();
  for (const auto& [begin, range] : ranges_) {
    while (next != but.end() && next->value < begin) ++next;
    const bool stays = next != but.end() && next->value == begin;
    append(renewed, begin, {range.end, stays ? range.version : version});
  }
  ranges_ = std::move(renewed);
}

std::vector<TrimRecord> TrimmedRanges::records() const {
  std::vector<TrimRecord> records;
  for (const auto& [begin, range] : ranges_) records.push_back({Lpn(begin), range.end - begin, range.version});
  return records;
}

void TrimmedRanges::persist(Archive& archive, std::uint64_t logical_pages, std::uint64_t newest_version) {
  std::vector<TrimRecord> saved = records();
  std::uint64_t end = 0;
  archive.list(saved, logical_pages, "ranges of trimmed pages", [&](TrimRecord& record) {
    archive.index(record.first, logical_pages, "the first page of a trim");
    archive.require(record.first.value >= end, "trims are out of order, or one lies in another");
    archive.number(record.count, logical_pages - record.first.value, "the pages of a trim");
    archive.require(record.count > 0, "a trim has no pages");
    archive.number(record.version, newest_version, "the version of a trim");
    end = record.first.value + record.count;
  });
  if (!archive.loading()) return;
  ranges_.clear();
  for (const TrimRecord& record : saved) {
    ranges_[record.first.value] = {record.first.value + record.count, record.version};
  }
}

}  // namespace nandscape::controller
