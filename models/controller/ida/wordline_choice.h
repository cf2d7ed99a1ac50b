// SPDX-License-Identifier: Apache-2.0
// Decides for which wordlines of a refreshed block an adjustment of the voltages is worthwhile.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/mapping/block_age.h"
#include "core/parameters.h"

namespace nandscape::controller {

// Selects the wordlines in which pages stay, if Table I of [Choi 2018] allows it.
enum class StayingWordlines : std::uint8_t {
  all,
  repaying,  // only if the reads until the next refresh save more time than the adjustment costs
};

// Parameters of the policy `ida` (controller.refresh.policy).
struct IdaParameters {
  double period_days = 90;
  double error_rate = 0;
  double write_back_error_fraction = 0.8;
  StayingWordlines wordlines = StayingWordlines::all;
};
void describe(IdaParameters& p, ParameterVisitor& v);

// A set of pages of a wordline. Bit p stands for the page of type p; bit 0 stands for the LSB page.
using PageSet = std::uint32_t;

// Returns the pages of a wordline that stay when their block is refreshed. Generalises Table I of [Choi 2018] to any
// number of pages per wordline. The last page of a wordline needs the most senses. If the last page is valid (cases 1
// to 4 of the table), all valid pages stay except the LSB page. If the last page is invalid (cases 5 to 8), no page of
// the wordline stays.
constexpr PageSet staying_pages(PageSet valid, std::uint32_t pages_per_wordline) {
  const PageSet top = PageSet{1} << (pages_per_wordline - 1);
  return (valid & top) != 0 ? valid & ~PageSet{1} : 0;
}

// The expected reads and errors of a wordline until the next refresh.
struct WordlineOutlook {
  double reads = 0;      // number of reads of each page
  double corrupted = 0;  // share of the adjusted pages that must be written elsewhere
};

class WordlineChoice {
 public:
  WordlineChoice(StayingWordlines wordlines, const RefreshContext& flash);

  // Returns the valid pages of a wordline that stay. With StayingWordlines::repaying, no page stays if the adjustment
  // costs the die more additional time than later reads will save.
  PageSet staying(PageSet valid, const WordlineOutlook& outlook) const;

 private:
  double cost_us(PageSet stays, double corrupted) const;

  const StayingWordlines wordlines_;
  const std::uint32_t pages_per_wordline_;
  const double t_adjust_us_;
  const double t_prog_us_;
  // Both are indexed by the set of pages that stay. `gain_us_` is the time that the adjustment saves if each of these
  // pages is read once. `read_us_` is the time to read each of them once after the adjustment.
  std::vector<double> gain_us_;
  std::vector<double> read_us_;
};

}  // namespace nandscape::controller
