// SPDX-License-Identifier: Apache-2.0
// Chooses the ISPP step of a wordline, for cells of any coding: the largest step with which all pages are still
// correctable at the end of the retention time. The error rate of a page is that of Sha, section IV, generalised to any
// number of states. It is a sum over the read levels that decide the page's bit:
//
//   CDBER = sum over these levels of P(s) R(s) + P(s + 1) L(s + 1), s the state below the level
//
// For two bits in natural binary coding these are equations 4 and 5. The bits of the pages of a wordline are assumed to
// be independent: the share of a state is the product of the shares of its bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace nandscape::controller {

class WordlineSpeedTable {
 public:
  // An ISPP step. The first, the device's own, is used when no other is legal.
  struct Step {
    double step_mv = 0;
    double program_us = 0;
    // For each state, the shares of its cells that are read as a lower and as a higher state, when data have reached
    // their required age.
    std::vector<double> left{};
    std::vector<double> right{};
  };

  // `bits` holds the bits of each state in the order of voltage, page p in bit p. Steps must rise. Throws
  // std::invalid_argument if there is no step, if a step lacks rates of a state, or if the steps do not rise.
  WordlineSpeedTable(std::vector<std::uint8_t> bits, std::vector<Step> steps, double correctable_ber);

  std::uint32_t pages() const { return pages_; }
  std::span<const Step> steps() const { return steps_; }
  double correctable_ber() const { return correctable_ber_; }

  // The raw bit error rate of a page. `ones` is the share of 1 bits in each page of the wordline.
  double cdber(std::uint32_t page, std::uint32_t step, std::span<const double> ones) const;
  // The number of the largest step with which all pages are correctable; 0 if there is none.
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
