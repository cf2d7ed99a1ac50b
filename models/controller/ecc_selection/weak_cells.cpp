// SPDX-License-Identifier: Apache-2.0
#include "controller/ecc_selection/weak_cells.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/random.h"

namespace nandscape::controller {

WeakCells::WeakCells(std::optional<ContentProfile> profile, std::uint32_t parts, ScrambleBytes scramble)
    : profile_(std::move(profile)), scramble_(std::move(scramble)), shares_(parts), weak_(parts) {}

// What a page holds is that of its data, which move with their version.
void WeakCells::draw(const PageToEncode& page) {
  const std::uint64_t key = mix64(page.tag[0] & ~lost_bit) ^ version_in(page.tag[1]);
  profile_->segments(key, shares_);
}

void WeakCells::count_zeroes(const PageToEncode& page) {
  std::span<const std::byte> bytes = page.data;
  if (!page.encoded && scramble_) {
    scrambled_.assign(bytes.begin(), bytes.end());
    scramble_(page.tag.front(), scrambled_);
    bytes = scrambled_;
  }
  const std::size_t part = bytes.size() / weak_.size();
  for (std::size_t k = 0; k < weak_.size(); ++k) {
    int ones = 0;
    for (const std::byte byte : bytes.subspan(k * part, part)) ones += std::popcount(std::to_integer<unsigned>(byte));
    weak_[k] = 1 - ones / (8.0 * static_cast<double>(part));
  }
}

std::span<const double> WeakCells::weak_if_lsb(const PageToEncode& page) {
  if (!profile_) {
    std::ranges::fill(weak_, 1.0);
    return weak_;
  }
  draw(page);
  std::ranges::transform(shares_, weak_.begin(),
                         [](const StateShares& part) { return weak_cells(PairedPage::lsb, part); });
  return weak_;
}

std::span<const double> WeakCells::weak_if_msb(const PageToEncode& page) {
  if (!profile_) {
    count_zeroes(page);
    return weak_;
  }
  draw(page);
  std::ranges::transform(shares_, weak_.begin(),
                         [](const StateShares& part) { return weak_cells(PairedPage::msb, part); });
  return weak_;
}

}  // namespace nandscape::controller
