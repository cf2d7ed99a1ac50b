// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/steady_state.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/error.h"

namespace nandscape {

namespace {

// The smallest number of requests in a round. The relative fluctuation of N completions is about 1 / sqrt(N).
constexpr std::uint64_t least_requests = 200;
constexpr double drifting_share = 0.1;

}  // namespace

Spread spread_of(std::span<const double, steady_rounds> values) {
  double mean = 0, moment = 0;
  constexpr double middle = (steady_rounds - 1) / 2.0;
  constexpr double squares = 10;  // sum of the squared distances from the middle: 4 + 1 + 0 + 1 + 4
  for (std::size_t k = 0; k < steady_rounds; ++k) {
    mean += values[k] / steady_rounds;
    moment += values[k] * (static_cast<double>(k) - middle);
  }
  if (mean == 0) return {};
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  return {(*greatest - *least) / mean, moment / squares * (steady_rounds - 1) / mean};
}

std::vector<StockChange> stock_changes(const Moment& begin, const Moment& end) {
  const double written = static_cast<double>(end.requests.bytes_written() - begin.requests.bytes_written());
  std::vector<StockChange> changes;
  for (std::size_t k = 0; k < end.stocks.size(); ++k) {
    StockChange change{end.stocks[k]};
    change.bytes = end.stocks[k].bytes - (k < begin.stocks.size() ? begin.stocks[k].bytes : 0);
    change.share = written == 0 ? 0 : change.bytes / written;
    change.drifts =
        written > 0 && std::abs(change.share) > drifting_share && std::abs(change.bytes) > change.stock.fluctuation;
    change.known = written == 0 || change.drifts || drifting_share * written >= change.stock.fluctuation;
    changes.push_back(change);
  }
  return changes;
}

void SteadyState::check(const Value& statistics) const {
  try {
    statistics.at(parameters_.figure).number();
  } catch (const std::out_of_range&) {
    throw ConfigError(
        {}, "simulation.steady.figure",
        "this drive has no statistic '" + parameters_.figure + "' that is a number; `nandscape statistics` lists them");
  }
}

double SteadyState::value(const Moment& begin, const Moment& end, const std::vector<std::string>& workloads) const {
  return figures_between(&begin, end, workloads).at(parameters_.figure).number();
}

std::vector<double> SteadyState::values(const Rounds& rounds, std::size_t most,
                                        const std::vector<std::string>& workloads) const {
  const std::vector<Moment>& boundaries = rounds.boundaries();
  const std::size_t count = boundaries.empty() ? 0 : boundaries.size() - 1;
  if (count < steady_rounds) return {};
  for (std::size_t k = boundaries.size() - steady_rounds; k < boundaries.size(); ++k) {
    const std::uint64_t completed = boundaries[k].requests.completed() - boundaries[k - 1].requests.completed();
    if (completed < least_requests) return {};
  }
  std::vector<double> figures;
  for (std::size_t k = boundaries.size() - std::min(count, most); k < boundaries.size(); ++k) {
    figures.push_back(value(boundaries[k - 1], boundaries[k], workloads));
  }
  const auto latest = std::span(figures).last<steady_rounds>();
  const bool known = std::none_of(latest.begin(), latest.end(), [](double figure) { return std::isnan(figure); });
  return known ? figures : std::vector<double>();
}

const Moment* SteadyState::find(const Rounds& rounds, const std::vector<std::string>& workloads) const {
  const std::vector<double> figures = values(rounds, steady_rounds, workloads);
  if (figures.empty()) return nullptr;
  const Spread spread = spread_of(std::span<const double, steady_rounds>(figures));
  if (!(spread.range <= parameters_.range && std::abs(spread.slope) <= parameters_.slope)) return nullptr;
  const std::vector<Moment>& boundaries = rounds.boundaries();
  const Moment& begin = boundaries[boundaries.size() - 1 - steady_rounds];
  for (const StockChange& change : stock_changes(begin, boundaries.back())) {
    if (change.drifts || !change.known) return nullptr;
  }
  return &begin;
}

Steadiness SteadyState::judge(const Rounds& rounds, const Moment& begin, const Moment& end,
                              const std::vector<std::string>& workloads, double capacity_bytes,
                              bool rate_is_given) const {
  Steadiness said;
  said.requests = end.requests.completed() - begin.requests.completed();
  said.drive_writes =
      static_cast<double>(end.requests.bytes_written() - begin.requests.bytes_written()) / capacity_bytes;
  said.figure = parameters_.figure;
  said.rate_is_given = rate_is_given;
  said.range_limit = parameters_.range;
  said.slope_limit = parameters_.slope;
  for (const StockChange& change : stock_changes(begin, end)) {
    if (change.drifts) said.drifting.push_back(change);
    if (!change.known) said.unknown.push_back(change.stock.name);
  }
  const std::vector<double> figures = values(rounds, rounds.boundaries().size(), workloads);
  if (figures.empty()) return said;
  const auto latest = std::span(figures).last<steady_rounds>();
  said.spread = spread_of(latest);
  double mean = 0;
  for (const double figure : latest) mean += figure / steady_rounds;
  std::size_t first = figures.size();
  while (first > 0 && std::abs(figures[first - 1] - mean) <= parameters_.range / 2 * mean) --first;
  const std::vector<Moment>& boundaries = rounds.boundaries();
  said.since_s = s_from_ticks(boundaries[boundaries.size() - 1 - (figures.size() - first)].at);
  return said;
}

}  // namespace nandscape
