// SPDX-License-Identifier: Apache-2.0
// Chooses the number of segments of a page, each a codeword of its own [Sha, section IV-B2, Table III]. Codes of short
// segments decode faster and correct lower error rates. The segment with the highest CDBER decides.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "controller/content/cdber.h"

namespace nandscape::controller {

// Which segments a code must cover.
enum class CoveredSegments : std::uint8_t {
  finest,  // every counted segment, even if the code has fewer: the paper's rule, one comparison with the worst
  own,     // the code's own segments; their states are the sums over the counted segments
};

class SegmentTable {
 public:
  // A code that divides the page into `segments` segments.
  struct Code {
    std::uint32_t segments = 1;
    double correctable_ber = 0;
    double decode_us = 0;  // to decode one segment
  };

  // Codes are in order of rising numbers of segments. The first, the device's own, is used when no other covers the
  // page. Throws std::invalid_argument unless there is a code and each number divides the next.
  SegmentTable(std::vector<Code> codes, const StateErrorRates& errors, std::uint32_t cells,
               CoveredSegments covered = CoveredSegments::finest);

  std::span<const Code> codes() const { return codes_; }
  const StateErrorRates& errors() const { return errors_; }
  std::uint32_t cells() const { return cells_; }  // of a wordline
  // The largest number of weak cells (weak_cells()) of a page that a code covers by the relaxed CDBER, if all segments
  // have the same number. Negative if it covers none. Table III counts in this way.
  std::int64_t most_weak_cells(PairedPage page, std::uint32_t code) const { return most_[index(page)][code]; }

  // Return the number of the last code that covers the page, from the relaxed and from the exact CDBER. `segments`
  // holds the states of the counted segments. Codes whose number of segments does not divide segments.size() are
  // skipped.
  std::uint32_t relaxed(PairedPage page, std::span<const StateCounts> segments) const;
  std::uint32_t optimal(PairedPage page, std::span<const StateCounts> segments) const;

 private:
  static std::size_t index(PairedPage page) { return static_cast<std::size_t>(page); }
  template <class Covers>
  std::uint32_t last_that(std::span<const StateCounts> segments, Covers covers) const;

  std::vector<Code> codes_;
  StateErrorRates errors_;
  std::uint32_t cells_;
  CoveredSegments covered_;
  std::array<std::vector<std::int64_t>, paired_pages.size()> most_;  // by page, by code
};

}  // namespace nandscape::controller
