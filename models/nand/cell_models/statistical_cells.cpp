// SPDX-License-Identifier: Apache-2.0
#include "nand/cell_models/statistical_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "nand/cell_models/cell_model.h"
#include "nand/cells/binomial.h"

namespace nandscape::nand {

namespace {

// Puts each error into a codeword drawn at random. Each random word selects four codewords, with its 16-bit parts. The
// codewords' probabilities differ by less than 1e-3.
void count_few(RandomStream& random, std::uint32_t errors, std::uint32_t codewords, std::span<std::uint16_t> counts) {
  constexpr std::uint64_t even_parts = 0x0000ffff0000ffff;
  RandomStream draws = random;  // a copy that stays in registers
  std::uint32_t left = errors;
  for (; left >= 4; left -= 4) {
    const std::uint64_t word = draws();
    // Each product has two of the four codewords, in the upper halves of its 32-bit parts.
    const std::uint64_t even = (word & even_parts) * codewords;
    const std::uint64_t odd = (word >> 16 & even_parts) * codewords;
    ++counts[even >> 16 & 0xffff];
    ++counts[odd >> 16 & 0xffff];
    ++counts[even >> 48];
    ++counts[odd >> 48];
  }
  if (left > 0) {
    for (std::uint64_t word = draws(); left > 0; --left, word >>= 16) ++counts[(word & 0xffff) * codewords >> 16];
  }
  random = draws;
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
  if (errors <= few && codewords <= most_codewords) {
    std::array<std::uint16_t, most_codewords> all{};
    count_few(random, errors, codewords, all);
    if (!counts.empty()) std::copy_n(all.begin(), codewords, counts.begin());
    std::uint16_t worst = 0;
    for (const std::uint16_t count : all) worst = std::max(worst, count);
    return worst;
  }
  return draw_shares(random, errors, codewords, counts);
}

}  // namespace

SenseResult StatisticalCells::sense_cells(const SenseOrder& order, const MisreadTables::Read& read,
                                          std::uint32_t inherited_errors) {
  const PageLayout& layout = device_.layout;
  const double misread =
      device_.misreads.misread(read, variations_.logarithms(order.where.block, order.where.wordline));
  // Parts of a codeword count with their share of its bits.
  const std::uint32_t codewords = order.bytes / layout.codeword_bytes;
  const std::uint32_t rest = order.bytes - codewords * layout.codeword_bytes;
  const std::uint32_t bits = rest == 0 ? codewords * layout.codeword_bits
                                       : static_cast<std::uint32_t>(std::lround(order.bytes * layout.bits_per_byte()));
  std::uint32_t inherited = inherited_errors;
  if (inherited > 0 && order.bytes < layout.page_bytes) {
    inherited = draw_binomial(random_, inherited, static_cast<double>(order.bytes) / layout.page_bytes);
  }
  inherited = std::min(inherited, bits);
  std::uint32_t errors = inherited + draw_binomial(random_, bits - inherited, misread);
  // If a bit with an inherited error is misread, the result is the correct bit.
  if (inherited > 0) errors -= draw_binomial(random_, inherited, misread);
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
                     wordline.sense_misreads(device_.misreads.timing(read)));
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
