// SPDX-License-Identifier: Apache-2.0
// Tests whether a run has reached a steady state as defined by SNIA (Solid State Storage Performance Test Specification
// Enterprise, definition of "steady state"): over five consecutive rounds the figure stays within a range of 20 % of
// its mean, and the line fitted to it by least squares rises or falls by at most 10 % of the mean.
//
// A short run may pass that test while a cache or a pool of free blocks still absorbs all host writes. There is
// therefore a second condition. No stock of the drive (platform/blocks/stock.h) may grow or shrink by more than a tenth
// of the bytes that the host writes in that time. In addition, this tenth must exceed the fluctuation of the stock in
// steady state.
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
// Returns how the stocks of the drive have changed between two moments.
std::vector<StockChange> stock_changes(const Moment& begin, const Moment& end);

class SteadyState {
 public:
  explicit SteadyState(const SteadyParameters& parameters) : parameters_(parameters) {}

  // Throws ConfigError if the statistics do not have the configured figure, or if it is not a number.
  void check(const Value& statistics) const;

  // Returns the beginning of the last five rounds if they are steady, and otherwise null.
  const Moment* find(const Rounds& rounds, const std::vector<std::string>& workloads) const;

  // Returns the steadiness of the window between these two moments.
  Steadiness judge(const Rounds& rounds, const Moment& begin, const Moment& end,
                   const std::vector<std::string>& workloads, double capacity_bytes, bool rate_is_given) const;

 private:
  // Returns the figures of the last rounds, at most `most` of them. The vector is empty if one of the last five rounds
  // has too few requests, or if the figure of one of them is unknown.
  std::vector<double> values(const Rounds& rounds, std::size_t most, const std::vector<std::string>& workloads) const;
  double value(const Moment& begin, const Moment& end, const std::vector<std::string>& workloads) const;

  const SteadyParameters parameters_;
};

}  // namespace nandscape
