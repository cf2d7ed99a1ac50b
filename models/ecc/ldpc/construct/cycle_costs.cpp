// SPDX-License-Identifier: Apache-2.0
#include "ecc/ldpc/construct/cycle_costs.h"

#include <algorithm>

namespace nandscape::ecc::ldpc {

namespace {

constexpr std::int64_t cost_of_four_cycle = 1'000'000'000;
constexpr int local_optima = 60;

}  // namespace

CycleCosts::CycleCosts(std::uint32_t rows, std::uint32_t lifting)
    : rows_(rows),
      lifting_(lifting),
      steps_(rows * rows),
      two_apart_(rows * rows, std::vector<std::int64_t>(lifting)),
      one_apart_(rows * rows, std::vector<std::int64_t>(lifting)) {}

void CycleCosts::change(std::uint32_t number, const Column& column, std::int64_t sign) {
  for (const Entry& a : column) {
    for (const Entry& b : column) {
      if (a.row == b.row) continue;
      const std::uint32_t difference = (a.shift - b.shift) % lifting_;
      one_apart_[pair(a.row, b.row)][difference] += sign;
      if (sign < 0) std::erase_if(steps_[pair(a.row, b.row)], [&](const Step& s) { return s.column == number; });
      for (std::uint32_t c = 0; c < rows_; ++c) {
        if (c == a.row || c == b.row) continue;
        for (const Step& step : steps_[pair(b.row, c)]) {
          if (step.column == number) continue;
          const std::uint32_t together = (difference + step.difference) % lifting_;
          two_apart_[pair(a.row, c)][together] += sign;
          two_apart_[pair(c, a.row)][(lifting_ - together) % lifting_] += sign;
        }
      }
    }
  }
  if (sign < 0) return;
  for (const Entry& a : column) {
    for (const Entry& b : column) {
      if (a.row != b.row) steps_[pair(a.row, b.row)].push_back({number, (a.shift - b.shift) % lifting_});
    }
  }
}

std::int64_t CycleCosts::cost(const Column& column, std::size_t of_entry) const {
  const Entry& a = column[of_entry];
  std::int64_t sum = 0;
  for (const Entry& b : column) {
    if (a.row == b.row) continue;
    const std::uint32_t difference = (a.shift - b.shift) % lifting_;
    sum += two_apart_[pair(a.row, b.row)][difference] + cost_of_four_cycle * one_apart_[pair(a.row, b.row)][difference];
  }
  return sum;
}

std::int64_t CycleCosts::cost(const Column& column) const {
  std::int64_t twice = 0;
  for (std::size_t entry = 0; entry < column.size(); ++entry) twice += cost(column, entry);
  return twice / 2;
}

void CycleCosts::choose_shifts(Column& column, RandomStream& random) const {
  std::int64_t least = cost(column);
  for (int start = 0; start < local_optima; ++start) {
    Column candidate = column;
    for (std::size_t i = 1; i < candidate.size(); ++i) {
      candidate[i].shift = static_cast<std::uint32_t>(random.below(lifting_));
    }
    for (bool better = true; better;) {
      better = false;
      for (std::size_t i = 1; i < candidate.size(); ++i) {
        std::int64_t cost_here = cost(candidate, i);
        std::uint32_t best = candidate[i].shift;
        for (candidate[i].shift = 0; candidate[i].shift < lifting_; ++candidate[i].shift) {
          const std::int64_t cost_there = cost(candidate, i);
          if (cost_there >= cost_here) continue;
          cost_here = cost_there;
          best = candidate[i].shift;
          better = true;
        }
        candidate[i].shift = best;
      }
    }
    const std::int64_t reached = cost(candidate);
    if (reached >= least) continue;
    least = reached;
    column = candidate;
  }
}

}  // namespace nandscape::ecc::ldpc
