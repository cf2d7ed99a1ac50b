// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/host_trims.h"

#include <algorithm>

#include "protocol/access_range.h"

namespace nandscape::controller {

namespace {

constexpr std::uint64_t units_trimmed_at_once = 1 << 16;

}  // namespace

HostTrims::HostTrims(UnitMap& map, BlockTable& blocks, MappingCache& mapping_cache, UnitWrites& units,
                     TrimmedRanges& trimmed, JournalWriter& journal, GarbageCollector& collector,
                     const PowerState& power, const HostPort& host, Calendar& calendar, double entry_ns)
    : map_(map),
      blocks_(blocks),
      mapping_cache_(mapping_cache),
      units_(units),
      trimmed_(trimmed),
      journal_(journal),
      collector_(collector),
      power_(power),
      host_(host),
      calendar_(calendar),
      entry_ns_(entry_ns) {}

bool HostTrims::is_ahead_of(const PageAccess& change) const {
  const auto first = trims_.upper_bound(change.lpn.value);
  if (first == trims_.end()) return false;
  const std::uint64_t end = change.lpn.value + pages_of(change);
  return std::any_of(first, trims_.upper_bound(first->first), [end](const Trims::value_type& item) {
    return item.second.access->lpn.value + item.second.done < end;
  });
}

HostTrims::Trims::iterator HostTrims::find(const PageAccess& access) {
  auto trim = trims_.find(end_of(access));
  while (trim->second.access != &access) ++trim;
  return trim;
}

void HostTrims::trim(PageAccess& access, Tick now) {
  trims_.emplace(end_of(access), Trim{&access, 0});
  go_on(access, now);
}

void HostTrims::go_on(PageAccess& access, Tick now) {
  Trim& trim = find(access)->second;
  const Lpn first(access.lpn.value + trim.done);
  std::uint64_t count = access.page_count - trim.done;
  // A trim of the whole mapping is done in one part, because it need not visit the entries one by one.
  if (!map_.is_whole(first, count) || !units_.in_flight().empty()) count = std::min(count, units_trimmed_at_once);
  if (UnitWrite* const earlier = units_.in_flight().find(first, count)) {
    earlier->waiting.push(access);
    return;
  }
  trim.done += count;
  const TrimRecord record{first, count, map_.next_version()};
  trimmed_.add(record);
  // A drive with a capacitor writes the trim records only when the power fails.
  if (!power_.programmed_is_durable()) journal_.record(record);
  const auto time = ticks_from_ns(entry_ns_ * static_cast<double>(count));
  busy_ = std::max(busy_, now) + time;
  calendar_.schedule<&HostTrims::part_ended>(busy_, *this, access);
  forget(first, count, now);
}

void HostTrims::part_ended(PageAccess& access) {
  const auto trim = find(access);
  const Tick now = calendar_.now();
  const Lpn first = access.lpn;
  const std::uint64_t count = access.page_count;
  if (trim->second.done != count) {
    go_on(access, now);
  } else {
    trims_.erase(trim);
    host_.complete(access, now);
  }
  listener_->trimmed(first, count, now);
}

void HostTrims::forget(Lpn first, std::uint64_t count, Tick now) {
  const FtlGeometry& g = blocks_.geometry();
  const Lpn end(first.value + count);
  if (map_.is_whole(first, count)) {
    blocks_.invalidate_all();
    map_.unmap(first, count);
    map_.set_none_lost();
    for (const FtlPlane plane : g.every_plane()) collector_.check(plane, now);
    return;
  }
  IdVector<FtlPlane, bool> planes(g.planes());
  std::vector<Lpn> changed;  // one unit of each translation page that changes
  for (Lpn lpn = map_.next_mapped(first, end); lpn < end; lpn = map_.next_mapped(Lpn(lpn.value + 1), end)) {
    const Ppa place = map_.find(lpn);
    blocks_.invalidate(place);
    planes[g.plane_of(g.block_of(place))] = true;
    map_.set_not_lost(lpn);
    if (!mapping_cache_.enabled()) continue;
    if (changed.empty() || mapping_cache_.page_of(changed.back()) != mapping_cache_.page_of(lpn)) {
      changed.push_back(lpn);
    }
  }
  map_.unmap(first, count);
  for (const Lpn lpn : changed) mapping_cache_.update(lpn, now);
  for (const FtlPlane plane : planes.places()) {
    if (planes[plane]) collector_.check(plane, now);
  }
}

}  // namespace nandscape::controller
