// SPDX-License-Identifier: Apache-2.0
// The units that may be evicted: clean and idle, in the order in which they became so. The replacement kinds differ in
// how a use changes this order.
#pragma once

#include "controller/cache/cached_unit.h"
#include "controller/cache/parameters.h"

namespace nandscape::controller {

class CleanUnits {
 public:
  explicit CleanUnits(CacheReplacement replacement) : replacement_(replacement) {}

  bool empty() const { return list_.empty(); }

  void add(CachedUnit& unit) {
    unit.used = false;
    list_.push_back(unit);
  }
  void remove(CachedUnit& unit) { list_.remove(unit); }

  void use(CachedUnit& unit) {
    unit.used = true;
    if (replacement_ == CacheReplacement::lru) {
      list_.remove(unit);
      list_.push_back(unit);
    }
  }

  // Returns the unit to evict. At least one unit must be listed.
  CachedUnit& victim() {
    while (replacement_ == CacheReplacement::clock && list_.front().used) {
      CachedUnit& spared = list_.front();
      list_.remove(spared);
      add(spared);
    }
    return list_.front();
  }

 private:
  const CacheReplacement replacement_;
  UnitList list_{CachedUnit::Listed::clean};
};

}  // namespace nandscape::controller
