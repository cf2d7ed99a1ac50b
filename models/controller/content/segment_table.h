// SPDX-License-Identifier: Apache-2.0
// Chooses how many segments a page is divided into, each a codeword of its own [Sha, section IV-B2, Table III]. The
// more segments, the faster they decode and the fewer errors their codes correct. The expected number of errors in a
// segment rises with its share of weak cells (weak_cells()). The segment with the highest CDBER decides.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "controller/content/cdber.h"
#include "controller/content/state_mapping.h"

namespace nandscape::controller {

// Which segments a code must cover.
enum class CoveredSegments : std::uint8_t {
  finest,  // every counted segment, even if the code has fewer; the paper's rule: compare only the worst
  own,     // the code's own segments; their states are the means over the counted segments
};

// Limits of the codes from the second onward. A page may use a code if in each of its segments the share of weak cells
// is below the code's limit. Which cells are weak depends on the page type, LSB or MSB.
struct SegmentLimits {
  std::vector<double> lsb;
  std::vector<double> msb;
};

class SegmentTable {
 public:
  // A code that divides the page into `segments` segments.
  struct Code {
    std::uint32_t segments = 1;
    double correctable_ber = 0;
    double decode_us = 0;  // to decode one segment
  };

  // Derives the limits from the error rates. Codes are in ascending order of their number of segments. The first, the
  // device's own, is used when no other covers the page. Throws std::invalid_argument unless there is a code and each
  // number of segments divides the next.
  SegmentTable(std::vector<Code> codes, const StateErrorRates& errors, std::uint32_t cells,
               CoveredSegments covered = CoveredSegments::finest);
  // Takes the given limits for `codes` codes, which have 1, 2, 4, 8 and so on segments. Codes without a limit are never
  // chosen. The table has no error rates, so optimal() and fastest_mapping() must not be called.
  SegmentTable(SegmentLimits limits, std::uint32_t codes, CoveredSegments covered);

  std::span<const Code> codes() const { return codes_; }
  const StateErrorRates& errors() const { return errors_; }
  std::uint32_t cells() const { return cells_; }  // cells of a wordline
  const SegmentLimits& limits() const { return limits_; }
  std::uint32_t finest_segments() const { return codes_.back().segments; }
  // The largest number of weak cells in a page that a code covers by the relaxed CDBER, if the weak cells are spread
  // evenly over the segments. Negative if the code covers no page. Table III counts in this way.
  std::int64_t most_weak_cells(PairedPage page, std::uint32_t code) const;

  // Return the number of the last code that covers the page: relaxed() by the limits, optimal() by the exact CDBER.
  // `weak` holds the share of weak cells of each counted segment, `segments` its cell states. A code is skipped if its
  // number of segments does not divide the number of counted segments.
  std::uint32_t relaxed(PairedPage page, std::span<const double> weak) const;
  std::uint32_t relaxed(PairedPage page, std::span<const StateCounts> segments) const;
  std::uint32_t optimal(PairedPage page, std::span<const StateCounts> segments) const;

  // The mapping with which the segments of both pages decode fastest, by the limits.
  StateMapping fastest_mapping(std::span<const StateCounts> segments) const;

 private:
  template <class Covers>
  std::uint32_t last_that(std::size_t segments, Covers covers) const;

  std::vector<Code> codes_;
  StateErrorRates errors_;
  std::uint32_t cells_ = 0;
  CoveredSegments covered_;
  SegmentLimits limits_;
};

}  // namespace nandscape::controller
