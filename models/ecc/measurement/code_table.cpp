// SPDX-License-Identifier: Apache-2.0
#include "ecc/measurement/code_table.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/bracketed_root.h"

namespace nandscape::ecc {

double binomial_mean(const std::vector<double>& by_errors, std::uint32_t codeword_bits, double rber) {
  if (rber <= 0) return by_errors.front();
  if (rber >= 1) return by_errors.back();
  const double n = codeword_bits, odds = rber / (1 - rber);
  const auto likeliest = static_cast<std::uint32_t>(std::min(std::floor((n + 1) * rber), n));
  const double at_likeliest =
      std::exp(std::lgamma(n + 1) - std::lgamma(likeliest + 1.0) - std::lgamma(n - likeliest + 1) +
               likeliest * std::log(rber) + (n - likeliest) * std::log1p(-rber));
  // Terms below this fraction of the sum are neglected.
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

namespace {

// The range in which RBERs are searched.
constexpr double least_rber = 1e-9, most_rber = 0.5;

// Returns the number of errors at which the failure rate reaches `rate`, by linear interpolation. The result is at most
// `most`.
double errors_at(const std::vector<double>& rates, double rate, std::uint32_t most) {
  std::uint32_t above = most;
  while (above > 0 && rates[above - 1] >= rate) --above;
  if (above == 0 || above == most) return above;
  return above - (rates[above] - rate) / (rates[above] - rates[above - 1]);
}

double channel_share_of(const FailureCurve& curve, const OffChannelFrames& off) {
  const double equivalent = errors_at(curve.rate, off.frames.failure_rate(), off.errors);
  return std::clamp((off.errors - equivalent) / (static_cast<double>(off.errors) - off.channel_errors), 0.0, 0.9);
}

}  // namespace

CodeTable::CodeTable(CodeMeasurement measurement)
    : measurement_(std::move(measurement)),
      miscorrected_share_(
          code_family(measurement_.code.family).miscorrected_share(measurement_.code, measurement_.codeword_bits)) {
  curve_of_.fill(none);
  for (const auto& [levels, frames] : measurement_.by_levels) {
    if (levels == 0 || levels > most_sensing_levels) throw std::invalid_argument("a read takes 1 to 7 sensing levels");
    std::fill(curve_of_.begin() + levels, curve_of_.end(), static_cast<std::int8_t>(curves_.size()));
    curves_.push_back(failure_curve(frames, measurement_.guaranteed_errors()));
    const auto off = measurement_.off_channel.find(levels);
    channel_shares_.push_back(off != measurement_.off_channel.end() ? channel_share_of(curves_.back(), off->second)
                                                                    : 0);
  }
  if (curves_.empty()) throw std::invalid_argument("there are no measurements of " + to_string(measurement_.code));
}

RateEstimate CodeTable::frame_error_rate(std::uint32_t levels, double rber) const {
  const FailureCurve& c = curve(levels);
  const auto mean = [&](const std::vector<double>& values) {
    return std::min(mean_over_errors(values, levels, rber), 1.0);
  };
  return {mean(c.rate), mean(c.low), mean(c.high)};
}

double CodeTable::mean_iterations_at(std::uint32_t levels, double rber) const {
  return mean_over_errors(curve(levels).mean_iterations, levels, rber);
}

double CodeTable::at_equivalent(const std::vector<double>& values, std::uint32_t levels, std::uint32_t errors,
                                double rber) const {
  if (channel_share(levels) == 0) return at(values, errors);
  const double place = std::clamp(equivalent_errors(levels, errors, rber), 0.0, values.size() - 1.0);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (values[above] - values[below]) * (place - static_cast<double>(below));
}

double CodeTable::mean_over_errors(const std::vector<double>& by_errors, std::uint32_t levels, double rber) const {
  const double share = channel_share(levels);
  if (share == 0) return binomial_mean(by_errors, codeword_bits(), rber);
  // The table must be long enough to contain the number of errors that is equivalent to the last entry of `by_errors`.
  const auto last = static_cast<double>(by_errors.size() - 1);
  const auto size = static_cast<std::size_t>(std::max((last - share * codeword_bits() * rber) / (1 - share), 0.0)) + 2;
  std::vector<double> equivalent(size);
  for (std::size_t e = 0; e < size; ++e) {
    equivalent[e] = at_equivalent(by_errors, levels, static_cast<std::uint32_t>(e), rber);
  }
  return binomial_mean(equivalent, codeword_bits(), rber);
}

double CodeTable::log_excess(const std::vector<double>& rates, std::uint32_t levels, double rber, double rate) const {
  constexpr double underflow = 1e-300;
  return std::log(std::max(mean_over_errors(rates, levels, rber), underflow)) - std::log(rate);
}

double CodeTable::rber_at(std::uint32_t levels, double frame_error_rate) const {
  const std::vector<double>& rates = curve(levels).rate;
  const auto excess = [&](double log_rber) { return log_excess(rates, levels, std::exp(log_rber), frame_error_rate); };
  return std::exp(bracketed_root(excess, std::log(least_rber), std::log(most_rber)));
}

RateEstimate CodeTable::rber_estimate_at(std::uint32_t levels, double frame_error_rate) const {
  const auto bound = [&](const std::vector<double>& rates) {
    const auto excess = [&](double log_rber) {
      return log_excess(rates, levels, std::exp(log_rber), frame_error_rate);
    };
    const double least = std::log(least_rber), most = std::log(most_rber);
    if (excess(least) > 0) return 0.0;
    return excess(most) < 0 ? most_rber : std::exp(bracketed_root(excess, least, most));
  };
  const FailureCurve& c = curve(levels);
  return {rber_at(levels, frame_error_rate), bound(c.high), bound(c.low)};
}

double CodeTable::extrapolated_decades(std::uint32_t levels, double rber) const {
  const std::vector<double>& rates = curve(levels).rate;
  std::vector<double> measured = rates;
  std::fill_n(measured.begin(), curve(levels).lowest_known, 0.0);
  const auto measured_share = [&](double at) {
    const double all = mean_over_errors(rates, levels, at);
    return all == 0 ? 1 : mean_over_errors(measured, levels, at) / all;
  };
  constexpr double half = 0.5;
  if (rber <= 0 || measured_share(rber) >= half) return 0;
  const auto excess = [&](double log_rber) { return measured_share(std::exp(log_rber)) - half; };
  const double known = std::exp(bracketed_root(excess, std::log(rber), std::log(most_rber)));
  return std::log10(mean_over_errors(rates, levels, known) / mean_over_errors(rates, levels, rber));
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

}  // namespace nandscape::ecc
