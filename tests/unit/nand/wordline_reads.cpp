// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/wordline_reads.h"

#include <cmath>
#include <vector>

#include "catch.h"
#include "nand/coding/merging.h"

using namespace nandscape;
using namespace nandscape::nand;

namespace {

// Returns cells with four states at distances of 1000 mV. In each state, about 1e-3 of the cells are misread.
CellParameters four_states() {
  CellParameters p;
  p.placement.erased_mean_mv = 0;
  p.placement.erased_sigma_mv = 100;
  p.placement.verify_mv = {900, 1900, 2900};
  p.placement.step_mv = 200;
  p.placement.tail_mv = 100;
  p.retention.shift_mv = 50;
  p.retention.low_state_share = 0.5;
  p.read_levels.retry_step_mv = 40;
  p.read_levels.capture_range_mv = 30;
  p.read_levels.tracking = true;
  return p;
}

constexpr SenseTiming standard{24, 5, 10};

}  // namespace

TEST_CASE("wordline reads: misreads of a page come from its own levels") {
  const VthModel model(four_states(), standard);
  const Coding& coding = coding_named("mlc_12");
  const WordlineReads reads(model, coding, {}, {});
  const auto levels = reads.levels(0);
  const auto states = reads.states();
  // Page 0 is read with level 2, and page 1 with levels 1 and 3.
  const double middle =
      states[0].above(levels[1]) + states[1].above(levels[1]) + states[2].below(levels[1]) + states[3].below(levels[1]);
  CHECK(reads.misread(0, levels, standard) == Approx(middle / 4).epsilon(1e-9));
  const double outer = states[0].between(levels[0], levels[2]) + states[1].below(levels[0]) +
                       states[1].above(levels[2]) + states[2].below(levels[0]) + states[2].above(levels[2]) +
                       states[3].between(levels[0], levels[2]);
  CHECK(reads.misread(1, levels, standard) == Approx(outer / 4).epsilon(1e-9));
}

TEST_CASE("wordline reads: levels in the wrong order still give valid probabilities") {
  const VthModel model(four_states(), standard);
  const Coding& coding = coding_named("mlc_12");
  const WordlineReads reads(model, coding, {}, {});
  const std::vector<double> crossed = {2500, 1500, 500};
  const double p = reads.misread_by_vth(1, crossed);
  CHECK(p >= 0);
  CHECK(p <= 1);
}

TEST_CASE("wordline reads: retry steps follow the drift by each level's share") {
  const VthModel model(four_states(), standard);
  const Coding& coding = coding_named("mlc_12");
  const CellCondition aged{.retention_months = 6};
  const WordlineReads reads(model, coding, aged, {});
  CHECK(reads.drift() == Approx(50 * std::log1p(600.0)));
  const auto before = reads.table_levels(0);
  const auto after = reads.table_levels(3);
  // The share of the drift is 1/2 at the centre of the lowest programmed state and 1 at that of the top state, and
  // linear in between.
  CHECK(before[0] - after[0] == Approx(3 * 40 * 0.5));
  CHECK(before[1] - after[1] == Approx(3 * 40 * 0.625));
  CHECK(before[2] - after[2] == Approx(3 * 40 * 0.875));
}

TEST_CASE("wordline reads: the only programmed state of single-bit cells drifts like a top state") {
  CellParameters p = four_states();
  p.placement.verify_mv = {900};
  const VthModel model(p, standard);
  const CellCondition aged{.retention_months = 6};
  CHECK(model.state(1, {}, {}).centre() - model.state(1, aged, {}).centre() == Approx(model.drift(aged, {})));
}

TEST_CASE("wordline reads: a drift that would reverse the order of voltages is refused") {
  const VthModel model(four_states(), standard);
  CHECK_NOTHROW(model.state(3, {.retention_months = 1000}, {}));
  CellParameters p = four_states();
  p.retention.wear_shift_mv = 50;
  CHECK_THROWS_AS(VthModel(p, standard).state(3, {.kilocycles = 1000, .retention_months = 6}, {}), std::domain_error);
}

