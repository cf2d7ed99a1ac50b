// SPDX-License-Identifier: Apache-2.0
// Defines how the bits of a cell are coded as threshold-voltage states. A coding is a table that maps each state to its
// bits. This table also determines the read levels of each page, the number of senses that a page needs, and the pages
// in which a misread cell causes a wrong bit.
//
// States are numbered in the order of their voltage. Level k, 1 <= k < states(), is between the states k-1 and k. A
// page consists of one bit of each cell of a wordline. Page 0 consists of the lowest bits (LSB).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/parameters.h"

namespace nandscape::nand {

class Coding {
 public:
  // `bits[s]` contains the bits of state s. The bit of page p is bit p. `places[s]` is the position of state s among
  // all voltage states to which the device can program a cell. If `places` is empty, state s is at place s. Throws
  // std::invalid_argument if two states have the same bits, if a combination of `pages` bits has no state, or if the
  // places are not in ascending order.
  Coding(std::uint32_t pages, std::vector<std::uint8_t> bits, std::vector<std::uint8_t> places = {});

  std::uint32_t pages() const { return pages_; }
  std::uint32_t states() const { return static_cast<std::uint32_t>(bits_.size()); }
  bool operator==(const Coding&) const = default;

  bool bit(std::uint32_t state, std::uint32_t page) const { return bits_[state] >> page & 1; }
  std::uint32_t bits(std::uint32_t state) const { return bits_[state]; }
  std::uint32_t state_of(std::uint32_t bits) const { return state_of_[bits]; }
  std::uint32_t place(std::uint32_t state) const { return places_[state]; }

  // Returns the levels at which the page's bit changes, in ascending order. A read of the page needs one sense for each
  // level.
  std::span<const std::uint8_t> levels(std::uint32_t page) const { return levels_[page]; }
  std::uint32_t senses(std::uint32_t page) const { return static_cast<std::uint32_t>(levels_[page].size()); }

 private:
  std::uint32_t pages_;
  std::vector<std::uint8_t> bits_;
  std::vector<std::uint8_t> places_;
  std::vector<std::uint8_t> state_of_;
  std::vector<std::vector<std::uint8_t>> levels_;
};

// Returns the codings that a configuration can select.
const std::vector<Choice>& codings();
// Returns the coding with this name. Throws std::logic_error if there is none.
const Coding& coding_named(std::string_view name);

}  // namespace nandscape::nand
