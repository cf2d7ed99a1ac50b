// SPDX-License-Identifier: Apache-2.0
// How many cells of the parts of a page are in a weak state, as far as that is known when the page is encoded.
//
// With the paper's natural binary coding (mlc_13) a cell is in 01 or 00 where the bit of its MSB page is 0, and in 01
// where that of its LSB page is 1 besides. From the bytes of one page alone follows:
//
//   MSB page   at most as many cells are in 01 as its zeroes
//   LSB page   nothing: any cell may be in 01 or 00, by the MSB page, which comes after it
//
// From the bytes of both pages follow the states of the cells, which can be mapped to others before they are counted.
// Where no bytes are kept, pages hold what a profile of files says of them (content_profile.h), which knows both pages
// of a wordline.
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
  // Without a profile the bytes count, as they go to flash.
  WeakCells(std::optional<ContentProfile> profile, std::uint32_t parts, ScrambleBytes scramble);

  // What the page holds, or both of a wordline, for the shares() to come.
  void look_at(const PageToEncode& page);
  void look_at(const PageToEncode& lsb, const PageToEncode& msb);
  // The states of the wordline as a whole. They are known with a profile, or of both pages.
  StateCounts counts() const;
  // Of weak cells by part, if it is that page of its wordline; they stand until the next call. Where states are not
  // known they are not mapped.
  std::span<const double> shares(PairedPage as, const StateMapping& mapping);

 private:
  // The page's bytes as they go to flash.
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
