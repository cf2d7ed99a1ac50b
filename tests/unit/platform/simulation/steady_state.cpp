// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/steady_state.h"

#include <array>

#include "catch.h"
#include "core/ticks.h"
#include "platform/simulation/rounds.h"

namespace nandscape {
namespace {

TEST_CASE("SNIA's criteria: the range of five values, and the rise of the line through them") {
  const Spread flat = spread_of(std::array{10.0, 10.0, 10.0, 10.0, 10.0});
  CHECK(flat.range == 0);
  CHECK(flat.slope == 0);
  // The values have a range of 4 and a mean of 10. The fitted line also rises by 4.
  const Spread rising = spread_of(std::array{8.0, 9.0, 10.0, 11.0, 12.0});
  CHECK(rising.range == Approx(0.4));
  CHECK(rising.slope == Approx(0.4));
  const Spread falling = spread_of(std::array{12.0, 11.0, 10.0, 9.0, 8.0});
  CHECK(falling.slope == Approx(-0.4));
  // These values are symmetric about the middle one, so the fitted line does not rise.
  const Spread peak = spread_of(std::array{9.0, 10.0, 12.0, 10.0, 9.0});
  CHECK(peak.range == Approx(0.3));
  CHECK(peak.slope == Approx(0).margin(1e-12));
  CHECK(spread_of(std::array{0.0, 0.0, 0.0, 0.0, 0.0}).range == 0);
}

TEST_CASE("a run of any length has ten to twenty rounds of equal time") {
  Rounds rounds;
  rounds.start({});
  for (Tick now = 0; now < 2 * second; now += 10 * microsecond) {
    if (now >= rounds.next()) rounds.add({now});
  }
  const std::vector<Moment>& boundaries = rounds.boundaries();
  CHECK(boundaries.size() >= 11);
  CHECK(boundaries.size() <= 21);
  CHECK(boundaries.front().at == 0);
  const Tick length = boundaries[1].at;
  for (std::size_t k = 1; k < boundaries.size(); ++k) CHECK(boundaries[k].at - boundaries[k - 1].at == length);
  CHECK(2 * second - boundaries.back().at <= length);
}

TEST_CASE("a stock drifts when it absorbs more than a tenth of the writes, and more than its fluctuation") {
  const auto moment = [](std::uint64_t sectors, double bytes) {
    Moment at;
    at.requests.of_workload.emplace_back().record({host::RequestKind::write, Lba(0), sectors}, 0, 1);
    at.stocks = {{"cache", bytes, 1e9, 1000}};
    return at;
  };
  const auto change = [&](double bytes) { return stock_changes(moment(1, 0), moment(1 + 200, bytes)).front(); };
  CHECK_FALSE(change(10'000).drifts);  // 9.8 % of 102,400 bytes
  CHECK(change(11'000).drifts);
  CHECK(change(-11'000).drifts);
  CHECK(change(11'000).share == Approx(11'000 / 102'400.0));
  // This change is smaller than the fluctuation of the stock, so it is no drift.
  CHECK_FALSE(stock_changes(moment(1, 0), moment(2, 900)).front().drifts);
  // The fluctuation is smaller than a tenth of 20 sectors, but larger than a tenth of 19 sectors (9,728 bytes).
  CHECK_FALSE(stock_changes(moment(1, 0), moment(1 + 19, 900)).front().known);
  CHECK(stock_changes(moment(1, 0), moment(1 + 20, 900)).front().known);
}

}  // namespace
}  // namespace nandscape
