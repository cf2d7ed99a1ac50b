// SPDX-License-Identifier: Apache-2.0
#include "controller/content/cdber_engine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "controller/content/cell_states.h"

namespace nandscape::controller {

StateErrorRates error_rates(const WordlineSpeedTable::Step& step) {
  StateErrorRates rates;
  std::ranges::copy(step.left, rates.left.of.begin());
  std::ranges::copy(step.right, rates.right.of.begin());
  return rates;
}

CdberEngine::CdberEngine(std::shared_ptr<const WordlineSpeedTable> speeds, std::uint32_t cells, ContentBound bound)
    : speeds_(std::move(speeds)), cells_(cells), bound_(bound) {
  for (const PairedPage page : paired_pages) {
    for (const WordlineSpeedTable::Step& step : speeds_->steps()) {
      const double share = most_weak_share(page, error_rates(step), speeds_->correctable_ber());
      most_[index(page)].push_back(static_cast<std::int64_t>(std::floor(share * cells_)));
    }
  }
}

StateCounts CdberEngine::count(std::span<const std::byte> lsb, std::span<const std::byte> msb) {
  return count_states(lsb, msb);
}

std::uint32_t CdberEngine::relaxed(PairedPage page, const StateCounts& states) const {
  const std::int64_t weak = weak_cells(page, states);
  const std::vector<std::int64_t>& most = most_[index(page)];
  auto step = static_cast<std::uint32_t>(most.size() - 1);
  while (step > 0 && weak > most[step]) --step;
  return step;
}

StateMapping CdberEngine::fastest_mapping(const StateCounts& states, bool one_shot) const {
  const auto program_us = [&](std::uint32_t step) { return speeds_->steps()[step].program_us; };
  return cheapest_mapping([&](const StateMapping& mapping) {
    const StateCounts mapped = mapping(states);
    const std::uint32_t lsb = relaxed(PairedPage::lsb, mapped), msb = relaxed(PairedPage::msb, mapped);
    return one_shot ? program_us(std::min(lsb, msb)) : program_us(lsb) + program_us(msb);
  });
}

}  // namespace nandscape::controller
