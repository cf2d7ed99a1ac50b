// SPDX-License-Identifier: Apache-2.0
// Into how many segments a page may be divided, each a codeword [Sha, section IV-B2]: the more there are, the sooner
// they are decoded and the fewer errors their codes correct. A segment is expected to have the more errors the more of
// its cells are in a weak state: in 01 for the MSB page, in 01 or 00 for the LSB page (equations 6 and 7).
#pragma once

#include <cstdint>
#include <span>

#include "controller/content/segment_table.h"
#include "controller/ecc_selection/ecc_selection.h"

namespace nandscape::controller {

class SegmentChoice {
 public:
  // Of so many codes, which have 1, 2, 4, 8 and so on segments; the first, of the whole page, may always be taken.
  SegmentChoice(const SegmentLimits& limits, std::uint32_t codes, CoveredSegments covered);

  std::uint32_t finest_segments() const { return 1u << (codes_ - 1); }

  // The last code that bears the page, by its number. Shares of weak cells are those of finest_segments() parts.
  std::uint32_t choose(PairedPage page, std::span<const double> weak) const;

 private:
  SegmentLimits limits_;
  std::uint32_t codes_;
  CoveredSegments covered_;
};

}  // namespace nandscape::controller
