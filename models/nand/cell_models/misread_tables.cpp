// SPDX-License-Identifier: Apache-2.0
#include "nand/cell_models/misread_tables.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/random.h"
#include "nand/cells/soft_sensing.h"

namespace nandscape::nand {

namespace {

// Returns the bucket number of a positive value. Each octave, from a power of two to the next, has 2^octave_bits
// buckets of equal width.
std::uint32_t bucket(double value, int octave_bits) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> (23 - octave_bits);
}

double middle_of_bucket(std::uint32_t bucket, int octave_bits) {
  return std::bit_cast<float>((bucket << (23 - octave_bits)) | (std::uint32_t{1} << (22 - octave_bits)));
}

constexpr int age_bits = 6;
constexpr int read_bits = 2;
// Values below these limits count as 0. The limits are an age of four minutes, a hundred reads of the block, and a
// share of one in a million lifted cells in the state that is disturbed most.
constexpr double least_age_months = 1e-4;
constexpr std::uint32_t least_reads = 100;
constexpr std::uint64_t most_reads = std::uint64_t{1} << 53;  // more than any block is read
constexpr double least_lifted_share = 1e-6;
constexpr double later_steps = 16;

// The spacing of the grid points, in the natural logarithm. The second derivative of ln p is at most about 30 along the
// width and 1/(sigma/S)^2 ~ 100 along the shift. With this spacing, the interpolation error is about 1e-3.
constexpr double width_spacing = 0.015;
constexpr double shift_spacing = 0.01;

}  // namespace

MisreadTables::Axis::Axis(double most, double wanted_spacing)
    : lowest(-most), points(most == 0 ? 1 : static_cast<std::uint32_t>(std::ceil(2 * most / wanted_spacing)) + 1) {
  spacing = points == 1 ? 1 : 2 * most / (points - 1);
}

MisreadTables::MisreadTables(const VthModel& model, const VariationParameters& variation)
    : model_(model),
      settings_{{model.standard_timing(), {}}},
      shifts_(most_log_shift(variation), shift_spacing),
      widths_(most_log_width(variation), width_spacing),
      recent_{} {
  recent_disturbing_reads_ = {0, fewest_disturbing_reads(0)};
}

std::uint32_t MisreadTables::other_setting(const SenseTiming* set_timing, std::span<const std::int16_t> offsets) {
  const SenseTiming& timing = set_timing == nullptr ? settings_.front().timing : *set_timing;
  for (std::uint32_t k = 0; k < settings_.size(); ++k) {
    if (settings_[k].timing == timing && std::ranges::equal(settings_[k].vref_offsets_mv, offsets)) return k;
  }
  settings_.push_back({timing, {offsets.begin(), offsets.end()}});
  return static_cast<std::uint32_t>(settings_.size() - 1);
}

std::size_t MisreadTables::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = mix64(key.condition);
  const auto add = [&](auto value) { hash = mix64(hash ^ std::bit_cast<std::uint64_t>(value)); };
  add(key.way);
  add(key.temperature_c);
  add(key.coding);
  add(key.adjusted.own);
  add(key.adjusted.previous);
  add(key.adjusted.next);
  return hash;
}

inline bool MisreadTables::disturbed(const Read& r) const {
  if (r.reads < least_reads) return false;
  auto& [cycles, fewest] = recent_disturbing_reads_;
  if (cycles != r.cycles) recent_disturbing_reads_ = {r.cycles, fewest_disturbing_reads(r.cycles)};
  return r.reads >= fewest;
}

