// SPDX-License-Identifier: Apache-2.0
// The share of weak cells in each part of a page, as far as it is known when the page is encoded.
//
// With the paper's natural binary coding (mlc_13), a cell is in 01 or 00 if its MSB bit is 0, and in 01 if its LSB bit
// is also 1. The bytes of one page alone give:
//
//   MSB page   the number of its zeroes is an upper bound of the cells in 01
//   LSB page   nothing: any cell may be in 01 or 00, depending on the MSB page, which is written later
//
// The bytes of both pages give the states of the cells, which can be mapped to others before they are counted. If the
// simulation keeps no bytes, a profile of files gives the content of both pages (content_profile.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "controller/content/cdber.h"
#include "controller/content/content_profile.h"
#include "controller/content/state_mapping.h"
#include "controller/ecc_selection/ecc_selection.h"

namespace nandscape::controller {

class WeakCells {
 public:
  // Without a profile, the bytes are counted as they are stored on flash.
  WeakCells(std::optional<ContentProfile> profile, std::uint32_t parts, ScrambleBytes scramble);

  // Sets the page, or both pages of a wordline, whose shares() follow.
  void look_at(const PageToEncode& page);
  void look_at(const PageToEncode& lsb, const PageToEncode& msb);
  // The states of the whole wordline. Valid with a profile, or after look_at with both pages.
  StateCounts counts() const;
  // The share of weak cells in each part, if the page is `as` in its wordline. States that are not known are not
  // mapped. The result is valid until the next call.
  std::span<const double> shares(PairedPage as, const StateMapping& mapping);

 private:
  // The page's bytes as stored on flash.
  std::span<const std::byte> as_stored(const PageToEncode& page, std::vector<std::byte>& scrambled) const;
  void count_zeroes(const PageToEncode& page);

  const std::optional<ContentProfile> profile_;
  const ScrambleBytes scramble_;
  bool states_known_ = false;
  std::vector<StateShares> states_;
  std::vector<StateCounts> counts_;
  std::vector<double> zeroes_;
  std::vector<double> weak_;
  std::vector<std::byte> scrambled_;
  std::vector<std::byte> other_scrambled_;
};

}  // namespace nandscape::controller
