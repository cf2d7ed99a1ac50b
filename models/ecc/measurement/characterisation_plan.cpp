// SPDX-License-Identifier: Apache-2.0
#include "ecc/measurement/characterisation_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ecc/measurement/code_table.h"

namespace nandscape::ecc {

namespace {

constexpr std::uint32_t chunks_per_step = 8;
constexpr std::uint32_t first_errors = 16;
// The spacing of the error counts, given as a divisor of the error count at which the doubling ended: for the grid over
// the waterfall, and for the coarse grid below the waterfall.
constexpr std::uint32_t grid_of_doubled = 64;
constexpr std::uint32_t ladder_of_doubled = 16;

using Errors = std::optional<std::uint32_t>;

bool all_failed(const MeasuredFrames& m) { return m.failures == m.frames; }
bool none_failed(const MeasuredFrames& m) { return m.failures == 0; }

std::uint64_t frames_at(const FramesByErrors& rows, std::uint32_t errors) {
  const auto row = rows.find(errors);
  return row == rows.end() ? 0 : row->second.frames;
}

class WaterfallPlan {
 public:
  WaterfallPlan(const CodeMeasurement& measurement, std::uint32_t levels, const CharacterisationGoal& goal)
      : measurement_(measurement), goal_(goal) {
    const auto rows = measurement.by_levels.find(levels);
    if (rows != measurement.by_levels.end()) rows_ = rows->second;
  }

  // Returns the error count that the search for the waterfall measures next. One chunk of frames is enough for it.
  // Returns nullopt if the search has ended.
  Errors search() {
    for (doubled_ = first_errors;; doubled_ *= 2) {
      const auto row = rows_.find(doubled_);
      if (row == rows_.end()) return doubled_;
      if (2 * row->second.failures > row->second.frames || 2 * doubled_ > measurement_.codeword_bits) break;
    }
    spacing_ = std::max(doubled_ / grid_of_doubled, 1u);
    std::uint32_t low = 0, high = doubled_;
    for (const auto& [errors, m] : rows_) {
      if (none_failed(m)) low = std::max(low, errors);
      if (all_failed(m)) high = std::min(high, errors);
    }
    const auto partly = [](const auto& row) { return !none_failed(row.second) && !all_failed(row.second); };
    if (std::any_of(rows_.begin(), rows_.end(), partly) || high <= low + spacing_) return {};
    return low + std::max((high - low) / 2 / spacing_, 1u) * spacing_;
  }

  bool ever_fails() const {
    return std::any_of(rows_.begin(), rows_.end(), [](const auto& r) { return !none_failed(r.second); });
  }

  // Returns an error count of the grid for which fewer frames were measured than the goal requires, or nullopt if the
  // grid is complete.
  Errors lay_grid() const {
    for (const auto& [errors, m] : rows_) {
      if (m.frames < goal_.frames) return errors;
    }
    const auto failing = std::find_if(rows_.begin(), rows_.end(), [](const auto& r) { return !none_failed(r.second); });
    for (std::uint32_t errors = failing->first / spacing_ * spacing_;; errors += spacing_) {
      if (frames_at(rows_, errors) == 0) return errors;
      if (all_failed(rows_.at(errors)) || errors + spacing_ > measurement_.codeword_bits) break;
    }
    const std::uint32_t bottom = grid_bottom();
    if (frames_at(rows_, bottom) == 0) return bottom;
    const std::uint32_t rung = std::max(doubled_ / ladder_of_doubled, 1u);
    for (std::uint32_t errors = 0; errors < bottom; errors += rung) {
      if (frames_at(rows_, errors) == 0) return errors;
    }
    return {};
  }

  // Finds the first decade of frame error rates that is not known precisely enough, and returns the error count at
  // which additional frames reduce its uncertainty most. Returns nullopt if all decades are known precisely enough.
  Errors refine() const {
    const CodeTable table = this->table();
    for (double rate = 0.1; rate > 0.999 * goal_.frame_error_rate; rate /= 10) {
      const auto [error, count] = uncertainty(table, rate);
      if (error > goal_.relative_error) return count;
    }
    const auto [error, count] = uncertainty(table, goal_.frame_error_rate);
    if (error > goal_.relative_error) return count;
    return {};
  }

  // Returns the measured error count whose failure rate is closest to 1/2.
  std::uint32_t middle() const {
    const auto distance = [](const auto& row) { return std::abs(row.second.failure_rate() - 0.5); };
    return std::min_element(rows_.begin(), rows_.end(),
                            [&](const auto& a, const auto& b) { return distance(a) < distance(b); })
        ->first;
  }

  struct Uncertainty {
    double relative_error;
    std::uint32_t largest_share;
  };
  Uncertainty uncertainty(const CodeTable& table, double frame_error_rate) const {
    const double rber = table.rber_at(1, frame_error_rate);
    double variance = 0, largest = -1;
    std::uint32_t of_largest = 0;
    for (auto row = rows_.find(table.curve(1).lowest_known); row != rows_.end(); ++row) {
      const auto frames = static_cast<double>(row->second.frames);
      const double rate = table.failure_probability(1, row->first);
      const double weight = share_of(row, rber);
      const double of_row = weight * weight * rate * (1 - rate) / frames;
      const double gain = of_row / (frames + chunks_per_step * frames_per_chunk);
      variance += of_row;
      if (gain > largest) {
        largest = gain;
        of_largest = row->first;
      }
    }
    return {std::sqrt(variance) / frame_error_rate, of_largest};
  }

