// SPDX-License-Identifier: Apache-2.0
#include "ecc/codes/sensing_channel.h"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "catch.h"
#include "core/random.h"

namespace nandscape::ecc {
namespace {

constexpr double rbers[] = {1e-12, 1e-6, 1e-4, 1e-3, 5e-3, 1e-2, 3e-2, 0.1, 0.3};

// Both functions return the probability of a region for a 0 bit, for bits whose hard read was wrong or right,
// respectively.
double if_hard_error(const SensingChannel& channel, std::uint32_t region) {
  return channel.regions()[region].probability_if_wrong / channel.rber();
}
double if_no_hard_error(const SensingChannel& channel, std::uint32_t region) {
  return channel.regions()[region].probability_if_right / (1 - channel.rber());
}

double entropy(double p) { return -p * std::log2(p) - (1 - p) * std::log2(1 - p); }

TEST_CASE("a single sense is a binary symmetric channel") {
  for (const double rber : rbers) {
    const SensingChannel channel(rber, 1);
    REQUIRE(channel.regions().size() == 2);
    CHECK(channel.regions()[0].probability_if_zero == Approx(rber).epsilon(1e-9));
    CHECK(channel.regions()[0].probability_if_one == Approx(1 - rber));
    CHECK(channel.regions()[0].log_likelihood_ratio == Approx(std::log((1 - rber) / rber)));
    CHECK(channel.regions()[0].llr == strongest_llr);
    CHECK(channel.regions()[1].llr == -strongest_llr);
    CHECK(if_hard_error(channel, 0) == Approx(1));
    CHECK(if_no_hard_error(channel, 1) == Approx(1));
    CHECK(channel.mutual_information() == Approx(1 - entropy(rber)));
  }
}

TEST_CASE("probabilities of regions sum to 1, and to those of hard decisions") {
  for (const double rber : rbers) {
    for (std::uint32_t levels = 1; levels <= most_sensing_levels; ++levels) {
      INFO("RBER " << rber << ", " << levels << " levels");
      const SensingChannel channel(rber, levels);
      double zero = 0, one = 0, wrong = 0, if_error = 0, if_none = 0;
      for (std::uint32_t i = 0; i <= levels; ++i) {
        zero += channel.regions()[i].probability_if_zero;
        one += channel.regions()[i].probability_if_one;
        wrong += channel.regions()[i].probability_if_wrong;
        if_error += if_hard_error(channel, i);
        if_none += if_no_hard_error(channel, i);
      }
      CHECK(zero == Approx(1));
      CHECK(one == Approx(1));
      CHECK(wrong == Approx(rber).epsilon(1e-9));
      CHECK(if_error == Approx(1).epsilon(1e-9));
      CHECK(if_none == Approx(1));
    }
  }
}

TEST_CASE("regions mirror one another, and outer ones are more certain") {
  for (const double rber : rbers) {
    for (std::uint32_t levels = 1; levels <= most_sensing_levels; ++levels) {
      INFO("RBER " << rber << ", " << levels << " levels");
      const SensingChannel channel(rber, levels);
      for (std::uint32_t i = 0; i <= levels; ++i) {
        const auto& region = channel.regions()[i];
        const auto& mirrored = channel.regions()[levels - i];
        CHECK(region.llr == -mirrored.llr);
        CHECK(region.log_likelihood_ratio == -mirrored.log_likelihood_ratio);
        CHECK(region.probability_if_zero == mirrored.probability_if_one);
        if (i > 0) CHECK(region.log_likelihood_ratio < channel.regions()[i - 1].log_likelihood_ratio);
      }
      CHECK(channel.regions()[0].llr == strongest_llr);
    }
  }
}

TEST_CASE("no other spacing gives more mutual information") {
  for (const double rber : rbers) {
    for (std::uint32_t levels = 2; levels <= most_sensing_levels; ++levels) {
      INFO("RBER " << rber << ", " << levels << " levels");
      const SensingChannel best(rber, levels);
      for (const double factor : {0.5, 0.9, 0.99, 1.01, 1.1, 2.0}) {
        const SensingChannel other(rber, levels, factor * best.spacing());
        // The margin allows for rounding, since at low RBERs the mutual information is very close to 1 for every
        // spacing.
        CHECK(other.mutual_information() <= best.mutual_information() + 1e-13);
      }
      CHECK(best.mutual_information() > SensingChannel(rber, levels - 1).mutual_information());
    }
  }
}

TEST_CASE("levels agree with the tails of a normal distribution") {
  // At an RBER of Q(2) with a spacing of one sigma, three levels are at 1, 2 and 3 sigma from the mean of a 0 bit.
  const auto tail = [](double x) { return 0.5 * std::erfc(x / std::sqrt(2)); };
  const SensingChannel channel(tail(2), 3, 0.5);
  CHECK(channel.sigma() == Approx(0.5));
  CHECK(channel.regions()[0].probability_if_zero == Approx(tail(3)));
  CHECK(channel.regions()[1].probability_if_zero == Approx(tail(2) - tail(3)));
  CHECK(channel.regions()[2].probability_if_zero == Approx(tail(1) - tail(2)));
  CHECK(channel.regions()[3].probability_if_zero == Approx(1 - tail(1)));
  // Two levels are at 1.5 and 2.5 sigma from the mean. The part of the middle region beyond 2 sigma is read wrongly.
  const SensingChannel two(tail(2), 2, 0.5);
  CHECK(two.regions()[1].probability_if_wrong == Approx(tail(2) - tail(2.5)));
  CHECK(two.regions()[1].probability_if_right == Approx(tail(1.5) - tail(2)));
  CHECK(two.regions()[1].llr == 0);
}

TEST_CASE("samples are drawn with the channel's probabilities") {
  RandomStream random(1, "regions");
  constexpr int draws = 200000;
  for (const std::uint32_t levels : {1u, 2u, 3u, 7u}) {
    const SensingChannel channel(1e-2, levels);
    for (const bool bit : {false, true}) {
      for (const bool hard_error : {false, true}) {
        std::vector<int> times(levels + 1);
        for (int i = 0; i < draws; ++i) ++times[channel.sample(bit, hard_error, random.uniform())];
        for (std::uint32_t i = 0; i <= levels; ++i) {
          const std::uint32_t region = bit ? levels - i : i;
          const double expected = hard_error ? if_hard_error(channel, i) : if_no_hard_error(channel, i);
          INFO(levels << " levels, region " << region);
          CHECK(std::abs(times[region] - draws * expected) <= 5 * std::sqrt(draws * expected * (1 - expected)) + 1e-6);
        }
      }
    }
  }
}

TEST_CASE("impossible sensing channels are refused") {
  CHECK_THROWS_AS(SensingChannel(0, 1), std::invalid_argument);
  CHECK_THROWS_AS(SensingChannel(0.5, 1), std::invalid_argument);
  CHECK_THROWS_AS(SensingChannel(1e-3, 0), std::invalid_argument);
  CHECK_THROWS_AS(SensingChannel(1e-3, 8), std::invalid_argument);
}

}  // namespace
}  // namespace nandscape::ecc
