// SPDX-License-Identifier: Apache-2.0
// The codings that a configuration can select. In all of them, the bits of the erased state are ones.
#include <initializer_list>
#include <stdexcept>
#include <string>

#include "nand/coding/coding.h"

namespace nandscape::nand {

namespace {

struct NamedCoding {
  Choice choice;
  Coding coding;
};

// Returns the coding in which the bit of page p is 1 in the erased state and changes at each level of list p. If no
// level occurs in two lists, neighbouring states differ in exactly one bit, so the coding is a Gray code.
Coding flipping_at(std::initializer_list<std::initializer_list<std::uint8_t>> levels) {
  const auto pages = static_cast<std::uint32_t>(levels.size());
  const std::size_t states = std::size_t{1} << pages;
  std::vector<std::uint8_t> bits(states, static_cast<std::uint8_t>(states - 1));
  std::uint32_t page = 0;
  for (const auto& of_page : levels) {
    for (const std::uint8_t level : of_page) {
      for (std::size_t s = level; s < states; ++s) bits[s] ^= static_cast<std::uint8_t>(1u << page);
    }
    ++page;
  }
  return {pages, std::move(bits)};
}

const std::vector<NamedCoding>& all_codings() {
  static const std::vector<NamedCoding> all = {
      {{"slc", "one bit per cell"}, flipping_at({{1}})},
      // The states are 11, 10, 00, 01, where the left digit is the bit of page 0. The lower page is read faster, as in
      // the codings with more bits per cell.
      {{"mlc_12", "two bits per cell in a Gray code, read with 1 and 2 senses"}, flipping_at({{2}, {1, 3}})},
      // The states are 11, 10, 01, 00, where the left digit is the bit of page 1 (MSB). If a cell is misread as the
      // other one of the two middle states, both of its bits are wrong.
      {{"mlc_13", "two bits per cell in natural order, read with 3 (LSB) and 1 (MSB) senses"},
       Coding(2, {0b11, 0b10, 0b01, 0b00})},
      {{"tlc_124", "three bits per cell in a Gray code, read with 1, 2 and 4 senses"},
       flipping_at({{4}, {2, 6}, {1, 3, 5, 7}})},
      {{"tlc_232", "three bits per cell in a Gray code, read with 2, 3 and 2 senses"},
       flipping_at({{1, 5}, {2, 4, 6}, {3, 7}})},
      {{"qlc_1248", "four bits per cell in a Gray code, read with 1, 2, 4 and 8 senses"},
       flipping_at({{8}, {4, 12}, {2, 6, 10, 14}, {1, 3, 5, 7, 9, 11, 13, 15}})},
      // 96 Gray codes have these numbers of senses. This is one of the four that distribute the levels of each page
      // most evenly.
      {{"qlc_4434", "four bits per cell in a Gray code, read with 4, 4, 3 and 4 senses"},
       flipping_at({{1, 4, 6, 11}, {3, 7, 9, 13}, {2, 8, 14}, {5, 10, 12, 15}})},
  };
  return all;
}

}  // namespace

const std::vector<Choice>& codings() {
  static const std::vector<Choice> choices = [] {
    std::vector<Choice> names;
    for (const NamedCoding& named : all_codings()) names.push_back(named.choice);
    return names;
  }();
  return choices;
}

const Coding& coding_named(std::string_view name) {
  for (const NamedCoding& named : all_codings()) {
    if (named.choice.name == name) return named.coding;
  }
  throw std::logic_error("no coding is named '" + std::string(name) + "'");
}

}  // namespace nandscape::nand
