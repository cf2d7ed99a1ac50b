// SPDX-License-Identifier: Apache-2.0
// Tests a pool of decoders against the queue M/D/c: Poisson arrivals, a fixed time of service, c servers. Each page has
// the same number of misread bits, so the time of decoding is that of its iterations.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "catch.h"
#include "core/random.h"
#include "ecc/engine.h"
#include "ecc/page_coders/table_coder.h"
#include "ecc/page_coders/threshold_coder.h"
#include "unit/ecc/some_table.h"

namespace nandscape::ecc {
namespace {

constexpr std::uint32_t codewords = 4;
constexpr std::uint32_t page_bytes = codewords * 4096;

EccParameters parameters() {
  EccParameters p;
  p.codeword_bytes = 4096;
  p.decode_time = DecodeTime::iterations;
  p.clock_mhz = 400;
  p.codeword_cycles = 64;
  p.iteration_cycles = 576;
  return p;
}

EccEngine make_pool(const EccParameters& p, std::uint32_t units) {
  return {std::vector<PageCode>{{.parameters = p}}, p,
          std::make_unique<TableCoder>(TableCoder::Tables{some_table()}, codewords, 7, "ecc_0"), units};
}

// A page whose codewords have `errors` misread bits each.
struct Page {
  explicit Page(std::uint16_t errors) : of_codewords(codewords, errors) {
    job.bytes = page_bytes;
    job.raw_bit_errors = codewords * errors;
    job.worst_codeword_errors = errors;
    job.codeword_errors = of_codewords;
  }
  // Returns the time of decoding.
  double ticks() const {
    const EccParameters p = parameters();
    const double iterations = some_table()->mean_iterations(1, job.worst_codeword_errors, 0);
    return codewords * (p.codeword_cycles + iterations * p.iteration_cycles) * 1e6 / p.clock_mhz;
  }

