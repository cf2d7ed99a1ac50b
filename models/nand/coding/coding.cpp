// SPDX-License-Identifier: Apache-2.0
#include "nand/coding/coding.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

namespace nandscape::nand {

namespace {

constexpr std::uint32_t most_pages = 8;  // the bits of a state are stored in one byte

std::vector<std::uint8_t> every_place(std::size_t states) {
  std::vector<std::uint8_t> places;
  for (std::size_t s = 0; s < states; ++s) places.push_back(static_cast<std::uint8_t>(s));
  return places;
}

}  // namespace

Coding::Coding(std::uint32_t pages, std::vector<std::uint8_t> bits, std::vector<std::uint8_t> places)
    : pages_(pages), bits_(std::move(bits)), places_(std::move(places)) {
  if (pages > most_pages) throw std::invalid_argument("a coding has at most 8 pages");
  const std::size_t combinations = std::size_t{1} << pages;
  if (bits_.size() != combinations) {
    throw std::invalid_argument("a coding of " + std::to_string(pages) + " pages has " + std::to_string(combinations) +
                                " states, not " + std::to_string(bits_.size()));
  }
  // The number of states equals the number of bit combinations. If all states have different bits, each combination has
  // a state.
  std::vector<bool> taken(combinations);
  state_of_.resize(combinations);
  for (std::size_t s = 0; s < combinations; ++s) {
    if (bits_[s] >= combinations) throw std::invalid_argument("a state has bits of pages that the coding lacks");
    if (taken[bits_[s]]) throw std::invalid_argument("two states of a coding have the same bits");
    taken[bits_[s]] = true;
    state_of_[bits_[s]] = static_cast<std::uint8_t>(s);
  }

  if (places_.empty()) places_ = every_place(combinations);
  if (places_.size() != combinations) throw std::invalid_argument("a coding needs one place for each state");
  if (std::adjacent_find(places_.begin(), places_.end(), std::greater_equal<>()) != places_.end()) {
    throw std::invalid_argument("the places of a coding's states do not ascend");
  }

  levels_.resize(pages);
  for (std::uint32_t page = 0; page < pages; ++page) {
    for (std::uint32_t s = 1; s < states(); ++s) {
      if (bit(s, page) != bit(s - 1, page)) levels_[page].push_back(static_cast<std::uint8_t>(s));
    }
  }
}

}  // namespace nandscape::nand
