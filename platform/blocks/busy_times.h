// SPDX-License-Identifier: Apache-2.0
// Collects how long each resource of a platform has been in use, and how long work has waited at each of its limits,
// since its construction.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ticks.h"

namespace nandscape {

class BusyTimes {
 public:
  struct Unit {
    std::string name;
    Tick busy = 0;
  };
  struct Kind {
    std::string name;
    std::string meaning;      // describes the busiest unit
    std::vector<Unit> units;  // if the resource has only one unit, the name of the unit is empty
  };

  // Adds a resource with one unit, or with the mean of several units.
  void add(std::string_view kind, std::string_view meaning, Tick busy) {
    kinds_.push_back({std::string(kind), std::string(meaning), {{"", busy}}});
  }
  // Adds a resource with several units, which have names.
  void add(std::string_view kind, std::string_view meaning, std::vector<Unit> units) {
    kinds_.push_back({std::string(kind), std::string(meaning), std::move(units)});
  }
  const std::vector<Kind>& kinds() const { return kinds_; }

 private:
  std::vector<Kind> kinds_;
};

}  // namespace nandscape
