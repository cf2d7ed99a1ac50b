// SPDX-License-Identifier: Apache-2.0
#include "controller/ida/wordline_choice.h"

#include <bit>

namespace nandscape::controller {

WordlineChoice::WordlineChoice(StayingWordlines wordlines, const RefreshContext& flash)
    : wordlines_(wordlines),
      pages_per_wordline_(flash.pages_per_wordline),
      t_adjust_us_(1000 * flash.t_adjust_ms),
      t_prog_us_(1000 * flash.t_prog_ms) {
  const PageSet all = (PageSet{1} << pages_per_wordline_) - 1;
  for (PageSet stays = 0; stays < all; ++stays) {
    double before = 0, after = 0;
    for (std::uint32_t type = 0; type < pages_per_wordline_; ++type) {
      if ((stays & PageSet{1} << type) == 0) continue;
      before += flash.read_us(type, all);
      after += flash.read_us(type, stays);
    }
    gain_us_.push_back(before - after);
    read_us_.push_back(after);
  }
}

// Returns the additional time that the adjustment costs the die, compared with moving the pages. The adjustment and one
// read of each page are added. The programs that moving would need are subtracted, except those of corrupted pages,
// which must be programmed anyway.
double WordlineChoice::cost_us(PageSet stays, double corrupted) const {
  return t_adjust_us_ + read_us_[stays] - (1 - corrupted) * std::popcount(stays) * t_prog_us_;
}

PageSet WordlineChoice::staying(PageSet valid, const WordlineOutlook& outlook) const {
  const PageSet stays = staying_pages(valid, pages_per_wordline_);
  if (stays == 0 || wordlines_ == StayingWordlines::all) return stays;
  // A page that the adjustment corrupts is written elsewhere, so its reads do not become faster.
  const double gain_us = outlook.reads * (1 - outlook.corrupted) * gain_us_[stays];
  return gain_us >= cost_us(stays, outlook.corrupted) ? stays : 0;
}

}  // namespace nandscape::controller
