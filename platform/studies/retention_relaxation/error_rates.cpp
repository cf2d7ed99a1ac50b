// SPDX-License-Identifier: Apache-2.0
#include "platform/studies/retention_relaxation/error_rates.h"

#include <cmath>

namespace nandscape {

double ErrorRates::after(double years) const { return write() + retention() * std::pow(years, exponent); }

std::optional<double> data_retention(const ErrorRates& rates, double correctable_rber) {
  if (correctable_rber < rates.write()) return std::nullopt;
  return std::pow((correctable_rber - rates.write()) / rates.retention(), 1 / rates.exponent);
}

}  // namespace nandscape
