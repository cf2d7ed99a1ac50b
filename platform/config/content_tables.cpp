// SPDX-License-Identifier: Apache-2.0
#include "platform/config/content_tables.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/error.h"
#include "nand/coding/coding.h"

namespace nandscape {

namespace {

constexpr double most_cycles = 1e6;
constexpr double most_months = 1200;
constexpr double most_step_mv = 20000;
constexpr std::uint32_t most_codeword_bits = 1 << 20;

void check_range(double number, double most, const char* what) {
  if (!(number >= 0 && number <= most)) throw std::invalid_argument(std::string(what) + " is out of its range");
}

}  // namespace

std::vector<SegmentCode> segment_codes_of_4_kb() {
  return {{1, {34496, 32768, 55}, 41.2}, {2, {17248, 16384, 29}, 21.71}, {4, {8624, 8192, 16}, 11.25},
          {8, {4312, 4096, 9}, 5.78},    {16, {2156, 2048, 5}, 0},       {32, {1078, 1024, 3}, 0}};
}

double correctable_ber(const SegmentCode& code, double page_failure) {
  if (!(page_failure > 0 && page_failure < 1)) {
    throw std::invalid_argument("the probability that a page fails must be between 0 and 1");
  }
  const ecc::BlockCode& c = code.code;
  if (code.segments == 0 || c.user_bits == 0 || c.codeword_bits < c.user_bits || c.correctable >= c.codeword_bits ||
      c.codeword_bits > most_codeword_bits) {
    throw std::invalid_argument(
        "a page has at least one segment; its codeword holds the user bits, has at most 2^20 bits and corrects fewer "
        "bits than it has");
  }
  // If failures are rare, the failure probability of a page is the sum of the failure probabilities of its segments.
  // The UBER is the failure probability of a segment divided by the number of its user bits.
  return ecc::tolerable_rber(c, page_failure / code.segments / c.user_bits);
}

bool has_four_natural_states(const nand::Coding& coding) { return coding == nand::coding_named("mlc_13"); }

ContentTables::ContentTables(const nand::NandParameters& parameters, const KeptData& kept)
    : device_(parameters, parameters.geometry.page_bytes) {
  if (!has_four_natural_states(device_.coding)) {
    throw ConfigError(
        {}, "nand.coding",
        "content-dependent error rates are those of two bits in natural order: mlc_13, with a cell set of "
        "four states such as mlc_planar_15k");
  }
  check_range(kept.pe_cycles, most_cycles, "pe_cycles");
  check_range(kept.months, most_months, "months");
  kept_.kilocycles = kept.pe_cycles / 1000;
  kept_.retention_months = kept.months;
}

controller::StateErrorRates ContentTables::error_rates(double step_mv) const {
  check_range(step_mv, most_step_mv, "step_mv");
  const StateMisreads misreads = state_misreads(device_, kept_, FinalRead::plain, step_mv);
  controller::StateErrorRates rates;
  std::ranges::copy(misreads.left, rates.left.of.begin());
  std::ranges::copy(misreads.right, rates.right.of.begin());
  return rates;
}

controller::WordlineSpeedTable ContentTables::write_speeds(std::span<const double> steps_mv,
                                                           double correctable_ber) const {
  for (const double step_mv : steps_mv) check_range(step_mv, most_step_mv, "step_mv");
  return wordline_speeds(device_, kept_, FinalRead::plain, steps_mv, correctable_ber);
}

controller::SegmentTable ContentTables::segments(std::span<const SegmentCode> codes, double page_failure,
                                                 double step_mv, std::uint32_t cells,
                                                 controller::CoveredSegments covered) const {
  std::vector<controller::SegmentTable::Code> rows;
  for (const SegmentCode& code : codes) {
    rows.push_back({code.segments, correctable_ber(code, page_failure), code.decode_us});
  }
  return {std::move(rows), error_rates(step_mv), cells, covered};
}

}  // namespace nandscape
