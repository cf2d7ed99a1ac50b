// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/unit_map.h"

#include <algorithm>
#include <string>
#include <vector>

#include "controller/mapping/page_tag.h"

namespace nandscape::controller {

void UnitMap::persist(Archive& archive) {
  archive.section("versions and places");
  archive.number(version_, most_version, "the newest version");
  std::vector<std::uint64_t> lost(lost_.begin(), lost_.end());
  std::ranges::sort(lost);
  archive.list(lost, units_, "lost pages",
               [&](std::uint64_t& lpn) { archive.index(lpn, units_, "a logical page that was lost"); });
  lost_ = {lost.begin(), lost.end()};
}

void UnitMap::check(Archive& archive) const {
  const auto require = [&](bool agree, Lpn lpn) {
    if (!agree)
      archive.refuse("logical page " + std::to_string(lpn.value) + " is mapped to a place that does not hold it");
  };
  if (table_.mostly_unmapped()) {
    // Each mapped unit must be held by the page to which it is mapped. If, in addition, there are exactly as many valid
    // pages as mapped units, no page holds anything else. For a drive that was trimmed as a whole, the cost of this
    // check depends only on the data that remain.
    std::uint64_t mapped = 0;
    table_.for_each_stored([&](Lpn lpn, Ppa place) {
      require(place.value < layout_.mapping().units() && blocks_.held_by(place) == lpn, lpn);
      ++mapped;
    });
    std::uint64_t held = 0;
    for (const FtlPlane plane : layout_.mapping().every_plane()) held += blocks_.valid_in_plane(plane);
    if (mapped == held) return;
  }
  // Otherwise, all changed entries and all changed blocks are checked. A unit whose entry has not changed is where the
  // initial fill placed it, unless the block table shows that this page was erased or invalidated.
  const InitialFill& initial = table_.initial();
  table_.for_each_changed([&](Lpn lpn, Ppa place) {
    const Ppa before = initial.find(lpn);
    if (place.valid()) require(place.value < layout_.mapping().units() && blocks_.held_by(place) == lpn, lpn);
    if (before.valid() && before != place) require(blocks_.held_by(before) != lpn, lpn);
  });
  const FtlGeometry& g = layout_.mapping();
  for (const Superblock block : g.every_block()) {
    const bool used = g.block_in_plane(block) < initial.used_blocks(g.plane_of(block));
    if (!blocks_.touched(block) || (blocks_.valid_pages(block) == 0 && !used)) continue;
    if (blocks_.filled(block)) {
      blocks_.for_each_invalidated(block, [&](Ppa place) {
        const Lpn before = initial.lpn_at(place);
        if (before.valid()) require(table_.find(before) != place, before);
      });
      continue;
    }
    for (std::uint32_t page = 0; page < g.units_per_block(); ++page) {
      const Ppa place = g.unit(block, page);
      const Lpn lpn = blocks_.held_by(place);
      if (lpn.valid()) require(lpn.value < units_ && table_.find(lpn) == place, lpn);
      const Lpn before = used ? initial.lpn_at(place) : Lpn();
      if (before.valid() && before != lpn) require(table_.find(before) != place, before);
    }
  }
}

}  // namespace nandscape::controller
