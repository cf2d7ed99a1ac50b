// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/cell_random.h"

#include <vector>

#include "catch.h"
#include "nand/cells/cell_kernels.h"
#include "unit/nand/cell_statistics.h"

namespace nandscape::nand {
namespace {

constexpr std::uint32_t draws = 1 << 22;

TEST_CASE("cell random: the logarithm is accurate from 2^-33 to 1") {
  double worst = 0;
  for (float u = 0x1p-33f; u <= 1; u *= 1.0001f) {
    const double exact = -std::log(static_cast<double>(u));
    worst = std::fmax(worst, std::fabs(negative_log(u) - exact) / exact);
  }
  for (float u = 1 - 0x1p-24f; u > 0.999f; u -= 0x1p-20f) {
    const double exact = -std::log(static_cast<double>(u));
    worst = std::fmax(worst, std::fabs(negative_log(u) - exact) / exact);
  }
  CHECK(worst < 4e-7);
  CHECK(negative_log(1.0f) == 0);
  CHECK(negative_log<31>(0.5f) == Approx(32 * std::numbers::ln2).epsilon(1e-6));
}

TEST_CASE("cell random: the half-normal quantile is accurate from 2^-33 to 1") {
  double worst = 0;
  for (float q = 0x1p-33f; q < 0.999f; q *= 1.003f) {
    const double exact = half_normal_by_bisection(q);
    worst = std::fmax(worst, std::fabs(half_normal_quantile(q) - exact) / exact);
  }
  CHECK(worst < 1e-6);
  CHECK(half_normal_quantile(1.0f) == 0);
}

// Counts pairs of five-bit draws, and returns the chi-square excess over independent draws.
template <class First, class Second>
double excess_of_pairs(const First& first, const Second& second) {
  std::vector<double> counts(1024);
  for (std::uint32_t i = 0; i < draws; ++i) ++counts[(first(i) & 31) << 5 | (second(i) & 31)];
  ChiSquare chi_square;
  for (const double count : counts) chi_square.add(count, draws / 1024.0);
  return chi_square.excess();
}

TEST_CASE("cell random: neighbours, streams, erases and wordlines draw independently") {
  const std::uint64_t key = cell_key(1, 3, 4);
  const CellStream stream(key, 5);
  for (const int shift : {27, 13, 0}) {
    CAPTURE(shift);
    const auto draw = [&](std::uint32_t i) { return stream.bits(i) >> shift; };
    CHECK(excess_of_pairs(draw, [&](std::uint32_t i) { return stream.bits(i + 1) >> shift; }) < 5);
    CHECK(excess_of_pairs(draw, [&](std::uint32_t i) { return stream.bits(i + 256) >> shift; }) < 5);
    CHECK(excess_of_pairs(draw, [&](std::uint32_t i) { return stream.bits(i + 131072) >> (31 - shift) % 28; }) < 5);
    for (const CellStream& other : {CellStream(key, 6), CellStream(cell_key(1, 3, 5), 5),
                                    CellStream(cell_key(1, 4, 4), 5), CellStream(cell_key(2, 3, 4), 5)}) {
      CHECK(excess_of_pairs(draw, [&](std::uint32_t i) { return other.bits(i) >> shift; }) < 5);
    }
  }
}

// Checks the share of values above each bound and below its negative. `share` returns the expected value.
template <class Share>
void check_tails(const std::vector<float>& values, const std::vector<double>& bounds, const Share& share) {
  for (const double bound : bounds) {
    double above = 0, below = 0;
    for (const float value : values) {
      above += value > bound;
      below += value < -bound;
    }
    const double expected = share(bound) * static_cast<double>(values.size());
    CAPTURE(bound, expected);
    CHECK(std::fabs(above - expected) < 5 * std::sqrt(expected));
    CHECK(std::fabs(below - expected) < 5 * std::sqrt(expected));
  }
}

double power_mean(const std::vector<float>& values, int power) {
  double sum = 0;
  for (const float value : values) sum += std::pow(value, power);
  return sum / static_cast<double>(values.size());
}

void check_normal(const std::vector<float>& z) {
  const double unit = 5 / std::sqrt(static_cast<double>(z.size()));
  CHECK(std::fabs(power_mean(z, 1)) < unit);
  CHECK(std::fabs(power_mean(z, 2) - 1) < unit * std::sqrt(2));
  CHECK(std::fabs(power_mean(z, 3)) < unit * std::sqrt(15));
  CHECK(std::fabs(power_mean(z, 4) - 3) < unit * std::sqrt(96));
  check_tails(z, {0, 1, 2, 3, 4, 4.5}, upper_tail);
  Histogram histogram(-5, 5, 200);
  for (const float value : z) histogram.add(value);
  CHECK(chi_square_excess(histogram, [](double x) { return upper_tail(-x); }) < 5);
}

TEST_CASE("cell random: normal deviates have the moments and tails of their distribution") {
  std::vector<float> pairs(4 * draws);
  erase_draw(pairs.data(), pairs.size(), 0, 1, 1);
  check_normal(pairs);
}

TEST_CASE("cell random: the two deviates of a pair, and neighbours, are independent") {
  std::vector<float> z(draws);
  erase_draw(z.data(), z.size(), 0, 1, 7);
  const auto sixteenth = [&](std::size_t i) { return static_cast<std::size_t>(upper_tail(z[i]) * 15.9999); };
  for (const std::size_t distance : {1, 256, 512}) {
    CAPTURE(distance);
    std::vector<double> counts(256);
    // Counts only draws from the first half of each block, because they and the draws 256 later are computed as pairs.
    for (std::size_t i = 0; i + distance < draws; ++i) {
      if (i / 256 % 2 == 0) ++counts[sixteenth(i) << 4 | sixteenth(i + distance)];
    }
    ChiSquare chi_square;
    for (std::size_t k = 0; k < 256; ++k) {
      const auto width = [](std::size_t s) { return s == 15 ? 0.9999 / 15.9999 : 1 / 15.9999; };
      double total = 0;
      for (const double count : counts) total += count;
      chi_square.add(counts[k], total * width(k >> 4) * width(k & 15));
    }
    CHECK(chi_square.excess() < 5);
  }
}

TEST_CASE("cell random: Laplace deviates have the moments and tails of their distribution") {
  const CellStream stream(3, 4);
  std::vector<float> x(draws);
  for (std::uint32_t i = 0; i < draws; ++i) x[i] = laplace_from_bits(stream.bits(i));
  const double unit = 5 / std::sqrt(static_cast<double>(draws));
  CHECK(std::fabs(power_mean(x, 1)) < unit * std::sqrt(2));
  CHECK(std::fabs(power_mean(x, 2) - 2) < unit * std::sqrt(20));
  CHECK(std::fabs(power_mean(x, 4) - 24) < unit * std::sqrt(39744));
  check_tails(x, {0, 1, 3, 6, 10}, [](double bound) { return 0.5 * std::exp(-bound); });
}

}  // namespace
}  // namespace nandscape::nand
