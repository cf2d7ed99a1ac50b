// SPDX-License-Identifier: Apache-2.0
// The units that may make room for others: clean, with nothing under way. They stand in the order in which they became
// so; the kinds of replacement differ in what a use of one changes.
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

  // Which unit makes room for another.
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
