// SPDX-License-Identifier: Apache-2.0
#include "controller/content/wordline_speed_table.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace nandscape::controller {

WordlineSpeedTable::WordlineSpeedTable(std::vector<std::uint8_t> bits, std::vector<Step> steps, double correctable_ber)
    : bits_(std::move(bits)),
      pages_(static_cast<std::uint32_t>(std::bit_width(bits_.size()) - 1)),
      steps_(std::move(steps)),
      correctable_ber_(correctable_ber) {
  if (bits_.size() > most_states) throw std::invalid_argument("a write speed table has at most 32 states");
  if (steps_.empty()) throw std::invalid_argument("a write speed table needs at least one step");
  const auto not_rising = [](const Step& a, const Step& b) { return !(a.step_mv < b.step_mv); };
  if (std::ranges::adjacent_find(steps_, not_rising) != steps_.end()) {
    throw std::invalid_argument("the steps of a write speed table must rise");
  }
  for (const Step& step : steps_) {
    if (step.left.size() != bits_.size() || step.right.size() != bits_.size()) {
      throw std::invalid_argument("a step needs the error rates of each state");
    }
  }
}

std::array<double, WordlineSpeedTable::most_states> WordlineSpeedTable::shares_of(std::span<const double> ones) const {
  std::array<double, most_states> shares{};
  for (std::size_t state = 0; state < bits_.size(); ++state) {
    shares[state] = 1;
    for (std::uint32_t page = 0; page < pages_; ++page) {
      shares[state] *= (bits_[state] >> page & 1) != 0 ? ones[page] : 1 - ones[page];
    }
  }
  return shares;
}

double WordlineSpeedTable::cdber(std::uint32_t page, std::uint32_t step, std::span<const double> shares) const {
  const Step& s = steps_[step];
  double rate = 0;
  for (std::uint32_t above = 1; above < bits_.size(); ++above) {
    const std::uint32_t below = above - 1;
    if (((bits_[below] ^ bits_[above]) >> page & 1) == 0) continue;
    rate += shares[below] * s.right[below] + shares[above] * s.left[above];
  }
  return rate;
}

std::uint32_t WordlineSpeedTable::largest_legal(std::uint32_t page, std::span<const double> shares) const {
  auto step = static_cast<std::uint32_t>(steps_.size() - 1);
  while (step > 0 && !legal(page, step, shares)) --step;
  return step;
}

std::uint32_t WordlineSpeedTable::largest_legal(std::span<const double> shares) const {
  const auto legal_for_all = [&](std::uint32_t step) {
    for (std::uint32_t page = 0; page < pages_; ++page) {
      if (!legal(page, step, shares)) return false;
    }
    return true;
  };
  auto step = static_cast<std::uint32_t>(steps_.size() - 1);
  while (step > 0 && !legal_for_all(step)) --step;
  return step;
}

}  // namespace nandscape::controller
