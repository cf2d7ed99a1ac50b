// SPDX-License-Identifier: Apache-2.0
#include "platform/studies/retention_study.h"

#include <stdexcept>

#include "platform/studies/retention_relaxation/write_speed.h"

namespace nandscape {

namespace {

void check(const ErrorRates& rates) {
  if (!(rates.at_one_year > 0 && rates.at_one_year < 1)) {
    throw std::invalid_argument("the error rate after a year lies between 0 and 1");
  }
  if (!(rates.exponent > 0)) throw std::invalid_argument("errors grow with a positive power of time");
  if (!(rates.one_year_to_write > 1))
    throw std::invalid_argument("there must be more errors after a year than after writing");
  if (!(rates.write_high_share >= 0 && rates.write_high_share <= 1)) {
    throw std::invalid_argument("a share of the write errors lies between 0 and 1");
  }
}

}  // namespace

double write_speedup(const ErrorRates& rates, double weeks) {
  check(rates);
  if (!(weeks >= 0 && weeks <= weeks_per_year)) throw std::invalid_argument("data are kept for 0 to 52 weeks");
  return write_speedup(FittedCells(rates), weeks / weeks_per_year, rates.at_one_year);
}

std::optional<double> retention_weeks(const ErrorRates& rates, double correctable_rber) {
  check(rates);
  if (!(correctable_rber > 0 && correctable_rber < 1)) {
    throw std::invalid_argument("a correctable error rate lies between 0 and 1");
  }
  const std::optional<double> years = data_retention(rates, correctable_rber);
  if (!years) return std::nullopt;
  return *years * weeks_per_year;
}

}  // namespace nandscape
