// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/soft_sensing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "catch.h"
#include "cell_devices.h"
#include "nand/cell_models/per_cell_cells.h"

using namespace nandscape;
using namespace nandscape::nand;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr SenseTiming standard{24, 5, 10};

double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// -p log2 p
double entropy_term(double p) { return p == 0 ? 0 : -p * std::log2(p); }
double binary_entropy(double p) { return entropy_term(p) + entropy_term(1 - p); }

// Returns cells with two normally distributed states. Their standard deviation is 100 mV, and their centres are at 0
// and 400 mV.
CellParameters two_normal_states() {
  CellParameters p;
  p.placement.erased_mean_mv = 0;
  p.placement.erased_sigma_mv = 100;
  p.placement.verify_mv = {400};
  p.placement.step_mv = 1e-6;
  p.placement.tail_mv = 100;
  p.placement.pulse_noise_mv = 0;
  return p;
}

// Returns a worn wordline of the device whose states have drifted during retention.
WordlineReads aged_wordline(const CellDevice& device) {
  return {device.model, device.coding, {.kilocycles = 3, .retention_months = 12}, {}};
}

// Returns the mutual information of a hard read at the given levels.
double hard_information(const WordlineReads& reads, std::uint32_t page_type, std::span<const double> levels) {
  const std::vector<double> none = {0};
  std::vector<SoftRegion> by_bit(2);
  bool bit = reads.coding().bit(0, page_type);
  for (const SoftRegion& region : soft_regions(reads, page_type, levels, none)) {
    by_bit[bit].probability_if_zero += region.probability_if_zero;
    by_bit[bit].probability_if_one += region.probability_if_one;
    bit = !bit;
  }
  return mutual_information(by_bit);
}

}  // namespace

TEST_CASE("soft sensing: offsets are evenly spaced round the read level") {
  CHECK(soft_offsets(1, 40) == std::vector<double>{0});
  CHECK(soft_offsets(2, 40) == std::vector<double>{-20, 20});
  CHECK(soft_offsets(5, 40) == std::vector<double>{-80, -40, 0, 40, 80});
}

TEST_CASE("soft sensing: each offset takes the senses of a read of the page") {
  const Coding& coding = coding_named("tlc_232");
  const std::vector<double> levels = {0, 100, 200, 300, 400, 500, 600};
  for (std::uint32_t page = 0; page < 3; ++page) {
    // All levels must ascend, even where those of neighbouring read levels overlap.
    const std::vector<double> sensed = soft_levels(coding, page, levels, soft_offsets(3, 250));
    CHECK(sensed.size() == 3 * coding.senses(page));
    CHECK(std::is_sorted(sensed.begin(), sensed.end()));
  }
}

TEST_CASE("soft sensing: two normal states are distinguished as in closed form") {
  const VthModel model(two_normal_states(), standard);
  const WordlineReads reads(model, coding_named("slc"), {}, {});
  const std::vector<double> levels = {200};
  const std::vector<SoftRegion> regions = soft_regions(reads, 0, levels, soft_offsets(3, 60));
  const double ends[] = {-infinity, 140, 200, 260, infinity};
  REQUIRE(regions.size() == 4);
  double information = 0;
  for (std::size_t r = 0; r < 4; ++r) {
    const double one = normal_below(ends[r + 1] / 100) - normal_below(ends[r] / 100);
    const double zero = normal_below((ends[r + 1] - 400) / 100) - normal_below((ends[r] - 400) / 100);
    CAPTURE(r);
    CHECK(regions[r].from_mv == ends[r]);
    CHECK(regions[r].to_mv == ends[r + 1]);
    CHECK(regions[r].probability_if_one == Approx(one).epsilon(1e-6));
    CHECK(regions[r].probability_if_zero == Approx(zero).epsilon(1e-6));
    CHECK(regions[r].llr == Approx(std::log(one / zero)).epsilon(1e-6));
    CHECK(regions[r].llr == Approx(-regions[3 - r].llr).epsilon(1e-5));
    information += 0.5 * (one + zero) * (1 - binary_entropy(one / (one + zero)));
  }
  CHECK(mutual_information(regions) == Approx(information).epsilon(1e-6));
  // A read with a single level is a binary symmetric channel.
  const double hard = mutual_information(soft_regions(reads, 0, levels, soft_offsets(1, 60)));
  CHECK(hard == Approx(1 - binary_entropy(normal_below(-2))).epsilon(1e-6));
}

