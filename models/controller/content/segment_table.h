// SPDX-License-Identifier: Apache-2.0
// Into how many segments a page can be divided, each with a code of its own [Sha, section IV-B2, Table III]. Codes of
// short segments are decoded sooner and correct lower error rates; the segment with the highest CDBER decides.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "controller/content/cdber.h"

namespace nandscape::controller {

// Which segments a code has to cover.
enum class CoveredSegments : std::uint8_t {
  finest,  // all that are counted, however few the code itself has: the paper's rule, one comparison with the worst
  own,     // the code's own, whose states are those of the counted ones that they are made of
};

class SegmentTable {
 public:
  // The code of pages of so many segments.
  struct Code {
    std::uint32_t segments = 1;
    double correctable_ber = 0;
    double decode_us = 0;  // of one segment
  };

  // Codes by rising numbers of segments; the first, the device's own, is taken where no other will do. Throws
  // std::invalid_argument unless there is one and each number divides the next.
  SegmentTable(std::vector<Code> codes, const StateErrorRates& errors, std::uint32_t cells,
               CoveredSegments covered = CoveredSegments::finest);

  std::span<const Code> codes() const { return codes_; }
  const StateErrorRates& errors() const { return errors_; }
  std::uint32_t cells() const { return cells_; }  // of a wordline
  // The most weak cells (weak_cells()) that a code covers by the relaxed CDBER, of a page all of whose segments have as
  // many; negative: it covers none. Table III counts so.
  std::int64_t most_weak_cells(PairedPage page, std::uint32_t code) const { return most_[index(page)][code]; }

  // The last code that covers a page, by its number. `segments` has the states of the segments into which the page is
  // divided to be counted; codes whose own number does not divide theirs are passed over. From the relaxed CDBER, and
  // from the exact one.
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
