// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/coupling.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nand/coding/merging.h"

namespace nandscape::nand {

namespace {

// The voltage rise of a neighbouring cell, indexed by the neighbour's place (its state), with the mean and the variance
// over all places.
struct Rises {
  std::vector<double> by_place;
  double mean = 0;
  double variance = 0;

  explicit Rises(std::vector<double> rises) : by_place(std::move(rises)) {
    double square = 0;
    for (const double rise : by_place) {
      mean += rise / static_cast<double>(by_place.size());
      square += rise * rise / static_cast<double>(by_place.size());
    }
    variance = square - mean * mean;
  }
};

std::size_t target(const Merging* merging, std::size_t place) {
  return merging == nullptr ? place : merging->target[place];
}

enum class Since { erase, program };

// Returns the rise of a neighbour since it was erased or since it was programmed. The result includes the raise by the
// adjustment `merging`, which may be null.
Rises rises_since(Since since, std::span<const double> rises, const Merging* merging) {
  std::vector<double> by_place;
  for (std::size_t k = 0; k < rises.size(); ++k) {
    by_place.push_back(rises[target(merging, k)] - (since == Since::program ? rises[k] : 0));
  }
  return Rises(std::move(by_place));
}

// Returns the share of the cells at this place that the wordline's own adjustment has not moved.
double share_unmoved(const Merging* own, std::size_t place) {
  if (own == nullptr) return 1;
  const auto sources = std::ranges::count(own->target, place);
  return sources == 0 ? 1 : 1.0 / static_cast<double>(sources);
}

void add(std::vector<StateDistribution::Coupling>& shifts, double probability, double shift) {
  constexpr double alike_mv = 1e-6;
  const auto same = [shift](const StateDistribution::Coupling& c) { return std::abs(c.shift - shift) < alike_mv; };
  if (const auto found = std::ranges::find_if(shifts, same); found != shifts.end()) {
    found->probability += probability;
  } else {
    shifts.push_back({probability, shift});
  }
}

}  // namespace

NeighbourCoupling neighbour_coupling(const InterferenceParameters& g, std::span<const double> rises,
                                     double erased_sigma_mv, double step, std::uint32_t place,
                                     const Adjustments& adjusted) {
  const Rises next = rises_since(Since::erase, rises, adjusted.next);
  const Rises next_again = rises_since(Since::program, rises, adjusted.next);
  const Rises previous = rises_since(Since::program, rises, adjusted.previous);
  const auto states = static_cast<double>(rises.size());
  const double unmoved = share_unmoved(adjusted.own, place);
  NeighbourCoupling result;
  const double mean = 2 * g.diagonal * (next.mean + previous.mean);
  if (adjusted.previous == nullptr) {
    for (const double rise : next.by_place) result.shifts.push_back({unmoved / states, g.vertical * rise + mean});
  } else {
    for (const double a : next.by_place) {
      for (const double b : previous.by_place) {
        add(result.shifts, unmoved / (states * states), g.vertical * (a + b) + mean);
      }
    }
  }
  if (unmoved < 1) {
    for (const double rise : next_again.by_place) {
      add(result.shifts, (1 - unmoved) / states, g.vertical * rise + 2 * g.diagonal * next_again.mean);
    }
  }
  std::ranges::sort(result.shifts, {}, &StateDistribution::Coupling::shift);
  // The rise of a programmed cell begins anywhere in the distribution of the erased state and ends anywhere on the flat
  // top of its state. The rise of an adjusted cell begins and ends on a flat top.
  const double spread = erased_sigma_mv * erased_sigma_mv + step * step / 12;
  const double spread_again = step * step / 6;
  const double vertical = g.vertical * g.vertical;
  const auto diagonal = [&](double x) { return 2 * g.diagonal * g.diagonal * x * (states - 1) / states; };
  double variance = vertical * spread + diagonal(next.variance + spread);
  if (adjusted.previous != nullptr) variance += vertical * spread_again + diagonal(previous.variance + spread_again);
  if (unmoved < 1) {
    double again = 0;
    if (adjusted.next != nullptr) again = vertical * spread_again + diagonal(next_again.variance + spread_again);
    variance = unmoved * variance + (1 - unmoved) * again;
  }
  result.gaussian = std::sqrt(variance);
  return result;
}

}  // namespace nandscape::nand
