// SPDX-License-Identifier: Apache-2.0
#include "nand/statistical_cells.h"

#include <algorithm>
#include <array>
#include <boost/random/binomial_distribution.hpp>
#include <cmath>

namespace nandscape {

namespace {

std::uint32_t draw_errors(RandomStream& random, std::uint32_t bits, double misread) {
  const auto trials = static_cast<std::int32_t>(bits);
  return static_cast<std::uint32_t>(
      boost::random::binomial_distribution<std::int32_t, double>(trials, misread)(random));
}

// Puts so many errors into codewords at random; returns how many the worst one gets.
std::uint32_t worst_of(RandomStream& random, std::uint32_t errors, std::uint32_t codewords) {
  constexpr std::uint32_t most_codewords = 64;
  constexpr std::uint32_t few = 512;
  if (codewords <= 1 || errors <= 1) return errors;
  std::uint32_t worst = 0;
  if (errors <= few && codewords <= most_codewords) {
    std::array<std::uint16_t, most_codewords> counts{};
    std::uint64_t word = 0;
    for (std::uint32_t k = 0; k < errors; ++k) {
      // Four codewords from each random word; their probabilities differ by less than 1e-3.
      if (k % 4 == 0) word = random();
      const std::uint32_t codeword = static_cast<std::uint32_t>((word & 0xffff) * codewords >> 16);
      word >>= 16;
      worst = std::max<std::uint32_t>(worst, ++counts[codeword]);
    }
    return worst;
  }
  for (std::uint32_t left = codewords; left > 1; --left) {
    const std::uint32_t here = draw_errors(random, errors, 1.0 / left);
    worst = std::max(worst, here);
    errors -= here;
  }
  return std::max(worst, errors);
}

}  // namespace

SenseResult StatisticalCells::sense_cells(const SenseOrder& order, const MisreadTables::Read& read,
                                          std::uint32_t inherited_errors) {
  const double misread =
      device_.misreads.misread(read, variations_.logarithms(order.where.block, order.where.wordline));
  const auto bits = static_cast<std::uint32_t>(std::lround(order.bytes * device_.bits_per_byte));
  std::uint32_t inherited = inherited_errors;
  if (inherited > 0 && order.bytes < device_.page_bytes) {
    inherited = draw_errors(random_, inherited, static_cast<double>(order.bytes) / device_.page_bytes);
  }
  inherited = std::min(inherited, bits);
  std::uint32_t errors = inherited + draw_errors(random_, bits - inherited, misread);
  // A bit that was inherited wrong and is misread is right again.
  if (inherited > 0) errors -= draw_errors(random_, inherited, misread);
  return {errors, worst_of(random_, errors, order.bytes / device_.codeword_bytes)};
}

}  // namespace nandscape
