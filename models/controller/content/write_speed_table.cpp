// SPDX-License-Identifier: Apache-2.0
#include "controller/content/write_speed_table.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace nandscape::controller {

WriteSpeedTable::WriteSpeedTable(std::vector<Step> steps, double correctable_ber, std::uint32_t cells)
    : steps_(std::move(steps)), correctable_ber_(correctable_ber), cells_(cells) {
  if (steps_.empty()) throw std::invalid_argument("a write speed table needs at least one step");
  const auto not_rising = [](const Step& a, const Step& b) { return !(a.step_mv < b.step_mv); };
  if (std::ranges::adjacent_find(steps_, not_rising) != steps_.end()) {
    throw std::invalid_argument("the steps of a write speed table must rise");
  }
  for (const PairedPage page : paired_pages) {
    for (const Step& step : steps_) {
      const double share = most_weak_share(page, step.errors, correctable_ber_);
      most_[index(page)].push_back(static_cast<std::int64_t>(std::floor(share * cells_)));
    }
  }
}

std::uint32_t WriteSpeedTable::relaxed(PairedPage page, const StateCounts& states) const {
  const std::int64_t weak = weak_cells(page, states);
  const std::vector<std::int64_t>& most = most_[index(page)];
  auto step = static_cast<std::uint32_t>(steps_.size() - 1);
  while (step > 0 && weak > most[step]) --step;
  return step;
}

std::uint32_t WriteSpeedTable::optimal(PairedPage page, const StateCounts& states) const {
  const StateShares shares = states.shares();
  auto step = static_cast<std::uint32_t>(steps_.size() - 1);
  while (step > 0 && cdber(page, steps_[step].errors, shares) > correctable_ber_) --step;
  return step;
}

std::uint32_t WriteSpeedTable::relaxed(const StateCounts& states) const {
  return std::min(relaxed(PairedPage::lsb, states), relaxed(PairedPage::msb, states));
}

}  // namespace nandscape::controller