TEST_CASE("soft sensing: the regions of a page hold all of its cells") {
  const CellDevice device(small_die(), 1024);
  const WordlineReads reads = aged_wordline(device);
  for (std::uint32_t page = 0; page < 3; ++page) {
    for (const double spacing : {0.0, 30.0, 500.0}) {
      const auto regions = soft_regions(reads, page, reads.optimum_levels(), soft_offsets(5, spacing));
      CAPTURE(page, spacing);
      CHECK(regions.size() == 5 * device.coding.senses(page) + 1);
      double zeros = 0;
      double ones = 0;
      for (const SoftRegion& region : regions) {
        zeros += region.probability_if_zero;
        ones += region.probability_if_one;
        CHECK(std::abs(region.llr) <= most_llr);
        if (region.from_mv == region.to_mv) CHECK(region.llr == 0);
      }
      CHECK(zeros == Approx(1).epsilon(1e-9));
      CHECK(ones == Approx(1).epsilon(1e-9));
    }
  }
}

TEST_CASE("soft sensing: LLRs have the sign of the hard bit") {
  const CellDevice device(small_die(), 1024);
  const WordlineReads reads = aged_wordline(device);
  const std::vector<double> offsets = soft_offsets(5, 30);
  for (std::uint32_t page = 0; page < 3; ++page) {
    const auto regions = soft_regions(reads, page, reads.optimum_levels(), offsets);
    for (std::size_t r = 0; r < regions.size(); ++r) {
      // The third of the five levels is the read level itself.
      const bool bit = device.coding.bit(0, page) != ((r + 2) / 5 % 2 == 1);
      CAPTURE(page, r, regions[r].llr);
      CHECK(regions[r].llr != 0);
      CHECK((regions[r].llr > 0) == bit);
    }
  }
}

TEST_CASE("soft sensing: each further level adds information") {
  const CellDevice device(small_die(), 1024);
  const WordlineReads reads = aged_wordline(device);
  for (std::uint32_t page = 0; page < 3; ++page) {
    // This must also be true at the default levels, which no longer match the drifted states.
    for (const std::vector<double>& levels : {reads.optimum_levels(), reads.levels(0)}) {
      double before = hard_information(reads, page, levels);
      for (const std::uint32_t number : {1, 2, 3, 5, 7}) {
        const double information =
            mutual_information(soft_regions(reads, page, levels, soft_offsets(number, number == 2 ? 40 : 30)));
        CAPTURE(page, number);
        CHECK(information >= before);
        CHECK(information <= 1);
        before = information;
      }
    }
  }
}

TEST_CASE("soft sensing: the most telling spacing agrees with a full search") {
  const CellDevice device(small_die(), 1024);
  const WordlineReads reads = aged_wordline(device);
  for (std::uint32_t page = 0; page < 3; ++page) {
    double before = infinity;
    for (std::uint32_t number = 2; number <= 7; ++number) {
      const auto left_open = [&](double spacing) {
        return 1 - mutual_information(soft_regions(reads, page, reads.optimum_levels(), soft_offsets(number, spacing)));
      };
      double least = infinity;
      for (double spacing = 2; spacing < 200; spacing += 2) least = std::min(least, left_open(spacing));
      const double spacing = most_telling_spacing(reads, page, number);
      CAPTURE(page, number, spacing, least);
      CHECK(left_open(spacing) < 1.001 * least);
      // If there are more levels, their optimum spacing is smaller.
      CHECK(spacing < before);
      before = spacing;
    }
  }
}

TEST_CASE("soft sensing: wrong senses of two normal states agree with the closed form") {
  const VthModel model(two_normal_states(), standard);
  const WordlineReads reads(model, coding_named("slc"), {}, {});
  const std::vector<double> levels = {200};
  // For both bit values, the mean of the cells is 200 mV away from the read level, on the correct side.
  const auto beyond = [](double mv) { return normal_below((mv - 200) / 100); };
  const WrongSenses odd(reads, 0, levels, soft_offsets(3, 60), {});
  CHECK(odd.probability(false, 0) == Approx(1 - beyond(60)).epsilon(1e-6));
  CHECK(odd.probability(false, 1) == Approx(beyond(60) - beyond(0)).epsilon(1e-6));
  CHECK(odd.probability(true, 2) == Approx(beyond(0) - beyond(-60)).epsilon(1e-6));
  CHECK(odd.probability(true, 3) == Approx(beyond(-60)).epsilon(1e-6));
  for (const std::uint32_t wrong : {2u, 3u}) CHECK(odd.probability(false, wrong) == 0);
  for (const std::uint32_t wrong : {0u, 1u}) CHECK(odd.probability(true, wrong) == 0);

  // With an even number of levels, the hard decision is between the two middle levels.
  const WrongSenses even(reads, 0, levels, soft_offsets(2, 60), {});
  CHECK(even.probability(false, 0) == Approx(1 - beyond(30)).epsilon(1e-6));
  CHECK(even.probability(false, 1) == Approx(beyond(30) - beyond(0)).epsilon(1e-6));
  CHECK(even.probability(true, 1) == Approx(beyond(0) - beyond(-30)).epsilon(1e-6));
  CHECK(even.probability(true, 2) == Approx(beyond(-30)).epsilon(1e-6));
}

