// SPDX-License-Identifier: Apache-2.0
// The statistics group `energy`: what each part of the drive took, in joules, and their sum. Parts count times, bytes
// and codewords as integers; joules are made of them when statistics are asked for. What parts take while they do
// nothing is not in it.
#pragma once

#include <string_view>
#include <vector>

#include "core/statistics.h"

namespace nandscape {

class EnergyAccount {
 public:
  // `name` ends in "_j"; the text must last.
  void add(std::string_view name, double joules, std::string_view meaning) {
    parts_.push_back({name, joules, meaning});
  }
  double total() const;

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
