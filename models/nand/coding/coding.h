// SPDX-License-Identifier: Apache-2.0
// The coding of a cell's bits into threshold-voltage states. A coding is a table state -> bits. All else follows from
// it: the read levels and the number of senses of a page, and the pages that a misread flips.
//
// States are numbered in the order of their voltage. Level k, 1 <= k < states(), lies between states k-1 and k. A page
// is one bit of every cell of a wordline; page 0 is the lowest bit (LSB).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/parameters.h"

namespace nandscape::nand {

class Coding {
 public:
  // `bits[s]` holds the bits of state s, page p in bit p. `places[s]` is the position of state s among all voltage
  // states that the device can place; if empty, state s lies at place s. Throws std::invalid_argument unless all states
  // differ, every combination of `pages` bits has a state, and places ascend.
  Coding(std::uint32_t pages, std::vector<std::uint8_t> bits, std::vector<std::uint8_t> places = {});

  std::uint32_t pages() const { return pages_; }
  std::uint32_t states() const { return static_cast<std::uint32_t>(bits_.size()); }
  bool operator==(const Coding&) const = default;

  bool bit(std::uint32_t state, std::uint32_t page) const { return bits_[state] >> page & 1; }
  std::uint32_t bits(std::uint32_t state) const { return bits_[state]; }
  std::uint32_t state_of(std::uint32_t bits) const { return state_of_[bits]; }
  std::uint32_t place(std::uint32_t state) const { return places_[state]; }

  // The levels at which the page's bit changes, ascending; a read of the page senses once at each.
  std::span<const std::uint8_t> levels(std::uint32_t page) const { return levels_[page]; }
  std::uint32_t senses(std::uint32_t page) const { return static_cast<std::uint32_t>(levels_[page].size()); }

 private:
  std::uint32_t pages_;
  std::vector<std::uint8_t> bits_;
  std::vector<std::uint8_t> places_;
  std::vector<std::uint8_t> state_of_;
  std::vector<std::vector<std::uint8_t>> levels_;
};

// The codings that a configuration can select.
const std::vector<Choice>& codings();
// Throws std::logic_error if no coding has that name.
const Coding& coding_named(std::string_view name);

}  // namespace nandscape::nand