// Finds the number by bisection, because the share of lifted cells needs powers and exponentials and grows with the
// reads.
double MisreadTables::fewest_disturbing_reads(std::uint32_t cycles) const {
  const auto [known, is_new] = disturbing_reads_.try_emplace(cycles);
  if (!is_new) return known->second;
  const DisturbParameters& disturb = model_.parameters().disturb;
  std::uint64_t low = least_reads;
  std::uint64_t high = most_reads;
  while (low < high && disturb.read_shift_mv == 0) {
    const std::uint64_t middle = low + (high - low) / 2;
    const CellCondition condition{.kilocycles = cycles / 1000.0, .kiloreads = static_cast<double>(middle) / 1000};
    if (lifted_share(disturb, condition, 0) >= least_lifted_share) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return known->second = static_cast<double>(low);
}

inline MisreadTables::Key MisreadTables::key_of(const Read& r) const {
  const std::uint32_t age = r.age_months < least_age_months ? 0 : bucket(r.age_months, age_bits);
  const std::uint32_t reads = disturbed(r) ? bucket(r.reads, read_bits) : 0;
  const auto rounded = [](double value) { return value == 0 ? 0 : static_cast<std::uint32_t>(std::lround(value)); };
  const std::uint32_t later = rounded(r.later_programs * later_steps);
  const std::uint32_t step = rounded(r.step_mv);
  return {.coding = r.coding,
          .temperature_c = r.temperature_c,
          .adjusted = r.adjusted,
          .way = std::uint64_t{r.cycles} << 32 | r.setting << 8 | r.page_type,
          .condition = std::uint64_t{age} << 47 | std::uint64_t{reads} << 35 | std::uint64_t{later} << 30 |
                       std::uint64_t{step} << 14 | r.retry_step};
}

CellCondition MisreadTables::condition(const Read& r) const {
  CellCondition c;
  c.kilocycles = r.cycles / 1000.0;
  if (r.age_months >= least_age_months) c.retention_months = middle_of_bucket(bucket(r.age_months, age_bits), age_bits);
  if (disturbed(r)) c.kiloreads = middle_of_bucket(bucket(r.reads, read_bits), read_bits) / 1000;
  c.later_programs = std::round(r.later_programs * later_steps) / later_steps;
  c.read_temperature_c = r.temperature_c;
  c.adjusted = r.adjusted;
  return c;
}

std::vector<double> MisreadTables::levels(const Read& read, const WordlineReads& wordline, bool captured) const {
  std::vector<double> levels = captured ? wordline.tracked_levels() : wordline.table_levels(read.retry_step);
  // The offsets are indexed by the levels of the cell. If states are merged, a level of the merged coding corresponds
  // to the cell level just below its upper state.
  const std::vector<std::int16_t>& offsets = settings_[read.setting].vref_offsets_mv;
  for (std::uint32_t k = 0; k < levels.size() && !offsets.empty(); ++k) {
    levels[k] += offsets[read.coding->place(k + 1) - 1];
  }
  return levels;
}

inline MisreadTables::Table& MisreadTables::table(const Read& read) {
  const Key key = key_of(read);
  Table*& recent = recent_[(read.page_type << 8 | read.retry_step) % recent_.size()];
  if (recent == nullptr || recent->key != key) recent = &find(read, key);
  return *recent;
}

double MisreadTables::soft_spacing(const Read& read, std::uint32_t sensing_levels) {
  if (const double given = model_.parameters().read_levels.soft_spacing_mv; given > 0) return given;
  double& spacing = table(read).soft_spacing[sensing_levels];
  if (spacing == 0) {
    const WordlineReads median(model_, *read.coding, condition(read), {}, read.step_mv);
    spacing = most_telling_spacing(median, read.page_type, sensing_levels);
  }
  return spacing;
}

MisreadTables::Table& MisreadTables::find(const Read& read, const Key& key) {
  std::unique_ptr<Table>& table = tables_[key];
  if (table == nullptr) {
    table = std::make_unique<Table>();
    table->key = key;
    table->read = read;
    table->median_drift = model_.drift(condition(read), {});
    // There are two grids, because reads whose retry step is close enough to the page's drift use the page's own
    // optimum levels (see read_levels.h). Interpolation between such reads and other reads would be meaningless.
    table->log_misread.assign(2 * grid_points(), std::numeric_limits<float>::quiet_NaN());
  }
  return *table;
}

void MisreadTables::compute(Table& table, std::uint32_t at, bool captured) {
  const std::uint32_t shift = at / widths_.points;
  const std::uint32_t width = at % widths_.points;
  const PageVariation page{std::exp(widths_.lowest + widths_.spacing * width),
                           std::exp(shifts_.lowest + shifts_.spacing * shift)};
  const Read& read = table.read;
  const WordlineReads wordline(model_, *read.coding, condition(read), page, read.step_mv);
  const double misread =
      wordline.misread(read.page_type, levels(read, wordline, captured), settings_[read.setting].timing);
  table.log_misread[(captured ? grid_points() : 0) + at] = static_cast<float>(std::log(std::max(misread, 1e-30)));
}

double MisreadTables::misread(const Read& read, const PageVariations::Logarithms& wordline) {
  Table& t = table(read);
  const bool captured = read.retry_step > 0 &&
                        model_.captured(t.median_drift * std::exp(wordline.shift), t.median_drift, read.retry_step);
  struct Place {
    std::uint32_t point;
    float part;  // fraction of the distance to the next grid point
  };
  const auto place = [](const Axis& axis, double logarithm) {
    const double position = std::clamp((logarithm - axis.lowest) / axis.spacing, 0.0, axis.points - 1.0);
    const auto point = std::min(static_cast<std::uint32_t>(position), axis.points < 2 ? 0 : axis.points - 2);
    return Place{point, static_cast<float>(position - point)};
  };
  const Place shift = place(shifts_, wordline.shift);
  const Place width = place(widths_, wordline.width);
  const std::uint32_t at = shift.point * widths_.points + width.point;
  const float* const grid = t.log_misread.data() + (captured ? grid_points() : 0);
  const auto point = [&](std::uint32_t p) {
    if (std::isnan(grid[p])) [[unlikely]]
      compute(t, p, captured);
    return grid[p];
  };
  const auto along_width = [&](std::uint32_t first) {
    const float low = point(first);
    return width.part == 0 ? low : low + width.part * (point(first + 1) - low);
  };
  float value = along_width(at);
  if (shift.part != 0) value += shift.part * (along_width(at + widths_.points) - value);
  return std::exp(value);
}

}  // namespace nandscape::nand
