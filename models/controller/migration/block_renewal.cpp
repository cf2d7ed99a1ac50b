// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/block_renewal.h"

namespace nandscape::controller {

void describe(const RenewalCounters& c, StatisticsVisitor& v) {
  v.count("blocks", c.blocks, "blocks renewed in place");
  v.count("valid_pages", c.valid_pages, "pages with valid data in these blocks, each read once");
  v.count("moved_pages", c.moved_pages, "of these, pages written elsewhere");
  v.count("adjusted_wordlines", c.adjusted_wordlines, "wordlines whose voltages were adjusted");
  v.count("read_back_pages", c.read_back_pages, "pages of these wordlines that were read again");
  v.count("written_back_pages", c.written_back_pages, "of these, pages with errors, written elsewhere from memory");
  v.count("failed_wordlines", c.failed_wordlines, "wordlines whose adjustment failed");
  v.count("reads_of_copies", c.reads_of_copies, "reads answered from memory while their block was renewed");
}

}  // namespace nandscape::controller
