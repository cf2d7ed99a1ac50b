// SPDX-License-Identifier: Apache-2.0
// Into how many segments a page may be divided, each a codeword [Sha, section IV-B2]: the more there are, the sooner
// they are decoded and the fewer errors their codes correct. A segment is expected to have the more errors the more of
// its cells are in a weak state: in 01 for the MSB page, in 01 or 00 for the LSB page (equations 6 and 7).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace nandscape::controller {

class SegmentChoice {
 public:
  // Of the codes from the second on, which have 2, 4, 8 and so on segments: a page may be of one if in each segment
  // less than that share of the cells is weak. The first code, of the whole page, may always be taken.
  struct Limits {
    std::vector<double> lsb;
    std::vector<double> msb;
  };

  // So many codes.
  SegmentChoice(const Limits& limits, std::uint32_t codes);

  std::uint32_t finest_segments() const { return 1u << (codes_ - 1); }

  // The last code that bears the page, by its number. Shares of weak cells are those of finest_segments() parts.
  std::uint32_t of_lsb_page(std::span<const double> weak) const { return choose(limits_.lsb, weak); }
  std::uint32_t of_msb_page(std::span<const double> weak) const { return choose(limits_.msb, weak); }

 private:
  std::uint32_t choose(const std::vector<double>& limits, std::span<const double> weak) const;

  Limits limits_;
  std::uint32_t codes_;
};

}  // namespace nandscape::controller
