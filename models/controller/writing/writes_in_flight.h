// SPDX-License-Identifier: Apache-2.0
// Writes to one logical page go one after the other, so that none is lost when a part of it is merged with what it held
// before. This table finds the write that a page's next one has to wait for.
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
