// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/profile/request_sizes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace nandscape::host {

namespace {

// This precision is sufficient, because published figures have only two or three digits.
constexpr double precision = 1e-4;
constexpr int most_rounds = 5000;

enum Direction : std::size_t { reading, writing, directions };

std::string rounded(double value) { return std::to_string(std::llround(value)); }

// Computes the joint distribution of direction and size by iterative scaling [Csiszar 1975]. Each step sets one known
// figure to its value, with the least possible change of the distribution. The steps are repeated until all figures
// have their values.
class JointShares {
 public:
  explicit JointShares(const SizeStatistics& known) : known_(known) {
    const std::size_t sizes = known.largest / known.step;
    class_of_.resize(sizes);
    for (std::size_t k = 0; k < sizes; ++k) {
      const auto bound = std::ranges::lower_bound(known.class_bounds, static_cast<double>((k + 1) * known.step));
      class_of_[k] = static_cast<std::size_t>(bound - known.class_bounds.begin());
    }
    const std::array<double, directions> requests = {known.read_share, 1 - known.read_share};
    const std::array<double, directions> means = {known.mean_read, known.mean_write};
    for (std::size_t d = 0; d < directions; ++d) {
      targets_[d] = {requests[d], means[d] / static_cast<double>(known.step)};
      // All shares of a direction without requests are 0, so this direction does not affect the class shares.
      shares_[d].assign(sizes, requests[d]);
    }
  }

  void balance() {
    for (int round = 0; round < most_rounds; ++round) {
      set_classes();
      for (std::size_t d = 0; d < directions; ++d) set_mean(d);
      if (error() < precision * precision) return;
    }
    if (error() > precision) refuse();
  }

  SizeDistribution of(Direction d) const {
    if (targets_[d].requests > 0) return {shares_[d], known_.step};
    return {std::vector<double>(1, 1.0), known_.step};
  }

 private:
  struct Target {
    double requests = 0;
    double mean = 0;  // mean request size, in units of `step`
  };

  std::vector<double> class_sums() const {
    std::vector<double> sums(known_.class_bounds.size() + 1);
    for (const auto& shares : shares_) {
      for (std::size_t k = 0; k < shares.size(); ++k) sums[class_of_[k]] += shares[k];
    }
    return sums;
  }

  void set_classes() {
    if (known_.class_shares.empty()) return;
    const std::vector<double> sums = class_sums();
    for (auto& shares : shares_) {
      for (std::size_t k = 0; k < shares.size(); ++k) {
        const std::size_t c = class_of_[k];
        if (sums[c] > 0) shares[k] *= known_.class_shares[c] / sums[c];
      }
    }
  }

  // Multiplies the share of size k by scale * ratio^k. The two factors are chosen so that the direction has its given
  // share of the requests and its given mean size.
  void set_mean(std::size_t d) {
    std::vector<double>& shares = shares_[d];
    if (targets_[d].requests == 0) return;
    // The bound keeps ratio^k within the range of a double. If the mean needs a larger exponent, later rounds continue
    // from this result.
    const double bound = 600 / static_cast<double>(shares.size());
    double low = -bound, high = bound;
    constexpr int bisections = 60;
    for (int n = 0; n < bisections; ++n) {
      const double middle = (low + high) / 2;
      (moments(shares, middle).mean < targets_[d].mean ? low : high) = middle;
    }
    const double exponent = (low + high) / 2;
    const double scale = targets_[d].requests / moments(shares, exponent).sum;
    double factor = scale;
    for (double& share : shares) {
      share *= factor;
      factor *= std::exp(exponent);
    }
  }

  struct Moments {
    double sum = 0;
    double mean = 0;
  };
  static Moments moments(const std::vector<double>& shares, double exponent) {
    Moments m;
    const double ratio = std::exp(exponent);
    double factor = 1;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      m.sum += shares[k] * factor;
      m.mean += shares[k] * factor * static_cast<double>(k + 1);
      factor *= ratio;
    }
    m.mean /= m.sum;
    return m;
  }

  // Returns the largest error: the relative errors of the means and the errors of the class shares. Directly after
  // set_mean(), a mean has an error only if no distribution over the existing sizes has this mean.
  double error() const {
    double largest = 0;
    for (std::size_t d = 0; d < directions; ++d) {
      if (targets_[d].requests == 0) continue;
      largest = std::max(largest, std::abs(moments(shares_[d], 0).mean / targets_[d].mean - 1));
    }
    if (known_.class_shares.empty()) return largest;
    const std::vector<double> sums = class_sums();
    for (std::size_t c = 0; c < sums.size(); ++c)
      largest = std::max(largest, std::abs(sums[c] - known_.class_shares[c]));
    return largest;
  }

  [[noreturn]] void refuse() {
    set_classes();
    std::string nearest;
    for (std::size_t d = 0; d < directions; ++d) {
      if (targets_[d].requests == 0) continue;
      const Moments m = moments(shares_[d], 0);
      nearest += (nearest.empty() ? "" : " and ") + std::string(d == reading ? "reads" : "writes") + " of " +
                 rounded(m.mean * static_cast<double>(known_.step)) + " instead of " +
                 rounded(targets_[d].mean * static_cast<double>(known_.step)) + " bytes on average";
    }
    throw std::domain_error(nearest);
  }

  const SizeStatistics& known_;
  std::vector<std::size_t> class_of_;
  std::array<Target, directions> targets_;
  std::array<std::vector<double>, directions> shares_;  // for each direction and size: its share of all requests
};

}  // namespace

SizeDistribution::SizeDistribution(std::span<const double> shares, std::uint64_t step)
    : up_to_(shares.size()), step_(step) {
  std::partial_sum(shares.begin(), shares.end(), up_to_.begin());
  const double sum = up_to_.back();
  for (double& share : up_to_) share /= sum;
}

std::uint64_t SizeDistribution::at(double quantile) const {
  const auto size = std::ranges::upper_bound(up_to_, quantile);
  const auto last = static_cast<std::ptrdiff_t>(up_to_.size()) - 1;
  return static_cast<std::uint64_t>(std::min(size - up_to_.begin(), last) + 1) * step_;
}

RequestSizes request_sizes(const SizeStatistics& statistics) {
  JointShares shares(statistics);
  shares.balance();
  return {shares.of(reading), shares.of(writing)};
}

}  // namespace nandscape::host
