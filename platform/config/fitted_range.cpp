// SPDX-License-Identifier: Apache-2.0
#include "platform/config/fitted_range.h"

#include <vector>

#include "core/ticks.h"
#include "nand/cells/retention.h"
#include "platform/config/units.h"

namespace nandscape {

std::optional<std::string> outside_fitted_range(const nand::NandParameters& parameters) {
  const nand::ConditionParameters& condition = parameters.condition;
  const nand::FittedRangeParameters& fitted = parameters.cells.fitted;
  std::string outside;
  const auto compare = [&outside](const std::vector<double>& range, double value, const char* what) {
    // Values computed from days and temperatures may miss a bound by rounding.
    constexpr double slack = 1e-6;
    if (range.empty() || (value >= range[0] * (1 - slack) && value <= range[1] * (1 + slack))) return;
    outside += (outside.empty() ? "" : ", ") + number_text(value) + " " + what + " (fitted: " + number_text(range[0]) +
               (range[0] == range[1] ? "" : " to " + number_text(range[1])) + ")";
  };
  const double months = condition.retention_days * 24 / hours_per_month *
                        nand::arrhenius_factor(parameters.cells.retention, condition.storage_temperature_c);
  compare(fitted.pe_cycles, condition.pe_cycles, "program/erase cycles");
  compare(fitted.retention_months, months, "months at 30 °C");
  compare(fitted.temperature_c, condition.temperature_c, "°C");
  compare(fitted.block_reads, static_cast<double>(condition.block_reads), "reads of each block");
  if (outside.empty()) return std::nullopt;
  return "nand.condition is outside the range that nand.cells.set " + parameters.cells.set +
         " was fitted to, so error rates show trends only: " + outside;
}

}  // namespace nandscape
