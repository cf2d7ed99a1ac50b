// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/binomial.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace nandscape::nand {

namespace {

// Returns a uniform random number in [0, 1] that has all bits of a random word, rounded once.
double uniform_or_one(RandomStream& random) {
  const std::uint64_t word = random();
  return static_cast<std::uint32_t>(word >> 32) * 0x1p-32 + static_cast<std::uint32_t>(word) * 0x1p-64;
}

// Returns a uniform random number in [0, 1).
double uniform(RandomStream& random) {
  double u = uniform_or_one(random);
  while (u >= 1) u = uniform_or_one(random);
  return u;
}

// Adds up the probabilities of 0, 1, 2 and so on until the sum exceeds a uniform random number.
[[gnu::noinline]] std::int32_t invert(RandomStream& random, std::int32_t trials, double p) {
  const double odds = p / (1 - p);
  const double a = (trials + 1) * odds;
  double here = std::pow(1 - p, static_cast<double>(trials));  // probability of `drawn`
  double left = uniform(random);
  std::int32_t drawn = 0;
  while (left > here) {
    left -= here;
    ++drawn;
    const double next = (a / drawn - odds) * here;
    // The search ends where a probability is smaller than the rounding errors of the sum.
    if (next < std::numeric_limits<double>::epsilon() && next < here) break;
    here = next;
  }
  return drawn;
}

// The difference between ln k! and Stirling's approximation.
double stirling_correction(std::int32_t k) {
  static constexpr std::array table = {
      0.08106146679532726, 0.04134069595540929, 0.02767792568499834, 0.02079067210376509,  0.01664469118982119,
      0.01387612882307075, 0.01189670994589177, 0.01041126526197209, 0.009255462182712733, 0.008330563433362871};
  if (k < 10) return table[static_cast<std::size_t>(k)];
  const double x = 1.0 / (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 * (x * x)) * (x * x)) * x;
}

// BTRD: transformed rejection with decomposition. The names are those of the paper.
class TransformedRejection {
 public:
  TransformedRejection(std::int32_t trials, double p)
      : t_(trials), p_(p), npq_(trials * p * (1 - p)), root_(std::sqrt(npq_)) {}

  // Most draws end with their first word v, namely if accepted(v). The number drawn is then inner(v).
  bool accepted(double v) const { return v <= 0.86 * v_r_; }
  std::int32_t inner(double v) const { return static_cast<std::int32_t>(hat(v / v_r_ - 0.43)); }

  // Continues a draw whose first word v is not accepted.
  std::int32_t outer(RandomStream& random, double v) const {
    for (;; v = uniform(random)) {
      if (accepted(v)) return inner(v);
      double u = 0;
      if (v >= v_r_) {
        u = uniform(random) - 0.5;
      } else {
        u = v / v_r_ - 0.93;
        u = (u < 0 ? -0.5 : 0.5) - u;
        v = uniform(random) * v_r_;
      }
      const double x = hat(u);
      if (!(x >= 0 && x < t_ + 1.0)) continue;
      const auto k = static_cast<std::int32_t>(x);
      const double us = 0.5 - std::abs(u);
      const double alpha = (2.83 + 5.1 / b_) * root_;
      if (accepts(k, v * alpha / (a_ / (us * us) + b_))) return k;
    }
  }

 private:
  double hat(double u) const { return (2 * a_ / (0.5 - std::abs(u)) + b_) * u + c_; }

  // Returns whether v is at most the probability of k divided by that of the mode.
  bool accepts(std::int32_t k, double v) const {
    const std::int32_t m = mode();
    const double r = p_ / (1 - p_);
    const double nr = (t_ + 1) * r;
    const double km = std::abs(k - m);
    if (km <= 15) {
      double f = 1;
      for (std::int32_t i = m + 1; i <= k; ++i) f *= nr / i - r;
      for (std::int32_t i = k + 1; i <= m; ++i) v *= nr / i - r;
      return v <= f;
    }
    v = std::log(v);
    const double rho = (km / npq_) * (((km / 3. + 0.625) * km + 1. / 6) / npq_ + 0.5);
    const double t = -km * km / (2 * npq_);
    if (v < t - rho) return true;
    if (v > t + rho) return false;
    const std::int32_t nm = t_ - m + 1;
    const double h = (m + 0.5) * std::log((m + 1) / (r * nm)) + stirling_correction(m) + stirling_correction(t_ - m);
    const std::int32_t nk = t_ - k + 1;
    return v <= h + (t_ + 1) * std::log(static_cast<double>(nm) / nk) + (k + 0.5) * std::log(nk * r / (k + 1)) -
                    stirling_correction(k) - stirling_correction(t_ - k);
  }

  std::int32_t mode() const { return static_cast<std::int32_t>((t_ + 1) * p_); }

  const std::int32_t t_;
  const double p_;
  const double npq_;
  const double root_;
  const double b_ = 1.15 + 2.53 * root_;
  const double a_ = -0.0873 + 0.0248 * b_ + 0.01 * p_;
  const double c_ = t_ * p_ + 0.5;
  const double v_r_ = 0.92 - 4.2 / b_;
};

// The draws that do not end with their first word. The first word has already been drawn.
[[gnu::noinline]] std::int32_t draw_further(RandomStream& random, std::int32_t trials, double p, double first_word) {
  if (first_word >= 1) first_word = uniform(random);
  return TransformedRejection(trials, p).outer(random, first_word);
}

// Draws with p <= 0.5. Slow draws work on a copy of the stream, so that the caller's stream can stay in registers.
inline std::uint32_t draw(RandomStream& random, std::uint32_t trials, double p) {
  const auto t = static_cast<std::int32_t>(trials);
  if ((t + 1) * p < 11) {
    RandomStream copy = random;
    const std::int32_t drawn = invert(copy, t, p);
    random = copy;
    return static_cast<std::uint32_t>(drawn);
  }
  const TransformedRejection rejection(t, p);
  const double v = uniform_or_one(random);
  if (rejection.accepted(v)) return static_cast<std::uint32_t>(rejection.inner(v));
  RandomStream copy = random;
  const std::int32_t drawn = draw_further(copy, t, p, v);
  random = copy;
  return static_cast<std::uint32_t>(drawn);
}

}  // namespace

std::uint32_t draw_binomial(RandomStream& random, std::uint32_t trials, double probability) {
  return probability > 0.5 ? trials - draw(random, trials, 1 - probability) : draw(random, trials, probability);
}

std::uint32_t draw_shares(RandomStream& random, std::uint32_t total, std::uint32_t parts,
                          std::span<std::uint16_t> shares) {
  RandomStream draws = random;
  std::uint32_t most = 0;
  for (std::uint32_t left = parts; left > 0; --left) {
    const std::uint32_t here = left == 1 ? total : draw(draws, total, 1.0 / left);
    if (!shares.empty()) shares[left - 1] = static_cast<std::uint16_t>(here);
    most = std::max(most, here);
    total -= here;
  }
  random = draws;
  return most;
}

}  // namespace nandscape::nand