  CodeTable table() const {
    CodeMeasurement of_levels = measurement_;
    of_levels.by_levels = {{1, rows_}};
    return CodeTable(of_levels);
  }

 private:
  // Returns the probability that the error count of this row is the measured count that is nearest to the number of
  // errors in a codeword.
  double share_of(FramesByErrors::const_iterator row, double rber) const {
    const auto half_way = [](std::uint32_t a, std::uint32_t b) { return a + (b - a) / 2; };
    std::vector<double> nearest(row->first + 1, 1.0);
    if (row != rows_.begin()) {
      const std::uint32_t first = half_way(std::prev(row)->first, row->first) + 1;
      std::fill(nearest.begin(), nearest.begin() + first, 0.0);
    }
    const auto next = std::next(row);
    if (next != rows_.end()) {
      nearest.resize(half_way(row->first, next->first) + 1, 1.0);
      nearest.push_back(0.0);
    }
    return binomial_mean(nearest, measurement_.codeword_bits, rber);
  }

  // Returns the lowest error count that the grid should contain. This is the next grid point below the measured ones,
  // or the lowest measured grid point if lower error counts contribute almost nothing to the goal's frame error rate.
  std::uint32_t grid_bottom() const {
    std::uint32_t bottom = spacing_;
    for (const auto& [errors, m] : rows_) {
      if (none_failed(m)) continue;
      bottom = errors / spacing_ * spacing_;
      break;
    }
    while (bottom > spacing_ && frames_at(rows_, bottom - spacing_) > 0) bottom -= spacing_;
    if (bottom <= spacing_) return bottom;

    constexpr double next_to_nothing = 0.2;  // as a fraction of the allowed relative error
    const CodeTable table = this->table();
    const double rber = table.rber_at(1, goal_.frame_error_rate);
    std::vector<double> below = table.curve(1).rate;
    std::fill(below.begin() + bottom, below.end(), 0.0);
    const double uncounted = binomial_mean(below, measurement_.codeword_bits, rber) / goal_.frame_error_rate;
    return uncounted > next_to_nothing * goal_.relative_error ? bottom - spacing_ : bottom;
  }

  const CodeMeasurement& measurement_;
  CharacterisationGoal goal_;
  FramesByErrors rows_;
  std::uint32_t doubled_ = 0, spacing_ = 1;
};

// Step 4 of the plan measures 16 times as many frames as the goal requires for other error counts.
constexpr std::uint32_t off_channel_frames = 16;

std::optional<CharacterisationStep> off_channel_step(const CodeMeasurement& measurement, std::uint32_t levels,
                                                     const CharacterisationGoal& goal, std::uint32_t middle) {
  const auto known = measurement.off_channel.find(levels);
  if (known == measurement.off_channel.end()) {
    const auto usual = static_cast<std::uint32_t>(std::max(middle - 2 * std::sqrt(middle), 1.0));
    if (levels == 1 || usual >= middle) return {};
    return CharacterisationStep{levels, middle, usual, 0, chunks_per_step};
  }
  const OffChannelFrames& off = known->second;
  if (off.frames.frames >= std::uint64_t{off_channel_frames} * goal.frames) return {};
  return CharacterisationStep{levels, off.errors, off.channel_errors, off.frames.frames / frames_per_chunk,
                              chunks_per_step};
}

Errors algebraic(const FramesByErrors& rows, std::uint32_t guaranteed, std::uint32_t frames) {
  const std::uint32_t t = guaranteed;
  for (const std::uint32_t errors : {0u, t / 2, t - 1, t, t + 1, t + 2, 2 * t}) {
    if (frames_at(rows, errors) < frames) return errors;
  }
  return {};
}

}  // namespace

std::optional<CharacterisationStep> next_step(const CodeMeasurement& measurement, std::uint32_t levels,
                                              const CharacterisationGoal& goal) {
  const auto known = measurement.by_levels.find(levels);
  const FramesByErrors rows = known != measurement.by_levels.end() ? known->second : FramesByErrors{};
  const auto step = [&](std::uint32_t errors, std::uint32_t chunks) {
    return CharacterisationStep{levels, errors, errors, frames_at(rows, errors) / frames_per_chunk, chunks};
  };
  if (const std::uint32_t guaranteed = measurement.guaranteed_errors(); guaranteed > 0) {
    const Errors errors = algebraic(rows, guaranteed, goal.frames);
    return errors ? std::optional(step(*errors, chunks_per_step)) : std::nullopt;
  }
  WaterfallPlan plan(measurement, levels, goal);
  if (const Errors errors = plan.search()) return step(*errors, 1);
  if (!plan.ever_fails()) return {};
  if (const Errors errors = plan.lay_grid()) return step(*errors, chunks_per_step);
  if (const Errors errors = plan.refine()) return step(*errors, chunks_per_step);
  return off_channel_step(measurement, levels, goal, plan.middle());
}

double relative_error(const CodeMeasurement& measurement, std::uint32_t levels, double frame_error_rate) {
  if (measurement.guaranteed_errors() > 0) return 0;
  WaterfallPlan plan(measurement, levels, {});
  if (plan.search() || !plan.ever_fails()) return std::numeric_limits<double>::infinity();
  return plan.uncertainty(plan.table(), frame_error_rate).relative_error;
}

}  // namespace nandscape::ecc
