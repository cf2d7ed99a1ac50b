// SPDX-License-Identifier: Apache-2.0
// Which wordlines of a block that is refreshed are worth an adjustment.
#pragma once

#include <vector>

#include "controller/ida/parameters.h"
#include "controller/ida/staying_pages.h"
#include "controller/mapping/block_age.h"

namespace nandscape::controller {

// Until the next refresh.
struct WordlineOutlook {
  double reads = 0;      // of each of its pages
  double corrupted = 0;  // share of the adjusted pages that will have to be written elsewhere
};

class WordlineChoice {
 public:
  WordlineChoice(StayingWordlines wordlines, const RefreshContext& flash);

  // Of the valid pages those that stay. None does where adjusting the wordline would keep the die busy for longer than
  // its reads gain; what counts is the time beyond that in which all pages are moved.
  PageSet staying(PageSet valid, const WordlineOutlook& outlook) const;

 private:
  double cost_us(PageSet stays, double corrupted) const;

  const StayingWordlines wordlines_;
  const std::uint32_t pages_per_wordline_;
  const double t_adjust_us_;
  const double t_prog_us_;
  // By the set of pages that stay: what an adjustment takes off the reads of all of them, and how long they take then.
  std::vector<double> gain_us_;
  std::vector<double> read_us_;
};

}  // namespace nandscape::controller
