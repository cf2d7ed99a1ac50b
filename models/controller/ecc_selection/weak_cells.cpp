// SPDX-License-Identifier: Apache-2.0
#include "controller/ecc_selection/weak_cells.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "controller/content/state_counts.h"

namespace nandscape::controller {

WeakCells::WeakCells(std::optional<ContentProfile> profile, std::uint32_t parts, ScrambleBytes scramble)
    : profile_(profile),
      scramble_(std::move(scramble)),
      states_(parts),
      counts_(profile_ ? 0 : parts),
      zeroes_(profile_ ? 0 : parts),
      weak_(parts) {}

void WeakCells::look_at(const PageToEncode& page) {
  states_known_ = profile_.has_value();
  if (profile_) {
    profile_->segments(content_key(lpn_in(page.tag[0]), version_in(page.tag[1])), states_);
  } else {
    count_zeroes(page);
  }
}

void WeakCells::look_at(const PageToEncode& lsb, const PageToEncode& msb) {
  states_known_ = true;
  count_segments(as_stored(lsb, scrambled_), as_stored(msb, other_scrambled_), counts_);
  for (std::size_t k = 0; k < counts_.size(); ++k) states_[k] = counts_[k].shares();
}

std::span<const std::byte> WeakCells::as_stored(const PageToEncode& page, std::vector<std::byte>& scrambled) const {
  if (page.encoded || !scramble_) return page.data;
  scrambled.assign(page.data.begin(), page.data.end());
  scramble_(scrambler_key(page.tag.front()), scrambled);
  return scrambled;
}

void WeakCells::count_zeroes(const PageToEncode& page) {
  const std::span<const std::byte> bytes = as_stored(page, scrambled_);
  const std::size_t part = bytes.size() / zeroes_.size();
  for (std::size_t k = 0; k < zeroes_.size(); ++k) {
    int ones = 0;
    for (const std::byte byte : bytes.subspan(k * part, part)) ones += std::popcount(std::to_integer<unsigned>(byte));
    zeroes_[k] = 1 - ones / (8.0 * static_cast<double>(part));
  }
}

StateCounts WeakCells::counts() const {
  constexpr std::uint32_t cells_of_part = 1 << 16;  // the resolution of the shares
  StateCounts counts;
  for (const StateShares& part : states_) counts += counts_of(part, cells_of_part);
  return counts;
}

std::span<const double> WeakCells::shares(PairedPage as, const StateMapping& mapping) {
  if (!states_known_) {
    if (as == PairedPage::msb) return zeroes_;
    std::ranges::fill(weak_, 1.0);
    return weak_;
  }
  for (std::size_t k = 0; k < weak_.size(); ++k) {
    StateShares stored;
    for (std::size_t state = 0; state < cell_states; ++state) {
      stored[mapping(static_cast<CellState>(state))] = states_[k].of[state];
    }
    weak_[k] = weak_cells(as, stored);
  }
  return weak_;
}

}  // namespace nandscape::controller