TEST_CASE("wordline reads: with tracking, the nearest steps read at the page's own optimum") {
  CellParameters p = four_states();
  p.read_levels.tracking_miss_mv = 5;
  const VthModel tracking(p, standard);
  p.read_levels.tracking = false;
  const VthModel plain(p, standard);
  const Coding& coding = coding_named("mlc_12");
  const CellCondition aged{.retention_months = 6};
  const WordlineReads tracked(tracking, coding, aged, {});
  const auto nearest = static_cast<std::uint32_t>(std::lround(tracked.drift() / 40));
  const auto levels = tracked.levels(nearest);
  for (std::size_t k = 0; k < levels.size(); ++k) CHECK(levels[k] == Approx(tracked.optimum_levels()[k] + 5));
  CHECK(tracked.levels(nearest - 2) == tracked.table_levels(nearest - 2));
  const WordlineReads untracked(plain, coding, aged, {});
  CHECK(untracked.levels(nearest) == untracked.table_levels(nearest));
}

TEST_CASE("wordline reads: optimum levels misread least") {
  CellParameters p = four_states();
  for (const double lambda : {0.0, 20.0}) {
    p.telegraph_noise.lambda_mv = lambda;
    p.telegraph_noise.wear_exponent = 0;
    const VthModel model(p, standard);
    const WordlineReads reads(model, coding_named("mlc_12"), {.kilocycles = 1, .retention_months = 1}, {});
    const auto states = reads.states();
    const auto levels = reads.optimum_levels();
    for (std::size_t k = 0; k < levels.size(); ++k) {
      const auto misreads = [&](double v) { return states[k].above(v) + states[k + 1].below(v); };
      CAPTURE(lambda, k, levels[k]);
      CHECK(misreads(levels[k]) <= 1.01 * misreads(levels[k] - 20));
      CHECK(misreads(levels[k]) <= 1.01 * misreads(levels[k] + 20));
    }
  }
}

TEST_CASE("wordline reads: a shorter sense misreads more") {
  CellParameters p = four_states();
  p.sensing.precharge_median_us = 3;
  p.sensing.discharge_median_us = 1.6;
  p.sensing.evaluation_median_us = 1.9;
  p.sensing.residual_us = 2.9;
  const VthModel model(p, standard);
  const WordlineReads reads(model, coding_named("mlc_12"), {}, {});
  const auto levels = reads.levels(0);
  const double whole = reads.misread(0, levels, standard);
  const double less_precharge = reads.misread(0, levels, {10, 5, 10});
  const double less_discharge = reads.misread(0, levels, {24, 5, 6});
  const double both = reads.misread(0, levels, {10, 5, 6});
  CHECK(less_precharge > whole);
  CHECK(less_discharge > whole);
  // Residual charge of a shortened discharge adds to the next precharge. Shortening both phases therefore costs more
  // than the sum of the two costs.
  CHECK(both - whole > (less_precharge - whole) + (less_discharge - whole));
  CHECK(reads.misread(0, levels, {24, 3, 10}) > whole);
  CHECK(reads.misread(0, levels, {0, 5, 10}) > 0.2);
}

TEST_CASE("wordline reads: a merged coding reads between the remaining states") {
  const VthModel model(four_states(), standard);
  const Coding& coding = coding_named("mlc_12");
  // If page 0 is invalid, state 0 moves up to state 3, and state 1 to state 2.
  const Merging merging = merge(coding, 0b10);
  REQUIRE(merging.coding.states() == 2);
  const WordlineReads reads(model, merging.coding, {}, {});
  const WordlineReads before(model, coding, {}, {});
  const double level = before.levels(0)[2];
  CHECK(reads.misread(0, 0) == Approx((before.states()[2].above(level) + before.states()[3].below(level)) / 2));
}
