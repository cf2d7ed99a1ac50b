// SPDX-License-Identifier: Apache-2.0
// Chooses the number of segments of a page, each a codeword [Sha, section IV-B2]. The more segments, the faster they
// decode and the fewer errors their codes correct. The expected errors of a segment rise with its share of weak cells:
// in 01 for the MSB page, in 01 or 00 for the LSB page (equations 6 and 7).
#pragma once

#include <cstdint>
#include <span>

#include "controller/content/segment_table.h"
#include "controller/ecc_selection/ecc_selection.h"

namespace nandscape::controller {

class SegmentChoice {
 public:
  // The `codes` codes have 1, 2, 4, 8 and so on segments. The first, of the whole page, is always allowed.
  SegmentChoice(const SegmentLimits& limits, std::uint32_t codes, CoveredSegments covered);

  std::uint32_t finest_segments() const { return 1u << (codes_ - 1); }

  // Returns the number of the last code that suits the page. `weak` is the share of weak cells in each of the
  // finest_segments() parts.
  std::uint32_t choose(PairedPage page, std::span<const double> weak) const;

 private:
  SegmentLimits limits_;
  std::uint32_t codes_;
  CoveredSegments covered_;
};

}  // namespace nandscape::controller
