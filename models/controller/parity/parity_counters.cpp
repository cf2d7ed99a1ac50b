// SPDX-License-Identifier: Apache-2.0
#include "controller/parity/parity_counters.h"

namespace nandscape::controller {

void describe(const ParityCounters& c, StatisticsVisitor& v) {
  v.count("parity_pages", c.parity_pages, "programmed pages that hold the parity of a row");
  v.count("rebuilds", c.rebuilds, "pages that could not be corrected and were rebuilt from the others of their row");
  v.count("failed_rebuilds", c.failed_rebuilds,
          "pages that could not be rebuilt, since another page of their row failed, too");
}

}  // namespace nandscape::controller
