// SPDX-License-Identifier: Apache-2.0
// Sectors that the host was answered for and that could not be written back. Reads of them fail until they are written
// or trimmed, so that nobody is given older data in their place; so do flushes.
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
  // A write-back of the unit has failed, with that status; the sectors may be none, since others were written
  // meanwhile.
  void lose(Lpn lpn, SectorSet sectors, AccessStatus failure);
  bool holds(const PageAccess& read) const { return !lost_.empty() && find(read); }
  void written(Lpn lpn, SectorSet sectors) {
    if (!lost_.empty()) forget(lpn, sectors);
  }
  void trimmed(Lpn first, std::uint64_t pages);

  // What flushes are to be answered with: how the latest write-back failed, as long as something is lost.
  AccessStatus failure() const { return lost_.empty() ? AccessStatus::ok : failure_; }

  // Of a device of so many pages, with those sectors each.
  void persist(Archive& archive, std::uint64_t pages, SectorSet whole_unit);

 private:
  bool find(const PageAccess& read) const;
  void forget(Lpn lpn, SectorSet sectors);

  std::unordered_map<Lpn, SectorSet> lost_;
  AccessStatus failure_ = AccessStatus::ok;
};

}  // namespace nandscape::controller
