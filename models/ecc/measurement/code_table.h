// SPDX-License-Identifier: Apache-2.0
// How often a code fails and how long its decoder takes, by the raw errors of a codeword: measured with the real
// decoder, asked instead of it.
//
// By raw errors and not by RBER, since a device's model draws the errors of each codeword. Rates at an RBER follow from
//   FER(RBER) = sum over e of Binomial(e; codeword_bits, RBER) P_fail(e),
// which gives rates far below what frames at that RBER could show: P_fail need only be known where it is not rare.
//
// What soft reads tell depends on the RBER, too, and P_fail(e) is measured at the RBER that e errors are usual for. Of
// codewords with more errors than that, as most of those are that fail, the right bits are told better. They fail as
// often as codewords with
//   e - share (e - codeword_bits RBER)
// errors do, where the share, 0 for hard reads, was measured two standard deviations off.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "ecc/measurement/code_measurement.h"
#include "ecc/measurement/failure_curve.h"

namespace nandscape::ecc {

class CodeTable {
 public:
  // Throws std::invalid_argument when nothing was measured.
  explicit CodeTable(CodeMeasurement measurement);

  const CodeMeasurement& measurement() const { return measurement_; }
  const Code& code() const { return measurement_.code; }
  std::uint32_t payload_bytes() const { return measurement_.payload_bytes; }
  std::uint32_t codeword_bits() const { return measurement_.codeword_bits; }

  // A read of 1 to 7 sensing levels is decoded at least as well as one of the next lower number that was measured,
  // which answers for it. Throws std::out_of_range when there is none.
  double failure_probability(std::uint32_t levels, std::uint32_t errors) const {
    return at(curve(levels).rate, errors);
  }
  double mean_iterations(std::uint32_t levels, std::uint32_t errors) const {
    return at(curve(levels).mean_iterations, errors);
  }
  double iterations_deviation(std::uint32_t levels, std::uint32_t errors) const {
    return at(curve(levels).iterations_deviation, errors);
  }
  const FailureCurve& curve(std::uint32_t levels) const { return curves_[index_of(levels)]; }

  // Of a codeword with so many errors of a channel with that RBER.
  double failure_probability(std::uint32_t levels, std::uint32_t errors, double rber) const {
    return at_equivalent(curve(levels).rate, levels, errors, rber);
  }
  // The share of failing codewords that the decoder reports as corrected: in closed form where the code has one, else
  // as measured.
  double miscorrected_share(std::uint32_t levels, std::uint32_t errors, double rber) const {
    if (miscorrected_share_) return *miscorrected_share_;
    return at_equivalent(curve(levels).miscorrected_share, levels, errors, rber);
  }
  double mean_iterations(std::uint32_t levels, std::uint32_t errors, double rber) const {
    return at_equivalent(curve(levels).mean_iterations, levels, errors, rber);
  }

  // The errors of a codeword that fails as often at the RBER usual for them as one with `errors` does at `rber`.
  double equivalent_errors(std::uint32_t levels, double errors, double rber) const {
    return errors - channel_share(levels) * (errors - codeword_bits() * rber);
  }
  double channel_share(std::uint32_t levels) const { return channel_shares_[index_of(levels)]; }

  // Over a channel that flips each bit with the probability `rber`. Its bounds hold where those of all P_fail(e) do, so
  // that they are wider than 95 % of the cases need.
  RateEstimate frame_error_rate(std::uint32_t levels, double rber) const;
  // Mean over all frames, failing ones included.
  double mean_iterations_at(std::uint32_t levels, double rber) const;
  // The RBER at which the frame error rate is that, 0 < rate < 1.
  double rber_at(std::uint32_t levels, double frame_error_rate) const;
  // The same with bounds: where the upper and the lower bound of the frame error rate are that; 0 and 0.5 where they
  // are above it and below it everywhere.
  RateEstimate rber_estimate_at(std::uint32_t levels, double frame_error_rate) const;
  // Over how many decades the frame error rate at that RBER is extrapolated, 0 where it is not: how far it lies below
  // the rate of which half of the failing codewords have as many errors as were measured, or more. What bounds tell of
  // such a rate supposes that the failure curve goes on as it does above (failure_curve.h).
  double extrapolated_decades(std::uint32_t levels, double rber) const;

  // Equation 1 (see uber.h) with the measured frame error rate.
  RateEstimate uber(std::uint32_t levels, double rber) const;

 private:
  static constexpr std::int8_t none = -1;

  static double at(const std::vector<double>& values, std::uint32_t errors) {
    return values[std::min<std::size_t>(errors, values.size() - 1)];
  }
  std::size_t index_of(std::uint32_t levels) const {
    const std::int8_t index = levels <= most_sensing_levels ? curve_of_[levels] : none;
    if (index == none) refuse(levels);
    return static_cast<std::size_t>(index);
  }
  [[noreturn]] void refuse(std::uint32_t levels) const;
  double at_equivalent(const std::vector<double>& values, std::uint32_t levels, std::uint32_t errors,
                       double rber) const;
  double mean_over_errors(const std::vector<double>& by_errors, std::uint32_t levels, double rber) const;
  // By how much the logarithm of the mean of these rates by errors, at an RBER, lies above that of a rate.
  double log_excess(const std::vector<double>& rates, std::uint32_t levels, double rber, double rate) const;

  CodeMeasurement measurement_;
  std::vector<FailureCurve> curves_;
  std::vector<double> channel_shares_;
  std::optional<double> miscorrected_share_;  // of any number of errors
  std::array<std::int8_t, most_sensing_levels + 1> curve_of_;
};

// Of values by the number of errors, the last entry holding for all larger ones: their mean over the errors of a
// codeword of so many bits.
double binomial_mean(const std::vector<double>& by_errors, std::uint32_t codeword_bits, double rber);

}  // namespace nandscape::ecc
