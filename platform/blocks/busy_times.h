// SPDX-License-Identifier: Apache-2.0
// How long each resource of a platform has been in use, and work has waited at each of its limits, since its
// construction.
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
    std::string meaning;      // of the busiest one
    std::vector<Unit> units;  // a single one has no name
  };

  // A resource of which there is one, or the mean of several is told.
  void add(std::string_view kind, std::string_view meaning, Tick busy) {
    kinds_.push_back({std::string(kind), std::string(meaning), {{"", busy}}});
  }
  // Several, each by its name among them.
  void add(std::string_view kind, std::string_view meaning, std::vector<Unit> units) {
    kinds_.push_back({std::string(kind), std::string(meaning), std::move(units)});
  }
  const std::vector<Kind>& kinds() const { return kinds_; }

 private:
  std::vector<Kind> kinds_;
};

}  // namespace nandscape
