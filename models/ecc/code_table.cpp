// SPDX-License-Identifier: Apache-2.0
#include "ecc/code_table.h"

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/bracketed_root.h"

namespace nandscape {

double binomial_mean(const std::vector<double>& by_errors, std::uint32_t codeword_bits, double rber) {
  if (rber <= 0) return by_errors.front();
  if (rber >= 1) return by_errors.back();
  const double n = codeword_bits, odds = rber / (1 - rber);
  const auto likeliest = static_cast<std::uint32_t>(std::min(std::floor((n + 1) * rber), n));
  const double at_likeliest =
      std::exp(std::lgamma(n + 1) - std::lgamma(likeliest + 1.0) - std::lgamma(n - likeliest + 1) +
               likeliest * std::log(rber) + (n - likeliest) * std::log1p(-rber));
  // Of the sum.
  constexpr double negligible = 1e-18;
  const auto last = static_cast<std::uint32_t>(by_errors.size() - 1);
  const auto value = [&](std::uint32_t errors) { return by_errors[std::min(errors, last)]; };

  double mean = at_likeliest * value(likeliest);
  double probability = at_likeliest;
  for (std::uint32_t e = likeliest + 1; e <= codeword_bits; ++e) {
    probability *= (n - e + 1) / e * odds;
    mean += probability * value(e);
    if (e >= last && probability * value(e) < negligible * mean) break;
    if (probability == 0) break;
  }
  probability = at_likeliest;
  for (std::uint32_t e = likeliest; e-- > 0;) {
    probability *= (e + 1) / ((n - e) * odds);
    mean += probability * value(e);
    if (probability * value(e) < negligible * mean) break;
  }
  return mean;
}

CodeTable::CodeTable(CodeMeasurement measurement) : measurement_(std::move(measurement)) {
  curve_of_.fill(none);
  for (const auto& [levels, frames] : measurement_.by_levels) {
    if (levels == 0 || levels > most_sensing_levels) throw std::invalid_argument("a read has 1 to 7 sensing levels");
    std::fill(curve_of_.begin() + levels, curve_of_.end(), static_cast<std::int8_t>(curves_.size()));
    curves_.push_back(failure_curve(frames, measurement_.guaranteed_errors()));
  }
  if (curves_.empty()) throw std::invalid_argument("nothing was measured of " + to_string(measurement_.code));
}

RateEstimate CodeTable::frame_error_rate(std::uint32_t levels, double rber) const {
  const FailureCurve& c = curve(levels);
  const auto mean = [&](const std::vector<double>& values) {
    return std::min(binomial_mean(values, codeword_bits(), rber), 1.0);
  };
  return {mean(c.rate), mean(c.low), mean(c.high)};
}

double CodeTable::mean_iterations_at(std::uint32_t levels, double rber) const {
  return binomial_mean(curve(levels).mean_iterations, codeword_bits(), rber);
}

double CodeTable::rber_at(std::uint32_t levels, double frame_error_rate) const {
  const FailureCurve& c = curve(levels);
  const double target = std::log(frame_error_rate);
  constexpr double least = 1e-9, most = 0.5;
  const auto excess = [&](double log_rber) {
    constexpr double underflow = 1e-300;
    return std::log(std::max(binomial_mean(c.rate, codeword_bits(), std::exp(log_rber)), underflow)) - target;
  };
  return std::exp(bracketed_root(excess, std::log(least), std::log(most)));
}

RateEstimate CodeTable::uber(std::uint32_t levels, double rber) const {
  const RateEstimate failing = frame_error_rate(levels, rber);
  const double user_bits = 8.0 * payload_bytes();
  return {failing.rate / user_bits, failing.low / user_bits, failing.high / user_bits};
}

void CodeTable::refuse(std::uint32_t levels) const {
  throw std::out_of_range("reads of " + std::to_string(levels) + " sensing levels were not measured of " +
                          to_string(code()) + "; the numbers measured start at " +
                          std::to_string(measurement_.by_levels.begin()->first));
}

}  // namespace nandscape
