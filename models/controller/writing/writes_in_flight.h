// SPDX-License-Identifier: Apache-2.0
// Finds the write that the next write to a logical page has to wait for. Writes to one page go one after the other, so
// that none is lost when a partial write is merged with the page's previous content.
#pragma once

#include "controller/addresses/lpn_table.h"
#include "controller/writing/unit_write.h"

namespace nandscape::controller {

class WritesInFlight : public LpnTable<UnitWrite, &UnitWrite::next_in_flight> {
 public:
  using LpnTable::find;
  // Any write to the pages [first, first + count).
  UnitWrite* find(Lpn first, std::uint64_t count) const {
    UnitWrite* found = nullptr;
    any(first, count, [&](UnitWrite& write) {
      found = &write;
      return true;
    });
    return found;
  }
};

}  // namespace nandscape::controller
