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

class SegmentTable {
 public:
  // The code of pages of so many segments.
  struct Code {
    std::uint32_t segments = 1;
    double correctable_ber = 0;
    double decode_us = 0;  // of one segment
  };

  // Codes by rising numbers of segments; the first, that of whole pages, is taken where no other will do. Throws
  // std::invalid_argument unless its number is 1 and each divides the next.
  SegmentTable(std::vector<Code> codes, const StateErrorRates& errors, std::uint32_t cells);

  std::span<const Code> codes() const { return codes_; }
  const StateErrorRates& errors() const { return errors_; }
  std::uint32_t cells() const { return cells_; }  // of a wordline
  // Into how many segments a page is divided to be looked up: a multiple of the numbers of all codes.
  std::uint32_t finest() const { return codes_.back().segments; }
  // The most weak cells (weak_cells()) of a segment that a code covers by the relaxed CDBER; negative: it covers none.
  std::int64_t most_weak_cells(PairedPage page, std::uint32_t code) const { return most_[index(page)][code]; }

  // The last code that covers all segments of a page, by its number. `segments` has the states of finest() segments of
  // its wordline, or of a number that finest() divides. From the relaxed CDBER, and from the exact one.
  std::uint32_t relaxed(PairedPage page, std::span<const StateCounts> segments) const;
  std::uint32_t optimal(PairedPage page, std::span<const StateCounts> segments) const;

 private:
  static std::size_t index(PairedPage page) { return static_cast<std::size_t>(page); }
  void check(std::span<const StateCounts> segments) const;

  std::vector<Code> codes_;
  StateErrorRates errors_;
  std::uint32_t cells_;
  std::array<std::vector<std::int64_t>, paired_pages.size()> most_;  // by page, by code
};

}  // namespace nandscape::controller
