// SPDX-License-Identifier: Apache-2.0
#include "controller/parity/parity_counters.h"

namespace nandscape::controller {

void describe(const ParityCounters& c, StatisticsVisitor& v) {
  v.count("parity_pages", c.parity_pages, "of the pages programmed, those that hold the parity of a row");
  v.count("rebuilds", c.rebuilds, "pages that could not be corrected and were made from the others of their row");
  v.count("failed_rebuilds", c.failed_rebuilds, "pages that could not be made, since another of their row failed, too");
}

}  // namespace nandscape::controller
