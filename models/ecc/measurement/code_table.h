// SPDX-License-Identifier: Apache-2.0
// How often a code fails and how many iterations its decoder takes, by the raw errors of a codeword. The table is
// measured with the real decoder and replaces it in simulations.
//
// The index is raw errors and not RBER, since a device's model draws the errors of each codeword. Rates at an RBER
// follow from
//   FER(RBER) = sum over e of Binomial(e; codeword_bits, RBER) P_fail(e),
// which gives rates far below those that frames at that RBER could show, since only frequent failures need to be
// measured.
//
// The information of soft reads depends on the RBER, too, and P_fail(e) is measured at the RBER for which e errors are
// usual. Most codewords that fail have more errors than usual for their RBER, so soft reads tell more about their right
// bits. They fail as often as codewords with
//   e - share (e - codeword_bits RBER)
// errors do. The share is 0 for hard reads; for soft reads it was measured with two standard deviations more errors
// than usual.
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
  // Throws std::invalid_argument if the measurement is empty.
  explicit CodeTable(CodeMeasurement measurement);

  const CodeMeasurement& measurement() const { return measurement_; }
  const Code& code() const { return measurement_.code; }
  std::uint32_t payload_bytes() const { return measurement_.payload_bytes; }
  std::uint32_t codeword_bits() const { return measurement_.codeword_bits; }

  // A read of 1 to 7 sensing levels uses the highest measured number of levels that does not exceed its own. A real
  // decoder does at least as well with all levels of the read. Throws std::out_of_range if there is none.
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

  // The probability that decoding fails for a codeword with `errors` errors, from a channel with this RBER.
  double failure_probability(std::uint32_t levels, std::uint32_t errors, double rber) const {
    return at_equivalent(curve(levels).rate, levels, errors, rber);
  }
  // The share of failing codewords that the decoder reports as corrected: in closed form if the code has one, else as
  // measured.
  double miscorrected_share(std::uint32_t levels, std::uint32_t errors, double rber) const {
    if (miscorrected_share_) return *miscorrected_share_;
    return at_equivalent(curve(levels).miscorrected_share, levels, errors, rber);
  }
  double mean_iterations(std::uint32_t levels, std::uint32_t errors, double rber) const {
    return at_equivalent(curve(levels).mean_iterations, levels, errors, rber);
  }

  // Returns e such that a codeword with e errors, read at the RBER for which e is usual, fails as often as one with
  // `errors` errors does at `rber`.
  double equivalent_errors(std::uint32_t levels, double errors, double rber) const {
    return errors - channel_share(levels) * (errors - codeword_bits() * rber);
  }
  double channel_share(std::uint32_t levels) const { return channel_shares_[index_of(levels)]; }

  // The frame error rate of a channel that flips each bit with probability `rber`. The bounds hold if those of all
  // P_fail(e) hold, so they are wider than a 95 % interval.
  RateEstimate frame_error_rate(std::uint32_t levels, double rber) const;
  // Mean over all frames, including failing ones.
  double mean_iterations_at(std::uint32_t levels, double rber) const;
  // The RBER at which the frame error rate has that value, 0 < rate < 1.
  double rber_at(std::uint32_t levels, double frame_error_rate) const;
  // The same with bounds: the RBERs at which the upper and the lower bound of the frame error rate have that value; 0
  // if the bound is above that value everywhere, 0.5 if it is below.
  RateEstimate rber_estimate_at(std::uint32_t levels, double frame_error_rate) const;
  // The number of decades over which the frame error rate at that RBER is extrapolated; 0 if it is not. Counts from the
  // rate at which half of the failing codewords have at least the lowest measured number of errors. The bounds of an
  // extrapolated rate assume that the failure curve continues as it does above (failure_curve.h).
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
  // The logarithm of the mean of these rates at that RBER, minus the logarithm of `rate`.
  double log_excess(const std::vector<double>& rates, std::uint32_t levels, double rber, double rate) const;

  CodeMeasurement measurement_;
  std::vector<FailureCurve> curves_;
  std::vector<double> channel_shares_;
  std::optional<double> miscorrected_share_;  // for any number of errors
  std::array<std::int8_t, most_sensing_levels + 1> curve_of_;
};

// The mean of `by_errors`, a value for each number of errors, over the errors of a codeword of `codeword_bits` bits.
// The last entry holds for all larger numbers.
double binomial_mean(const std::vector<double>& by_errors, std::uint32_t codeword_bits, double rber);

}  // namespace nandscape::ecc
