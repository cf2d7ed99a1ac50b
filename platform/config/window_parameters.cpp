// SPDX-License-Identifier: Apache-2.0
#include "platform/config/window_parameters.h"

namespace nandscape {

void describe(WarmupParameters& p, ParameterVisitor& v) {
  v.real("time_ms", p.time_ms, {0, 1e9}, "ms", "simulated time before the measured window begins");
  v.integer("requests", p.requests, {0, 1'000'000'000'000}, "", "requests completed before it begins");
  v.real("data_mib", p.data_mib, {0, 1e12}, "mib", "data read and written before it begins");
  v.real("drive_writes", p.drive_writes, {0, 1e6}, "", "data written before it begins, as a multiple of the capacity");
  v.boolean("steady", p.steady, "begin the window with five consecutive steady rounds (simulation.steady)");
}

void describe(SteadyParameters& p, ParameterVisitor& v) {
  v.text("figure", p.figure, "dotted name of the statistic that must be steady");
  v.real("range", p.range, {0.001, 10}, "",
         "limit of the difference of its maximum and minimum over five rounds, as a share of their mean; SNIA: 0.2");
  v.real("slope", p.slope, {0.001, 10}, "",
         "limit of the rise or fall of the line fitted to these values, as a share of their mean; SNIA: 0.1");
}

}  // namespace nandscape