TEST_CASE("soft sensing: senses misread independently of each other") {
  const VthModel model(two_normal_states(), standard);
  const WordlineReads reads(model, coding_named("slc"), {}, {});
  const std::vector<double> far = {200};
  constexpr double q = 0.01;
  // The levels are so close together that all senses of a cell agree, except for their own random misreads.
  const WrongSenses senses(reads, 0, far, soft_offsets(3, 1e-9), {q, q});
  const double p = normal_below(-2);
  CHECK(senses.probability(false, 0) == Approx((1 - p) * std::pow(1 - q, 3)).epsilon(1e-6));
  CHECK(senses.probability(true, 1) == Approx((1 - p) * q * (1 - q) * (1 - q) + p * (1 - q) * q * q).epsilon(1e-6));
  CHECK(senses.probability(false, 1) ==
        Approx((1 - p) * 2 * q * (1 - q) * (1 - q) + p * 2 * q * q * (1 - q)).epsilon(1e-6));
  double sum = 0;
  double misread = 0;
  for (std::uint32_t wrong = 0; wrong <= 3; ++wrong) {
    sum += senses.probability(false, wrong) + senses.probability(true, wrong);
    misread += senses.probability(true, wrong);
  }
  CHECK(sum == Approx(1).epsilon(1e-9));
  CHECK(misread == Approx(p * (1 - q) + (1 - p) * q).epsilon(1e-6));
  // Draws must be in ascending order of the number of wrong senses.
  CHECK(senses.draw(false, 0) == 0);
  CHECK(senses.draw(true, 0) == 1);
  CHECK(senses.draw(true, 1 - 1e-12) == 3);
}

TEST_CASE("soft sensing: single cells fall into the regions as in the closed form") {
  NandParameters p = small_die();
  p.condition.pe_cycles = 3000;
  p.condition.retention_days = 365;
  const CellDevice device(p, 1024);
  const std::vector<double> offsets = soft_offsets(5, 40);
  const std::vector<std::int16_t> vref_offsets = {-40, -60, -80, -100, -120, -140, -160};
  for (std::uint32_t page = 0; page < 3; ++page) {
    PerCellCells cells(device, 5, "die");
    SenseOrder order = whole_page(device, {BlockInDie(1), 5}, page);
    order.vref_offsets_mv = vref_offsets;
    const WordlineReads reads = first_reads(device, order, 5, "die");
    const std::vector<double> levels = device.misreads.levels(first_reading(device, order), reads, false);
    const auto regions = soft_regions(reads, page, levels, offsets);

    const std::vector<double> sensed = soft_levels(device.coding, page, levels, offsets);
    const auto [vth, place] = cells.snapshot(order, 0);
    std::vector<double> zeros(regions.size()), ones(regions.size());
    double all_zeros = 0;
    double all_ones = 0;
    for (std::size_t cell = 0; cell < vth.size(); ++cell) {
      const auto region = std::upper_bound(sensed.begin(), sensed.end(), vth[cell]) - sensed.begin();
      const bool bit = device.coding.bit(place[cell], page);
      ++(bit ? ones : zeros)[static_cast<std::size_t>(region)];
      ++(bit ? all_ones : all_zeros);
    }
    const auto agree = [](double counted, double trials, double probability) {
      return std::abs(counted - trials * probability) < 4 * std::sqrt(trials * probability * (1 - probability)) + 1;
    };
    for (std::size_t r = 0; r < regions.size(); ++r) {
      CAPTURE(page, r, zeros[r], all_zeros * regions[r].probability_if_zero, ones[r],
              all_ones * regions[r].probability_if_one);
      CHECK(agree(zeros[r], all_zeros, regions[r].probability_if_zero));
      CHECK(agree(ones[r], all_ones, regions[r].probability_if_one));
    }
  }
}

TEST_CASE("soft sensing: a soft read disturbs like as many hard reads") {
  NandParameters p = small_die();
  p.cells.disturb.read_shift_mv = 2000;
  const CellDevice device(p, 1024);
  PerCellCells soft(device, 5, "die"), hard(device, 5, "die");
  SenseOrder order = whole_page(device, {BlockInDie(1), 5}, 0);
  order.sensing_levels = 7;
  for (int k = 0; k < 100; ++k) soft.sense(order, 0);
  order.sensing_levels = 1;
  for (int k = 0; k < 700; ++k) hard.sense(order, 0);
  CHECK(soft.snapshot(order, 0).vth == hard.snapshot(order, 0).vth);
  CHECK(soft.snapshot(order, 0).vth != PerCellCells(device, 5, "die").snapshot(order, 0).vth);
}
