// SPDX-License-Identifier: Apache-2.0
// Compares the cell sets with the measurements that they are fitted to.
//
// Most of these figures were used to fit the constants. Agreement therefore shows that the fit still holds; it does not
// show that the model predicts new measurements. The test cases named "regression guard" check the residuals of a fit
// to two digits. No paper publishes residuals, so a change in these test cases is not necessarily an error.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "catch.h"
#include "nand/cells/vth_model.h"
#include "nand/ispp/ispp.h"
#include "platform/config/configuration.h"

namespace nandscape {
namespace {

nand::CellParameters cell_set(const std::string& name) {
  return load_configuration("bare", {{"nand.cells.set", name}}).parameters.nand.cells;
}

struct Moments {
  double mean = 0;
  double deviation = 0;
};

// Returns the mean and the standard deviation of a state. Integrates numerically from three volts below the centre of
// the state to three volts above.
Moments moments(const nand::StateDistribution& state) {
  constexpr double reach = 3000, step = 2;
  double mean = 0, square = 0;
  for (double v = -reach; v < reach; v += step) {
    const double share = state.between(state.centre() + v, state.centre() + v + step);
    const double middle = v + step / 2;
    mean += share * middle;
    square += share * middle * middle;
  }
  return {state.centre() + mean, std::sqrt(square - mean * mean)};
}

double programming_us(const nand::CellParameters& p) {
  const nand::PlacementParameters& placement = p.placement;
  return nand::expected_ispp({p.ispp, placement.step_mv, placement.pulse_noise_mv, placement.verify_mv})
      .latency_us(p.ispp);
}

TEST_CASE("cell sets: regression guard of the program times in their comments") {
  CHECK(programming_us(cell_set("tlc_3d_48")) == Approx(700).epsilon(0.005));
  CHECK(programming_us(cell_set("mlc_planar_15k")) == Approx(200).epsilon(0.005));
  CHECK(programming_us(cell_set("mlc_planar_72nm")) == Approx(560).epsilon(0.005));
  CHECK(programming_us(cell_set("tlc_planar_cai")) == Approx(1182).epsilon(0.005));
  CHECK(programming_us(cell_set("qlc_3d")) == Approx(2300).epsilon(0.02));
  CHECK(programming_us(cell_set("slc_3d")) == Approx(98).epsilon(0.005));
}

// Mean and deviation of a fitted state minus those of the published table, in the unit of the table.
struct Residual {
  std::uint32_t state = 0;
  double mean = 0;
  double deviation = 0;
};

// Compares with Cai et al. (2017), Table 5: retention from a day to a year at 2000 P/E cycles. Values are in units of
// 10 mV.
std::vector<Residual> residuals_over_a_year() {
  constexpr double unit_mv = 10, kilocycles = 2;
  constexpr double day = 12 / 365.25;
  struct Row {
    double months;
    std::array<double, 8> means;
    std::array<double, 8> deviations;
  };
  const std::vector<Row> table = {
      {day, {-92.7, 66.6, 128.1, 191.9, 254.9, 318.3, 384.3, 448.1}, {48.2, 9.7, 9.7, 9.4, 9.3, 9.1, 9.5, 9.1}},
      {7 * day,
       {-86.7, 67.5, 128.1, 191.4, 253.8, 316.5, 381.8, 444.9},
       {46.4, 10.7, 10.8, 10.5, 10.6, 10.3, 10.6, 10.6}},
      {1, {-84.4, 68.6, 128.7, 191.6, 253.5, 315.8, 380.9, 443.6}, {46.8, 11.3, 11.2, 11.0, 10.9, 10.8, 11.2, 11.1}},
      {3, {-75.6, 72.8, 131.6, 193.3, 254.3, 315.7, 380.2, 442.2}, {45.9, 12.0, 11.8, 11.5, 11.4, 11.4, 11.7, 11.7}},
      {12, {-69.4, 76.6, 134.2, 195.2, 255.3, 316.0, 379.6, 440.8}, {45.9, 12.8, 12.4, 12.0, 12.0, 11.9, 12.3, 12.4}},
  };
  const nand::VthModel model(cell_set("tlc_planar_cai"), {});
  std::vector<Residual> residuals;
  for (const Row& row : table) {
    for (std::uint32_t place = 0; place < 8; ++place) {
      const nand::CellCondition condition{.kilocycles = kilocycles, .retention_months = row.months};
      const Moments m = moments(model.state(place, condition, {}));
      residuals.push_back({place, m.mean / unit_mv - row.means[place], m.deviation / unit_mv - row.deviations[place]});
    }
  }
  return residuals;
}

// The permitted difference of the mean is a tenth of the deviation of a programmed state, and a sixteenth of the
// deviation of the erased state.
TEST_CASE("cell sets: means and deviations of TLC over a year are near the table of the fit") {
  for (const Residual& residual : residuals_over_a_year()) {
    CAPTURE(residual.state);
    CHECK(std::abs(residual.mean) < (residual.state == 0 ? 3 : 1));
    CHECK(std::abs(residual.deviation) < 1);
  }
}

TEST_CASE("cell sets: regression guard of the residuals of that fit") {
  double mean_squares = 0, deviation_squares = 0, programmed = 0;
  double largest_erased_mean = 0;
  for (const Residual& residual : residuals_over_a_year()) {
    if (residual.state == 0) {
      largest_erased_mean = std::max(largest_erased_mean, std::abs(residual.mean));
      continue;
    }
    mean_squares += residual.mean * residual.mean;
    deviation_squares += residual.deviation * residual.deviation;
    programmed += 1;
  }
  CHECK(std::sqrt(mean_squares / programmed) == Approx(0.44).margin(0.01));
  CHECK(std::sqrt(deviation_squares / programmed) == Approx(0.25).margin(0.01));
  CHECK(largest_erased_mean == Approx(2.7).margin(0.05));
}

// Cai et al. (2017), Table 4.
TEST_CASE("cell sets: the erased state of TLC rises with cycles") {
  const nand::VthModel model(cell_set("tlc_planar_cai"), {});
  const auto erased_mv = [&](double kilocycles) { return model.state(0, {.kilocycles = kilocycles}, {}).centre(); };
  CHECK(erased_mv(0) == Approx(-1100));
  CHECK(erased_mv(3) == Approx(-841).margin(12));
}

// Sha et al. limit the number of cells of a page that may be in error-prone states. This test computes the limit for
// each program step of Table II and each code of Table III. One of the computed limits exceeds the page; Table III
// gives 16384, the number of cells in the page, for it.
TEST_CASE("cell sets: thresholds of content-dependent error rates of MLC") {
  constexpr double cells_of_page = 16384;
  // The RBERs at which one page in 1e7 fails, for codes that correct 55, 29, 16 and 9 errors per codeword.
  struct Row {
    double step_mv;
    double correctable;
    double msb;
    double lsb;
  };
  const std::vector<Row> rows = {
      {380, 7.345e-4, 15025, 11682}, {460, 7.345e-4, 7865, 5817}, {540, 7.345e-4, 4506, 3048},
      {600, 7.345e-4, 2868, 1704},   {680, 7.345e-4, 1573, 639},  {300, 5.368e-4, 16384, 16221},
      {300, 3.517e-4, 11846, 9143},  {300, 1.830e-4, 4031, 2704},
  };
  const nand::VthModel model(cell_set("mlc_planar_15k"), {});
  const nand::Coding& coding = nand::coding_named("mlc_13");
  const nand::CellCondition worn{.kilocycles = 15, .retention_months = 12};
  for (const Row& row : rows) {
    CAPTURE(row.step_mv, row.correctable);
    const auto states = model.states(coding, worn, {}, row.step_mv);
    const auto levels = model.default_levels(coding, worn, row.step_mv);
    const auto threshold = [&](double low_rate, double high_rate) {
      return std::min(cells_of_page, cells_of_page * (row.correctable - low_rate) / (high_rate - low_rate));
    };
    CHECK(threshold(states[1].above(levels[1]), states[2].below(levels[1])) == Approx(row.msb).epsilon(0.07));
    CHECK(threshold(states[0].above(levels[0]), states[3].below(levels[2])) == Approx(row.lsb).epsilon(0.07));
  }
}

// Compares with Liu et al., sections 3.1.3 and 3.2.
TEST_CASE("cell sets: retention relaxation of MLC") {
  constexpr double correctable = 4.5e-4;
  constexpr double week = 12 * 7.0 / 365;
  const nand::VthModel model(cell_set("mlc_planar_72nm"), {});
  const nand::Coding& coding = nand::coding_named("mlc_12");
  const auto misplaced = [&](double months, double step_ratio) {
    const nand::CellCondition condition{.kilocycles = 10, .retention_months = months};
    const double step_mv = step_ratio * model.parameters().placement.step_mv;
    const auto states = model.states(coding, condition, {}, step_mv);
    const auto levels = model.default_levels(coding, condition, step_mv);
    double share = 0;
    for (std::size_t s = 0; s < states.size(); ++s) {
      if (s > 0) share += states[s].below(levels[s - 1]) / 4;
      if (s < levels.size()) share += states[s].above(levels[s]) / 4;
    }
    return share;
  };
  CHECK(misplaced(12, 1) == Approx(correctable).epsilon(0.02));
  CHECK(misplaced(10 * week, 1.85) < correctable);
  CHECK(misplaced(10 * week, 1.87) > correctable);
  CHECK(misplaced(2 * week, 2.32) < correctable);
  CHECK(misplaced(2 * week, 2.34) > correctable);
}

}  // namespace
}  // namespace nandscape
