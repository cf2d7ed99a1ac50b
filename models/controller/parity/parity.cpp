// SPDX-License-Identifier: Apache-2.0
#include "controller/parity/parity.h"

namespace nandscape::controller {

void describe(ParityParameters& p, ParameterVisitor& v) {
  v.integer(
      "stripe_dies", p.stripe_dies, {0, 1 << 16}, "",
      "dies of a stripe set, in which one page of each row holds parity; must divide the number of dies; 0: no parity");
}

void describe(const ParityCounters& c, StatisticsVisitor& v) {
  v.count("parity_pages", c.parity_pages, "programmed pages that hold the parity of a row");
  v.count("rebuilds", c.rebuilds, "pages that could not be corrected and were rebuilt from the others of their row");
  v.count("failed_rebuilds", c.failed_rebuilds,
          "pages that could not be rebuilt, since another page of their row failed, too");
}

}  // namespace nandscape::controller
