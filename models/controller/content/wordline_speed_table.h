// SPDX-License-Identifier: Apache-2.0
// Chooses the ISPP step with which a page or a wordline is programmed [Sha, section IV-B1, Table II]. The cells may
// have any coding. A larger step programs faster but causes more read errors. A step is legal if the page can still be
// corrected at the end of its retention time. The error rate of a page is calculated as in [Sha, section IV], but for
// any number of states. It is a sum over the read levels at which the page's bit changes. If s is the state below a
// level, then
//
// CDBER = sum over these levels of P(s) R(s) + P(s + 1) L(s + 1)
//
// where P is the share of the cells in a state, and L and R are the shares of these that are read as a lower and as a
// higher state. For two bits in natural binary coding, this sum equals equations 4 and 5 (see cdber.h). The error rates
// are computed from the cell model by the creator of the table.
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

  // An ISPP step, with its error rates. The first step of the table is the default step of the device. It is used if no
  // other step is legal.
  struct Step {
    double step_mv = 0;
    double program_us = 0;
    // For each state, the share of its cells that are read as a lower state (left) and as a higher state (right). The
    // rates are those at the end of the retention time that the data need.
    std::vector<double> left{};
    std::vector<double> right{};
  };

  // `bits` contains the bits of each state, in the order of rising voltage; the bit of page p is bit p. The steps must
  // be in ascending order of `step_mv`. Throws std::invalid_argument if there is no step, if a step lacks the rates of
  // a state, if the steps are not in ascending order, or if there are more than most_states states.
  WordlineSpeedTable(std::vector<std::uint8_t> bits, std::vector<Step> steps, double correctable_ber);

  std::uint32_t pages() const { return pages_; }
  std::span<const Step> steps() const { return steps_; }
  double correctable_ber() const { return correctable_ber_; }

  // Returns the share of the cells in each state under the assumption that the bits of the pages are independent.
  // `ones` contains the share of 1 bits in each page of the wordline.
  std::array<double, most_states> shares_of(std::span<const double> ones) const;

  // Returns the raw bit error rate of a page that is programmed with the step. `shares` contains the share of the cells
  // in each state.
  double cdber(std::uint32_t page, std::uint32_t step, std::span<const double> shares) const;
  // Return the number of the largest step with which the given page, or every page of the wordline, is correctable.
  // They return 0, the default step of the device, if no step is legal.
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
