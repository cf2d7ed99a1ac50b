// SPDX-License-Identifier: Apache-2.0
#include "nand/cells/wordline_reads.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nandscape::nand {

WordlineReads::WordlineReads(const VthModel& model, const Coding& coding, const CellCondition& condition,
                             const PageVariation& page, double step_mv)
    : model_(model),
      coding_(coding),
      condition_(condition),
      drift_(model.drift(condition, page)),
      states_(model.states(coding, condition, page, step_mv)),
      default_(model.default_levels(coding, condition, step_mv)) {}

const std::vector<double>& WordlineReads::optimum_levels() const {
  if (optimum_.empty()) {
    for (std::size_t s = 1; s < states_.size(); ++s) optimum_.push_back(VthModel::optimum(states_[s - 1], states_[s]));
  }
  return optimum_;
}

bool WordlineReads::captured(std::uint32_t retry_step) const {
  return model_.captured(drift_, model_.drift(condition_, {}), retry_step);
}

std::vector<double> WordlineReads::levels(std::uint32_t retry_step) const {
  return captured(retry_step) ? tracked_levels() : table_levels(retry_step);
}

std::vector<double> WordlineReads::table_levels(std::uint32_t retry_step) const {
  std::vector<double> levels = default_;
  const std::vector<double> moves = model_.retry_moves(coding_, retry_step);
  for (std::size_t k = 0; k < levels.size(); ++k) levels[k] -= moves[k];
  return levels;
}

std::vector<double> WordlineReads::tracked_levels() const {
  std::vector<double> levels = optimum_levels();
  for (double& level : levels) level += model_.parameters().read_levels.tracking_miss_mv;
  return levels;
}

double WordlineReads::misread_by_vth(std::uint32_t page_type, std::span<const double> levels) const {
  const std::span<const std::uint8_t> own = coding_.levels(page_type);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double sum = 0;
  for (std::uint32_t s = 0; s < coding_.states(); ++s) {
    // The levels of the page divide the voltage axis into intervals. All voltages in an interval are read as the same
    // bit, and the bit alternates from one interval to the next.
    bool read = coding_.bit(0, page_type);
    double from = -infinity;
    for (std::size_t k = 0; k <= own.size(); ++k) {
      const double to = k < own.size() ? levels[own[k] - 1] : infinity;
      if (read != coding_.bit(s, page_type)) sum += states_[s].between(from, to);
      read = !read;
      from = std::max(from, to);
    }
  }
  return sum / coding_.states();
}

double WordlineReads::misread_by_sensing(std::uint32_t page_type, const SenseTiming& timing) const {
  return nand::misread_by_sensing(model_.parameters().sensing, coding_, page_type, timing, model_.standard_timing(),
                                  condition_, drift_);
}

SenseMisreads WordlineReads::sense_misreads(const SenseTiming& timing) const {
  return nand::sense_misreads(model_.parameters().sensing, timing, model_.standard_timing(), condition_, drift_);
}

double WordlineReads::misread(std::uint32_t page_type, std::span<const double> levels,
                              const SenseTiming& timing) const {
  return std::min(misread_by_vth(page_type, levels) + misread_by_sensing(page_type, timing), 0.5);
}

}  // namespace nandscape::nand
