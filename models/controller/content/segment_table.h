// SPDX-License-Identifier: Apache-2.0
// Chooses into how many segments a page is divided. Each segment is a separate codeword [Sha, section IV-B2, Table
// III]. The more segments a page has, the faster each of them is decoded, but the fewer errors its code can correct.
// The expected number of errors in a segment rises with its share of weak cells (see weak_cells()), so a code can be
// used only if it can correct the segment with the highest CDBER.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "controller/content/cdber.h"
#include "controller/content/state_mapping.h"

namespace nandscape::controller {

// Selects which segments a code must be able to correct. Cell states are counted for the finest division of the page; a
// counted segment is one of these.
enum class CoveredSegments : std::uint8_t {
  finest,  // each counted segment, even if the code's segments are larger; the paper's rule
  own,     // the segments of the code; the states of each are the mean over its counted segments
};

// For each code after the first, the share of weak cells from which the code must not be used: the share in each
// segment of the page must be below this limit. LSB and MSB pages have different limits, because different states are
// weak in them.
struct SegmentLimits {
  std::vector<double> lsb;
  std::vector<double> msb;
};

class SegmentTable {
 public:
  // A code with which a page is divided into `segments` segments.
  struct Code {
    std::uint32_t segments = 1;
    double correctable_ber = 0;
    double decode_us = 0;  // time to decode one segment
  };

  // Derives the limits of the codes from the error rates of the states. `codes` must be in ascending order of their
  // number of segments. The first code is the ordinary code of the device, which is used if no other code covers the
  // page. Throws std::invalid_argument if there is no code, or if the number of segments of a code does not divide that
  // of the next code.
  SegmentTable(std::vector<Code> codes, const StateErrorRates& errors, std::uint32_t cells,
               CoveredSegments covered = CoveredSegments::finest);
  // Uses the given limits for `codes` codes, which divide a page into 1, 2, 4, 8 and so on segments. A code without a
  // limit is never chosen. This table has no error rates, so optimal() and fastest_mapping() must not be called.
  SegmentTable(SegmentLimits limits, std::uint32_t codes, CoveredSegments covered);

  std::span<const Code> codes() const { return codes_; }
  const StateErrorRates& errors() const { return errors_; }
  std::uint32_t cells() const { return cells_; }  // cells of a wordline
  const SegmentLimits& limits() const { return limits_; }
  std::uint32_t finest_segments() const { return codes_.back().segments; }
  // Returns the largest number of weak cells in a page for which the code corrects the relaxed CDBER of every segment,
  // if the weak cells are spread evenly over the segments. Table III of [Sha] lists these numbers. Negative if the code
  // cannot correct a page even without weak cells.
  std::int64_t most_weak_cells(PairedPage page, std::uint32_t code) const;

  // Return the number of the last code that covers the page. relaxed() compares the shares of weak cells with the
  // limits, and optimal() computes the exact CDBER. `weak` contains the share of weak cells in each counted segment,
  // and `segments` contains the cell states of each counted segment. Codes whose number of segments does not divide the
  // number of counted segments are skipped.
  std::uint32_t relaxed(PairedPage page, std::span<const double> weak) const;
  std::uint32_t relaxed(PairedPage page, std::span<const StateCounts> segments) const;
  std::uint32_t optimal(PairedPage page, std::span<const StateCounts> segments) const;

  // Returns the state mapping with which the segments of both pages are decoded fastest. The code of each page is
  // chosen by relaxed().
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
