// SPDX-License-Identifier: Apache-2.0
// Distributions of cell voltages, and statistical tests for them. The bounds are five standard deviations, so correct
// code would fail a check in less than one of a million runs. The keys of the random streams are fixed.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace nandscape::nand {

inline double upper_tail(double z) { return 0.5 * std::erfc(z / std::numbers::sqrt2); }

// Returns the z > 0 with erfc(z / sqrt(2)) = q. It is found by bisection.
inline double half_normal_by_bisection(double q) {
  double low = 0, high = 10;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (2 * upper_tail(middle) > q ? low : high) = middle;
  }
  return low;
}

// Returns the probability that the overshoot Y over a verify level is below y. The density of Y is Q((y - step) /
// noise) / step for y >= 0.
inline double overshoot_below(double y, double step, double noise) {
  if (y <= 0) return 0;
  if (noise == 0) return std::fmin(y / step, 1);
  const auto integral = [&](double x) {
    const double t = (x - step) / noise;
    return noise * (t * upper_tail(t) - std::exp(-t * t / 2) / std::sqrt(2 * std::numbers::pi));
  };
  return (integral(y) - integral(0)) / -integral(0);
}

// A histogram with equal bins over [from, to). Values outside of this range are counted in the first or last bin.
class Histogram {
 public:
  Histogram(double from, double to, std::size_t bins) : from_(from), to_(to), counts_(bins) {}

  void add(double value) {
    const double bin = (value - from_) / (to_ - from_) * static_cast<double>(counts_.size());
    ++counts_[static_cast<std::size_t>(std::fmin(std::fmax(bin, 0), static_cast<double>(counts_.size() - 1)))];
    ++total_;
  }

  std::size_t bins() const { return counts_.size(); }
  double count(std::size_t bin) const { return static_cast<double>(counts_[bin]); }
  double total() const { return static_cast<double>(total_); }
  double edge(std::size_t bin) const {
    return from_ + (to_ - from_) * static_cast<double>(bin) / static_cast<double>(counts_.size());
  }

 private:
  double from_, to_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t total_ = 0;
};

// Accumulates the chi-square statistic of counts. `excess` returns how far it is above its expected value, in standard
// deviations.
class ChiSquare {
 public:
  void add(double count, double expected, double variance) {
    sum_ += (count - expected) * (count - expected) / variance;
    ++freedom_;
  }
  void add(double count, double expected) { add(count, expected, expected); }
  double excess() const { return (sum_ - (freedom_ - 1)) / std::sqrt(2 * (freedom_ - 1)); }

 private:
  double sum_ = 0;
  double freedom_ = 0;
};

// Compares a histogram with the distribution function `below`. Returns the chi-square excess. Bins that are too small
// for a normal approximation are joined.
template <class Below>
double chi_square_excess(const Histogram& histogram, const Below& below) {
  ChiSquare chi_square;
  double count = 0, expected = 0, before = 0;
  for (std::size_t bin = 0; bin < histogram.bins(); ++bin) {
    const double after = bin + 1 == histogram.bins() ? 1 : below(histogram.edge(bin + 1));
    count += histogram.count(bin);
    expected += (after - before) * histogram.total();
    before = after;
    if (expected < 50) continue;
    chi_square.add(count, expected);
    count = expected = 0;
  }
  if (expected > 0) chi_square.add(count, expected, std::fmax(expected, 1));
  return chi_square.excess();
}

// Compares two histograms with the same bins and totals. Returns the chi-square excess.
inline double two_sample_excess(const Histogram& a, const Histogram& b) {
  ChiSquare chi_square;
  for (std::size_t bin = 0; bin < a.bins(); ++bin) {
    const double both = a.count(bin) + b.count(bin);
    if (both >= 50) chi_square.add(a.count(bin), both / 2, both / 4);
  }
  return chi_square.excess();
}

}  // namespace nandscape::nand