  std::vector<std::uint16_t> of_codewords;
  EccJob job;
};

// Returns the mean wait in the queue M/D/c with arrival rate `rate`, in units of the time of service. A job that is in
// service at a time t has left one time of service later, and a job that arrives in between has not. So the number N of
// jobs in the system follows N(t + 1) = max(N(t) - c, 0) + the arrivals in between [Crommelin 1932]. Its stationary
// distribution gives the mean length of the queue, and the law of Little the wait.
double wait_of_mdc(double rate, std::uint32_t servers) {
  constexpr std::size_t states = 400;
  constexpr std::size_t most_arrivals = 100;
  std::vector<double> arrivals(most_arrivals);
  for (std::size_t k = 0; k < most_arrivals; ++k) {
    const auto number = static_cast<double>(k);
    arrivals[k] = std::exp(number * std::log(rate) - rate - std::lgamma(number + 1));
  }
  std::vector<double> share(states);
  share[0] = 1;
  for (double change = 1; change > 1e-12;) {
    std::vector<double> next(states);
    for (std::size_t n = 0; n < states; ++n) {
      const std::size_t left = n > servers ? n - servers : 0;
      for (std::size_t k = 0; k < most_arrivals; ++k) next[std::min(left + k, states - 1)] += share[n] * arrivals[k];
    }
    change = 0;
    for (std::size_t n = 0; n < states; ++n) change += std::abs(next[n] - share[n]);
    share = std::move(next);
  }
  double queue = 0;
  for (std::size_t n = servers; n < states; ++n) queue += static_cast<double>(n - servers) * share[n];
  return queue / rate;
}

TEST_CASE("the reference for M/D/1 is the formula of Pollaczek and Khinchine") {
  for (const double rate : {0.3, 0.6, 0.8})
    CHECK(wait_of_mdc(rate, 1) == Approx(rate / (2 * (1 - rate))).epsilon(1e-6));
}

TEST_CASE("the mean wait for a pool of decoders is that of M/D/c, at three error rates") {
  constexpr double load = 0.8;
  constexpr int batches = 40;
  constexpr int jobs_in_batch = 40'000;
  for (const std::uint32_t units : {1u, 2u, 4u, 8u}) {
    const double expected = wait_of_mdc(load * units, units);
    for (const std::uint16_t errors : {10, 90, 240}) {
      CAPTURE(units, errors);
      Page page(errors);
      const double service = page.ticks();
      EccEngine pool = make_pool(parameters(), units);
      RandomStream random(1000 * units + errors, "arrivals");
      double arrival = 0;
      std::vector<double> waits(batches);  // mean wait of each batch, in units of the time of service
      for (double& wait : waits) {
        for (int k = 0; k < jobs_in_batch; ++k) {
          arrival += random.exponential(service / (load * units));
          const auto now = static_cast<Tick>(arrival);
          wait += (static_cast<double>(pool.accept(page.job, now) - now) - service) / service / jobs_in_batch;
        }
      }
      double mean = 0;
      for (const double wait : waits) mean += wait / batches;
      double variance = 0;
      for (const double wait : waits) variance += (wait - mean) * (wait - mean) / (batches - 1);
      // The tolerance is four standard errors of the mean over the batches. The run is long enough for 5 %.
      const double tolerance = 4 * std::sqrt(variance / batches);
      CHECK(tolerance < 0.05 * expected);
      CHECK(std::abs(mean - expected) < tolerance);
    }
  }
}

TEST_CASE("the throughput of a pool grows with its decoders, at three error rates") {
  constexpr std::uint32_t pages = 1000;
  for (const std::uint32_t units : {1u, 3u, 8u}) {
    for (const std::uint16_t errors : {10, 90, 240}) {
      CAPTURE(units, errors);
      Page page(errors);
      EccEngine pool = make_pool(parameters(), units);
      Tick end = 0;
      for (std::uint32_t k = 0; k < pages; ++k) end = std::max(end, pool.accept(page.job, 0));
      // The last round may occupy a part of the decoders, which is less than 1 % of the rounds.
      CHECK(pages / static_cast<double>(end) == Approx(units / page.ticks()).epsilon(0.01));
    }
  }
}

TEST_CASE("a page goes to the decoder that is free first, and may overtake an earlier page") {
  EccEngine pool = make_pool(parameters(), 2);
  Page slow(240), fast(10);
  const auto ticks = [](const Page& page) { return static_cast<Tick>(std::llround(page.ticks())); };
  const Tick first = pool.accept(slow.job, 0);
  CHECK(first == ticks(slow));
  const Tick second = pool.accept(fast.job, 0);
  CHECK(second == ticks(fast));
  const Tick third = pool.accept(fast.job, 0);
  CHECK(third == second + ticks(fast));
  CHECK(third < first);
}

TEST_CASE("the FIFO of a pool holds pages for all of its decoders, and has room when any of them has left") {
  EccParameters p = parameters();
  p.decode_fifo_pages = 1;
  EccEngine pool = make_pool(p, 2);
  Page slow(240), fast(10);
  CHECK(pool.room(EccKind::decode, 0) == 0);
  const Tick first = pool.accept(slow.job, 0);
  CHECK(pool.room(EccKind::decode, 0) == 0);
  const Tick second = pool.accept(fast.job, 0);
  REQUIRE(second < first);
  CHECK(pool.room(EccKind::decode, 1) == second);
  CHECK(pool.counters().waits == 1);
  CHECK(pool.counters().decode_fifo_full == second - 1);
}

TEST_CASE("codewords are counted by their iterations") {
  EccEngine pool = make_pool(parameters(), 1);
  for (const std::uint16_t errors : {0, 25, 50, 150, 240}) {
    Page page(errors);
    pool.accept(page.job, 0);
  }
  // The table gives 1, 1.5, 2, 4 and 5.8 iterations.
  const std::array<std::uint64_t, 7> expected = {0, codewords, 2 * codewords, codewords, codewords, 0, 0};
  CHECK(pool.counters().by_iterations.codewords == expected);
  CHECK(pool.counters().iterations == Approx(codewords * (1 + 1.5 + 2 + 4 + 5.8)));
}

// ---- Stopping at a failed codeword

EccEngine make_stopping(const EccParameters& p) {
  auto coder = std::make_unique<ThresholdCoder>(40);
  coder->stop_at_failure();
  return {p, std::move(coder)};
}

TEST_CASE("codewords after a failed one take no time of the decoder") {
  EccParameters p = parameters();
  p.decode_time = DecodeTime::codewords;
  p.t_codeword_us = 10;
  EccEngine engine = make_stopping(p);
  Page page(0);
  SECTION("none fails") { CHECK(engine.accept(page.job, 0) == 40 * microsecond); }
  SECTION("the second fails") {
    page.of_codewords = {3, 41, 0, 99};
    page.job.codeword_errors = page.of_codewords;
    page.job.worst_codeword_errors = 99;
    CHECK(engine.accept(page.job, 0) == 20 * microsecond);
    CHECK(page.job.uncorrectable);
    CHECK(engine.counters().decoded_bytes == 2 * 4096);
    // The decoder is free for the next page.
    Page next(0);
    CHECK(engine.accept(next.job, 0) == 60 * microsecond);
  }
  SECTION("the first fails while the page arrives") {
    page.of_codewords = {41, 0, 0, 0};
    page.job.codeword_errors = page.of_codewords;
    page.job.worst_codeword_errors = 41;
    page.job.transfer_time = 80 * microsecond;
    // The first codeword arrives at 120 us and is decoded at 130 us; the page arrives at 180 us.
    CHECK(engine.accept(page.job, 180 * microsecond) == 180 * microsecond);
    // Another page whose transfer has begun at 140 us finds the decoder free when its first codeword is complete.
    Page other(0);
    other.job.transfer_time = 40 * microsecond;
    CHECK(engine.accept(other.job, 180 * microsecond) == 190 * microsecond);
  }
}

TEST_CASE("with a given throughput, a stopped page occupies the decoder for its decoded bytes") {
  EccParameters p = parameters();
  p.decode_time = DecodeTime::given;
  p.decode_mb_s = 1000;
  p.t_decode_us = 5;
  EccEngine engine = make_stopping(p);
  Page page(0);
  page.of_codewords = {0, 0, 50, 0};
  page.job.codeword_errors = page.of_codewords;
  page.job.worst_codeword_errors = 50;
  CHECK(engine.accept(page.job, 0) == 5 * microsecond);
  Page next(0);
  CHECK(engine.accept(next.job, 0) == 3 * 4096 * nanosecond + 5 * microsecond);
}

TEST_CASE("a stopped table draws nothing for later codewords and counts the iterations of those it has decoded") {
  TableCoder all({some_table()}, codewords, 7, "ecc_0"), stopped({some_table()}, codewords, 7, "ecc_0");
  stopped.stop_at_failure();
  Page page(0);
  page.of_codewords = {0, 300, 50, 50};  // the second always fails
  page.job.codeword_errors = page.of_codewords;
  CHECK(all.decode(page.job).iterations.size() == 4);
  CHECK(page.job.uncorrectable);
  const PageCoder::Decoded decoded = stopped.decode(page.job);
  CHECK(page.job.uncorrectable);
  CHECK(decoded.codewords == 2);
  CHECK(decoded.iterations.size() == 2);
  page.of_codewords = {0, 50, 50, 0};
  CHECK(stopped.decode(page.job).codewords == PageCoder::all_codewords);
  CHECK_FALSE(page.job.uncorrectable);
}

}  // namespace
}  // namespace nandscape::ecc
