// SPDX-License-Identifier: Apache-2.0
// Which ISPP step a wordline bears, for cells of any coding: the largest with which all of its pages are correctable
// once they have been kept as long as they have to. The error rate of a page is that of Sha, section IV, for any number
// of states. It adds up over the read levels that tell the page's bit:
//
//   CDBER = sum over these levels of P(s) R(s) + P(s + 1) L(s + 1), s the state below the level
//
// For two bits in natural order these are equations 4 and 5. What the pages of a wordline hold is taken to be
// independent: a state's share is the product of the shares of its bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace nandscape::controller {

class WordlineSpeedTable {
 public:
  // One ISPP step. The first, the device's own, is taken where no other is legal.
  struct Step {
    double step_mv = 0;
    double program_us = 0;
    // Of each state, the shares of its cells that are read as a lower and as a higher one when data are as old as they
    // get.
    std::vector<double> left{};
    std::vector<double> right{};
  };

  // `bits`: of each state in the order of voltage, page p in bit p. Steps rise. Throws std::invalid_argument unless
  // there is one, each with rates of all states, and if they do not rise.
  WordlineSpeedTable(std::vector<std::uint8_t> bits, std::vector<Step> steps, double correctable_ber);

  std::uint32_t pages() const { return pages_; }
  std::span<const Step> steps() const { return steps_; }
  double correctable_ber() const { return correctable_ber_; }

  // The raw bit error rate of a page, where `ones` is the share of bits that are 1 in each page of the wordline.
  double cdber(std::uint32_t page, std::uint32_t step, std::span<const double> ones) const;
  // The number of the largest step with which all pages are correctable.
  std::uint32_t largest_legal(std::span<const double> ones) const;

 private:
  double share(std::uint32_t state, std::span<const double> ones) const;
  bool legal(std::uint32_t step, std::span<const double> ones) const;

  std::vector<std::uint8_t> bits_;
  std::uint32_t pages_;
  std::vector<Step> steps_;
  double correctable_ber_;
};

}  // namespace nandscape::controller
