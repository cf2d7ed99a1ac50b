// SPDX-License-Identifier: Apache-2.0
// The statistics group `energy`: the energy of each part of the drive, in joules, and their sum. Parts count times,
// bytes and codewords as integers; these are converted to joules when statistics are read.
#pragma once

#include <string_view>
#include <vector>

#include "core/statistics.h"

namespace nandscape {

class EnergyAccount {
 public:
  // Adds the energy of one part. `name` must end in "_j". The strings of `name` and `meaning` must outlive this object.
  void add(std::string_view name, double joules, std::string_view meaning) {
    parts_.push_back({name, joules, meaning});
  }
  double total() const;
  // Returns the energy of the part with this name, or 0 if there is none.
  double joules(std::string_view name) const;

  friend void describe(const EnergyAccount& account, StatisticsVisitor& v);

 private:
  struct Part {
    std::string_view name;
    double joules;
    std::string_view meaning;
  };
  std::vector<Part> parts_;
};

}  // namespace nandscape
