// SPDX-License-Identifier: Apache-2.0
// A table of how often a code fails and how many iterations its decoder needs, for each number of raw errors in a
// codeword. The table was measured with the real decoder and replaces the decoder in simulations.
//
// The index is the number of raw errors and not the RBER, because the model of the device draws the errors of each
// codeword. The frame error rate at an RBER follows from
//   FER(RBER) = sum over e of Binomial(e; codeword_bits, RBER) P_fail(e).
// Only error counts at which failures are frequent need to be measured. The formula thus gives frame error rates that
// are far too low to be measured directly.
//
// The information of soft reads also depends on the RBER. P_fail(e) is measured at the RBER for which e is the expected
// number of errors. However, most codewords that fail have more errors than expected for their RBER. Their correct bits
// are therefore more reliable than in the measurement. Such codewords fail as often as codewords with
//   e - share (e - codeword_bits RBER)
// errors in the measurement. The share is 0 for hard reads. For soft reads it was measured with an error count that is
// two standard deviations above the expected one.
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
  // Builds the table. Throws std::invalid_argument if the measurement is empty.
  explicit CodeTable(CodeMeasurement measurement);

  const CodeMeasurement& measurement() const { return measurement_; }
  const Code& code() const { return measurement_.code; }
  std::uint32_t payload_bytes() const { return measurement_.payload_bytes; }
  std::uint32_t codeword_bits() const { return measurement_.codeword_bits; }

  // Returns the probability that decoding fails. `levels` is the number of sensing levels of the read, from 1 to 7. If
  // it was not measured, the highest measured number below it is used, which is pessimistic because a real decoder does
  // at least as well with all levels. Throws std::out_of_range if there is no such number.
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

  // Returns the probability that decoding fails for a codeword with `errors` errors that was read from a channel with
  // this RBER.
  double failure_probability(std::uint32_t levels, std::uint32_t errors, double rber) const {
    return at_equivalent(curve(levels).rate, levels, errors, rber);
  }
  // Returns the share of failing codewords that the decoder reports as corrected. It is computed in closed form if the
  // code has one, and otherwise taken from the measurement.
  double miscorrected_share(std::uint32_t levels, std::uint32_t errors, double rber) const {
    if (miscorrected_share_) return *miscorrected_share_;
    return at_equivalent(curve(levels).miscorrected_share, levels, errors, rber);
  }
  double mean_iterations(std::uint32_t levels, std::uint32_t errors, double rber) const {
    return at_equivalent(curve(levels).mean_iterations, levels, errors, rber);
  }

  // Returns a number of errors e. A codeword with e errors at the RBER for which e is the expected number fails as
  // often as a codeword with `errors` errors at `rber`.
  double equivalent_errors(std::uint32_t levels, double errors, double rber) const {
    return errors - channel_share(levels) * (errors - codeword_bits() * rber);
  }
  double channel_share(std::uint32_t levels) const { return channel_shares_[index_of(levels)]; }

  // Returns the frame error rate of a channel that flips each bit with probability `rber`. The bounds are those that
  // result from the bounds of all P_fail(e) together, so they are wider than a 95 % interval.
  RateEstimate frame_error_rate(std::uint32_t levels, double rber) const;
  // Returns the mean number of iterations over all frames, including failing ones.
  double mean_iterations_at(std::uint32_t levels, double rber) const;
  // Returns the RBER at which the frame error rate has the given value, which must be between 0 and 1.
  double rber_at(std::uint32_t levels, double frame_error_rate) const;
  // Like rber_at(), but with bounds. They are the RBERs at which the upper and the lower bound of the frame error rate
  // have the given value. A bound is 0 if its frame error rate is above the value at every RBER, and 0.5 if it is
  // below.
  RateEstimate rber_estimate_at(std::uint32_t levels, double frame_error_rate) const;
  // Returns the number of decades by which the frame error rate at `rber` is extrapolated, or 0 if it is not
  // extrapolated. The decades are counted from the rate at which half of the failing codewords have at least the lowest
  // measured number of errors. The bounds of an extrapolated rate assume that the failure curve continues in the same
  // way (see failure_curve.h).
  double extrapolated_decades(std::uint32_t levels, double rber) const;

  // Returns the UBER by equation 1 in uber.h, with the measured frame error rate.
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
  // Returns the logarithm of the mean of `rates` at the RBER `rber`, minus the logarithm of `rate`.
  double log_excess(const std::vector<double>& rates, std::uint32_t levels, double rber, double rate) const;

  CodeMeasurement measurement_;
  std::vector<FailureCurve> curves_;
  std::vector<double> channel_shares_;
  std::optional<double> miscorrected_share_;  // closed form, the same for every number of errors
  std::array<std::int8_t, most_sensing_levels + 1> curve_of_;
};

// Returns the mean of `by_errors`, which contains a value for each number of errors, over the binomially distributed
// number of errors of a codeword of `codeword_bits` bits. The last entry is also used for all larger numbers.
double binomial_mean(const std::vector<double>& by_errors, std::uint32_t codeword_bits, double rber);

}  // namespace nandscape::ecc
