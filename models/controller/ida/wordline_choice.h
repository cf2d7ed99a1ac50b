// SPDX-License-Identifier: Apache-2.0
// Decides which wordlines of a refreshed block are worth an adjustment.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/mapping/block_age.h"
#include "core/parameters.h"

namespace nandscape::controller {

// Which wordlines keep the pages that may stay by Table I.
enum class StayingWordlines : std::uint8_t {
  all,
  repaying,  // only if reads until the next refresh gain more time than the adjustment costs
};

// Parameters of controller.refresh.policy: ida.
struct IdaParameters {
  double period_days = 90;
  double error_rate = 0;
  double write_back_error_fraction = 0.8;
  StayingWordlines wordlines = StayingWordlines::all;
};
void describe(IdaParameters& p, ParameterVisitor& v);

// A set of pages of a wordline: bit p is the page of type p; bit 0 is the LSB page.
using PageSet = std::uint32_t;

// The pages of a wordline that stay at a refresh: Table I of [Choi 2018], for any number of pages per wordline.
// Cases 1 to 4: if the page with the most senses (the last one) is valid, all valid pages but the LSB stay, and the LSB
// page is moved. Cases 5 to 8: none stays.
constexpr PageSet staying_pages(PageSet valid, std::uint32_t pages_per_wordline) {
  const PageSet top = PageSet{1} << (pages_per_wordline - 1);
  return (valid & top) != 0 ? valid & ~PageSet{1} : 0;
}

// The expectation for a wordline until the next refresh.
struct WordlineOutlook {
  double reads = 0;      // expected reads of each page
  double corrupted = 0;  // share of the adjusted pages that must be written elsewhere
};

class WordlineChoice {
 public:
  WordlineChoice(StayingWordlines wordlines, const RefreshContext& flash);

  // Returns the valid pages that stay. None stay if the adjustment, compared with moving all pages, costs the die more
  // time than later reads gain.
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
