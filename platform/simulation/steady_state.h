// SPDX-License-Identifier: Apache-2.0
// Whether a run has reached a steady state, as SNIA defines it (Solid State Storage Performance Test Specification
// Enterprise, definition of "steady state"): over five consecutive rounds the figure stays within a range of 20 % of
// its mean, and the line fitted to it by least squares rises or falls by at most 10 % of the mean.
//
// A short run may pass that test while a cache or a pool of free blocks still takes in all that the host writes. So a
// second condition holds: no stock of the drive (platform/blocks/stock.h) grows or shrinks by more than a tenth of what
// the host writes meanwhile, and a tenth of what the host writes is more than the stock fluctuates by in a steady
// state.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "platform/config/window_parameters.h"
#include "platform/simulation/rounds.h"
#include "platform/simulation/steadiness.h"

namespace nandscape {

constexpr std::size_t steady_rounds = 5;

Spread spread_of(std::span<const double, steady_rounds> values);
// How the stocks of the drive changed between two moments.
std::vector<StockChange> stock_changes(const Moment& begin, const Moment& end);

class SteadyState {
 public:
  explicit SteadyState(const SteadyParameters& parameters) : parameters_(parameters) {}

  // Throws ConfigError when the statistics have no figure of that name, or it is no number.
  void check(const Value& statistics) const;

  // Where the latest five rounds are steady, the moment at which they begin; else null.
  const Moment* find(const Rounds& rounds, const std::vector<std::string>& workloads) const;

  // About the window between these moments.
  Steadiness judge(const Rounds& rounds, const Moment& begin, const Moment& end,
                   const std::vector<std::string>& workloads, double capacity_bytes, bool rate_is_given) const;

 private:
  // The figure of each of the last rounds, at most `most` of them; empty when one of the latest five holds too few
  // requests for its figure to mean anything, or to be known at all.
  std::vector<double> values(const Rounds& rounds, std::size_t most, const std::vector<std::string>& workloads) const;
  double value(const Moment& begin, const Moment& end, const std::vector<std::string>& workloads) const;

  const SteadyParameters parameters_;
};

}  // namespace nandscape
