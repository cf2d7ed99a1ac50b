// SPDX-License-Identifier: Apache-2.0
#include "nand/cell_models/statistical_cells.h"

#include <algorithm>
#include <array>
#include <boost/random/binomial_distribution.hpp>
#include <cmath>
#include <optional>
#include <utility>

#include "nand/cell_models/cell_model.h"

namespace nandscape::nand {

namespace {

std::uint32_t draw_errors(RandomStream& random, std::uint32_t bits, double misread) {
  const auto trials = static_cast<std::int32_t>(bits);
  return static_cast<std::uint32_t>(
      boost::random::binomial_distribution<std::int32_t, double>(trials, misread)(random));
}

// Distributes the errors over the codewords at random and returns the number of errors in the worst codeword. If
// `counts` is not empty, it must contain a zero for each codeword, and receives the number of errors in each.
std::uint32_t worst_of(RandomStream& random, std::uint32_t errors, std::uint32_t codewords,
                       std::span<std::uint16_t> counts) {
  constexpr std::uint32_t most_codewords = 64;
  constexpr std::uint32_t few = 512;
  if (codewords <= 1 || (errors <= 1 && counts.empty())) {
    if (!counts.empty()) counts[0] = static_cast<std::uint16_t>(errors);
    return errors;
  }
  std::uint32_t worst = 0;
  if (errors <= few && codewords <= most_codewords) {
    std::array<std::uint16_t, most_codewords> own_counts{};
    if (counts.empty()) counts = own_counts;
    std::uint64_t word = 0;
    for (std::uint32_t k = 0; k < errors; ++k) {
      // Each 64-bit random number selects four codewords. The probabilities of the codewords differ by at most 0.1 %.
      if (k % 4 == 0) word = random();
      const std::uint32_t codeword = static_cast<std::uint32_t>((word & 0xffff) * codewords >> 16);
      word >>= 16;
      worst = std::max<std::uint32_t>(worst, ++counts[codeword]);
    }
    return worst;
  }
  for (std::uint32_t left = codewords; left > 0; --left) {
    const std::uint32_t here = left == 1 ? errors : draw_errors(random, errors, 1.0 / left);
    if (!counts.empty()) counts[left - 1] = static_cast<std::uint16_t>(here);
    worst = std::max(worst, here);
    errors -= here;
  }
  return worst;
}

}  // namespace

SenseResult StatisticalCells::sense_cells(const SenseOrder& order, const MisreadTables::Read& read,
                                          std::uint32_t inherited_errors) {
  const PageLayout& layout = device_.layout;
  const double misread =
      device_.misreads.misread(read, variations_.logarithms(order.where.block, order.where.wordline));
  const auto bits = static_cast<std::uint32_t>(std::lround(order.bytes * layout.bits_per_byte()));
  std::uint32_t inherited = inherited_errors;
  if (inherited > 0 && order.bytes < layout.page_bytes) {
    inherited = draw_errors(random_, inherited, static_cast<double>(order.bytes) / layout.page_bytes);
  }
  inherited = std::min(inherited, bits);
  std::uint32_t errors = inherited + draw_errors(random_, bits - inherited, misread);
  // If a bit with an inherited error is misread, the result is the correct bit.
  if (inherited > 0) errors -= draw_errors(random_, inherited, misread);
  const std::uint32_t codewords = order.bytes / layout.codeword_bytes;
  std::span<std::uint16_t> counts = order.codeword_errors;
  if (counts.empty() && order.data != nullptr) {
    counts_.assign(codewords, 0);
    counts = counts_;
  }
  const std::uint32_t worst = worst_of(random_, errors, codewords, counts);
  if (order.data != nullptr) {
    std::optional<WrongSenses> senses;
    if (order.sensing_levels > 1 && !order.sensed_ones.empty()) {
      const WordlineReads wordline = wordline_reads(order, read);
      senses.emplace(wordline, order.page_type, levels(read, wordline), offsets(order, read),
                     wordline.sense_misreads(order.timing));
    }
    for (std::uint32_t k = 0; k < codewords; ++k) {
      const std::uint32_t codeword = order.first_byte / layout.codeword_bytes + k;
      flip(order.data, codeword, counts[k]);
      if (senses) count_ones(order, codeword, *senses);
    }
  }
  return {errors, worst, misread};
}

void StatisticalCells::count_ones(const SenseOrder& order, std::uint32_t codeword, const WrongSenses& senses) {
  for (std::uint32_t bit = 0; bit < device_.layout.codeword_bits; ++bit) {
    const bool misread = (flipped_[bit / 64] >> bit % 64 & 1) != 0;
    const std::uint32_t at = device_.layout.page_bit(codeword, bit);
    const bool written = ((order.data[at / 8] >> at % 8 & std::byte{1}) != std::byte{0}) != misread;
    const std::uint32_t wrong = senses.draw(misread, random_.uniform());
    order.sensed_ones[at] = static_cast<std::uint8_t>(written ? order.sensing_levels - wrong : wrong);
  }
}

void StatisticalCells::flip(std::byte* page, std::uint32_t codeword, std::uint32_t errors) {
  const std::uint32_t bits = device_.layout.codeword_bits;
  flipped_.assign((bits + 63) / 64, 0);
  for (std::uint32_t k = 0; k < std::min(errors, bits);) {
    const auto bit = static_cast<std::uint32_t>(random_.below(bits));
    const std::uint64_t mask = std::uint64_t{1} << bit % 64;
    if ((flipped_[bit / 64] & mask) != 0) continue;
    flipped_[bit / 64] |= mask;
    const std::uint32_t at = device_.layout.page_bit(codeword, bit);
    page[at / 8] ^= std::byte{1} << at % 8;
    ++k;
  }
}

namespace {

class StatisticalModel final : public CellModel {
 public:
  using Parameters = NoParameters;
  explicit StatisticalModel(const Parameters&) {}

  std::unique_ptr<CellArray> make_cells(const CellDevice& device, std::uint64_t seed, std::string_view die,
                                        std::unique_ptr<InitialAges> ages) const override {
    return std::make_unique<StatisticalCells>(device, seed, die, std::move(ages));
  }
};

}  // namespace

void register_statistical(CellModelRegistry& registry) {
  registry.add<StatisticalModel>("statistical", "the number of misread bits is drawn from closed-form probabilities");
}

}  // namespace nandscape::nand
