// SPDX-License-Identifier: Apache-2.0
#include "nand/coding.h"

#include <stdexcept>
#include <string>

namespace nandscape {

namespace {

struct Coding {
  Choice choice;
  std::vector<std::uint32_t> senses;
};

const std::vector<Coding>& all_codings() {
  static const std::vector<Coding> all = {
      {{"slc", "one bit per cell"}, {1}},
      {{"mlc_12", "two bits per cell, read with 1 and 2 senses"}, {1, 2}},
      {{"tlc_124", "three bits per cell, read with 1, 2 and 4 senses"}, {1, 2, 4}},
      {{"tlc_232", "three bits per cell, read with 2, 3 and 2 senses"}, {2, 3, 2}},
      {{"qlc_1248", "four bits per cell, read with 1, 2, 4 and 8 senses"}, {1, 2, 4, 8}},
      {{"qlc_4434", "four bits per cell, read with 4, 4, 3 and 4 senses"}, {4, 4, 3, 4}},
  };
  return all;
}

}  // namespace

const std::vector<Choice>& codings() {
  static const std::vector<Choice> choices = [] {
    std::vector<Choice> names;
    for (const Coding& coding : all_codings()) names.push_back(coding.choice);
    return names;
  }();
  return choices;
}

std::vector<std::uint32_t> senses_of(std::string_view name) {
  for (const Coding& coding : all_codings()) {
    if (coding.choice.name == name) return coding.senses;
  }
  throw std::logic_error("no coding is named '" + std::string(name) + "'");
}

}  // namespace nandscape
