// SPDX-License-Identifier: Apache-2.0
// Trims: units that hold nothing any more. A large one is carried out in parts, each of which takes its time, so that
// what else the controller has to do goes on in between.
#include <algorithm>

#include "controller/controller.h"

namespace nandscape {

namespace {

constexpr std::uint64_t units_trimmed_at_once = 1 << 16;

}  // namespace

void Controller::trim(PageAccess& access, Tick now) {
  trims_.push_back({&access, 0});
  go_on_trimming(access, now);
}

void Controller::go_on_trimming(PageAccess& access, Tick now) {
  Trim& trim = *std::ranges::find(trims_, &access, &Trim::access);
  const Lpn first(access.lpn.value + trim.done);
  std::uint64_t count = access.page_count - trim.done;
  // The whole mapping goes as one, which takes no look at its entries.
  if (!is_whole_mapping(first, count) || !writes_.empty()) count = std::min(count, units_trimmed_at_once);
  if (UnitWrite* const earlier = writes_.find(first, count)) {
    earlier->wait_behind(access);
    return;
  }
  trim.done += count;
  const TrimRecord record{first, count, ++version_};
  trimmed_.add(record);
  if (!survives_power_cut()) journal_.record(record);  // else it will be time to write that when the power fails
  const auto time = ticks_from_ns(parameters_.mapping.trim_entry_ns * static_cast<double>(count));
  trims_busy_ = std::max(trims_busy_, now) + time;
  calendar_.schedule<&Controller::trimmed>(trims_busy_, *this, reinterpret_cast<std::uintptr_t>(&access));
  forget(first, count, now);
}

void Controller::trimmed(std::uint64_t argument) {
  PageAccess& access = *reinterpret_cast<PageAccess*>(static_cast<std::uintptr_t>(argument));
  const auto trim = std::ranges::find(trims_, &access, &Trim::access);
  const Tick now = calendar_.now();
  const Lpn first = access.lpn;
  const std::uint64_t count = access.page_count;
  if (trim->done != count) {
    go_on_trimming(access, now);
  } else {
    trims_.erase(trim);
    complete(access, now);
  }
  if (!held_changes_.empty()) retry_held_changes(first, count, now);
}

void Controller::forget(Lpn first, std::uint64_t count, Tick now) {
  const Lpn end(first.value + count);
  if (is_whole_mapping(first, count)) {
    blocks_.invalidate_all();
    mapping_.unmap(first, count);
    lost_.clear();
    for (std::uint32_t plane = 0; plane < layout_.mapping().planes(); ++plane) collector_.check(PlaneId(plane), now);
    return;
  }
  std::vector<bool> planes(layout_.mapping().planes());
  std::vector<Lpn> changed;  // a unit of each translation page
  for (Lpn lpn = mapping_.next_mapped(first, end); lpn < end; lpn = mapping_.next_mapped(Lpn(lpn.value + 1), end)) {
    const Ppn place = mapping_.find(lpn);
    blocks_.invalidate(place);
    planes[layout_.mapping().plane_of(layout_.block_of(place)).value] = true;
    if (!lost_.empty()) lost_.erase(lpn.value);
    if (!mapping_cache_.enabled()) continue;
    if (changed.empty() || mapping_cache_.page_of(changed.back()) != mapping_cache_.page_of(lpn))
      changed.push_back(lpn);
  }
  mapping_.unmap(first, count);
  for (const Lpn lpn : changed) mapping_changed(lpn, now);
  for (std::uint32_t plane = 0; plane < planes.size(); ++plane) {
    if (planes[plane]) collector_.check(PlaneId(plane), now);
  }
}

}  // namespace nandscape
