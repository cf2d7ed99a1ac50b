// SPDX-License-Identifier: Apache-2.0
// Chooses the ISPP step of a page or of a wordline [Sha, section IV-B1, Table II], for cells of any coding. A larger
// step programs faster and leaves more errors. It is legal as long as the pages are still correctable at the end of
// their retention time. The error rate of a page is that of Sha, section IV, generalised to any number of states. It is
// a sum over the read levels that decide the page's bit:
//
// CDBER = sum over these levels of P(s) R(s) + P(s + 1) L(s + 1), where s is the state below the level
//
// For two bits in natural binary coding these are equations 4 and 5 (cdber.h). The table holds the error rates; its
// creator computes them from the cells.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nandscape::controller {

class WordlineSpeedTable {
 public:
  static constexpr std::size_t most_pages = 5;
  static constexpr std::size_t most_states = 1 << most_pages;

  // An ISPP step. The first, the device's own, is used when no other is legal.
  struct Step {
    double step_mv = 0;
    double program_us = 0;
    // For each state, the shares of its cells that are read as a lower and as a higher state, when data have reached
    // their required age.
    std::vector<double> left{};
    std::vector<double> right{};
  };

  // `bits` holds the bits of each state in the order of voltage, page p in bit p. Throws std::invalid_argument if there
  // is no step, if a step lacks rates of a state, if the steps do not rise, or if there are more than most_states
  // states.
  WordlineSpeedTable(std::vector<std::uint8_t> bits, std::vector<Step> steps, double correctable_ber);

  std::uint32_t pages() const { return pages_; }
  std::span<const Step> steps() const { return steps_; }
  double correctable_ber() const { return correctable_ber_; }

  // The share of the cells in each state if the bits of the pages are independent: the product of the shares of its
  // bits. `ones` is the share of 1 bits in each page of the wordline.
  std::array<double, most_states> shares_of(std::span<const double> ones) const;

  // The raw bit error rate of a page. `shares` holds the share of the cells in each state.
  double cdber(std::uint32_t page, std::uint32_t step, std::span<const double> shares) const;
  // The number of the largest step with which the page, or every page of the wordline, is correctable; 0 if no step is.
  std::uint32_t largest_legal(std::uint32_t page, std::span<const double> shares) const;
  std::uint32_t largest_legal(std::span<const double> shares) const;

 private:
  bool legal(std::uint32_t page, std::uint32_t step, std::span<const double> shares) const {
    return cdber(page, step, shares) <= correctable_ber_;
  }

  std::vector<std::uint8_t> bits_;
  std::uint32_t pages_;
  std::vector<Step> steps_;
  double correctable_ber_;
};

}  // namespace nandscape::controller
