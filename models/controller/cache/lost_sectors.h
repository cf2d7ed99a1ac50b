// SPDX-License-Identifier: Apache-2.0
// Sectors of answered writes that could not be written back. Reads of them fail until they are written or trimmed, so
// that no read returns older data. Flushes fail meanwhile.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "controller/cache/sector_set.h"
#include "core/archive.h"
#include "core/ids.h"
#include "protocol/storage.h"

namespace nandscape::controller {

class LostSectors {
 public:
  // Records that a write-back of the unit failed with status `failure`. `sectors` may be empty, since the host may have
  // overwritten all of them meanwhile.
  void lose(Lpn lpn, SectorSet sectors, AccessStatus failure);
  bool holds(const PageAccess& read) const { return !lost_.empty() && find(read); }
  void written(Lpn lpn, SectorSet sectors) {
    if (!lost_.empty()) forget(lpn, sectors);
  }
  void trimmed(Lpn first, std::uint64_t pages);

  // The status with which to answer flushes: that of the latest failed write-back, while any sector is lost; otherwise
  // ok.
  AccessStatus failure() const { return lost_.empty() ? AccessStatus::ok : failure_; }

  // The device has `pages` logical pages of the sectors `whole_unit` each.
  void persist(Archive& archive, std::uint64_t pages, SectorSet whole_unit);

 private:
  bool find(const PageAccess& read) const;
  void forget(Lpn lpn, SectorSet sectors);

  std::unordered_map<Lpn, SectorSet> lost_;
  AccessStatus failure_ = AccessStatus::ok;
};

}  // namespace nandscape::controller
