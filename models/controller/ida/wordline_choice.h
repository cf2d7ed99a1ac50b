// SPDX-License-Identifier: Apache-2.0
// Decides which wordlines of a refreshed block are worth an adjustment.
#pragma once

#include <vector>

#include "controller/ida/parameters.h"
#include "controller/ida/staying_pages.h"
#include "controller/mapping/block_ages.h"

namespace nandscape::controller {

// The expectation for a wordline until the next refresh.
struct WordlineOutlook {
  double reads = 0;      // of each page
  double corrupted = 0;  // share of the adjusted pages that must be written elsewhere
};

class WordlineChoice {
 public:
  WordlineChoice(StayingWordlines wordlines, const RefreshContext& flash);

  // Returns the valid pages that stay. None stay if the adjustment would keep the die busy for longer than its reads
  // gain, compared with moving all pages.
  PageSet staying(PageSet valid, const WordlineOutlook& outlook) const;

 private:
  double cost_us(PageSet stays, double corrupted) const;

  const StayingWordlines wordlines_;
  const std::uint32_t pages_per_wordline_;
  const double t_adjust_us_;
  const double t_prog_us_;
  // Indexed by the set of pages that stay: the read time that an adjustment saves, summed over these pages, and their
  // read time afterwards.
  std::vector<double> gain_us_;
  std::vector<double> read_us_;
};

}  // namespace nandscape::controller
