// SPDX-License-Identifier: Apache-2.0
#include "controller/cache/lost_sectors.h"

namespace nandscape::controller {

void LostSectors::lose(Lpn lpn, SectorSet sectors, AccessStatus failure) {
  failure_ = failure;
  if (!sectors.any()) return;
  SectorSet& all = lost_[lpn];
  all = all | sectors;
}

bool LostSectors::find(const PageAccess& read) const {
  const auto found = lost_.find(read.lpn);
  return found != lost_.end() && (found->second & SectorSet::range(read.first_sector, read.sector_count)).any();
}

void LostSectors::forget(Lpn lpn, SectorSet sectors) {
  const auto found = lost_.find(lpn);
  if (found == lost_.end()) return;
  found->second = found->second - sectors;
  if (!found->second.any()) lost_.erase(found);
}

void LostSectors::trimmed(Lpn first, std::uint64_t pages) {
  std::erase_if(lost_, [&](const auto& item) { return item.first.value - first.value < pages; });
}

void LostSectors::persist(Archive& archive, std::uint64_t pages, SectorSet whole_unit) {
  archive.section("lost sectors");
  archive.map(lost_, pages, "a lost logical page", [&](SectorSet& sectors) {
    archive(sectors);
    archive.require(sectors.any() && whole_unit.contains(sectors), "lost sectors are not sectors of a page");
  });
  archive.enumeration(failure_, AccessStatus::write_protected, "the status of a write-back");
  archive.require(lost_.empty() || failure_ != AccessStatus::ok, "pages were lost, but no write-back has failed");
}

}  // namespace nandscape::controller
