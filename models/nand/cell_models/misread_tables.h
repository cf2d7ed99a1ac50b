// SPDX-License-Identifier: Apache-2.0
// A cache of misread probabilities. WordlineReads needs microseconds to compute a probability, while a lookup needs
// only tens of nanoseconds.
//
// One table is used for all reads that differ only in the wordline. Such reads have the same page type, coding, retry
// step, feature settings of the die and cycles, and nearly the same age and number of reads (in steps of about 1 % and
// 20 %). The table is a grid over the two factors by which a wordline differs from the median (see PageVariation). Its
// axes are the logarithms of these factors, and the logarithm of the probability is interpolated. A grid point is
// computed when it is first needed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nand/cell_array.h"
#include "nand/cell_models/page_variations.h"
#include "nand/cells/wordline_reads.h"
#include "protocol/sensing_levels.h"

namespace nandscape::nand {

class MisreadTables {
 public:
  MisreadTables(const VthModel& model, const VariationParameters& variation);

  struct Read {
    const Coding* coding = nullptr;
    std::uint32_t page_type = 0;
    std::uint32_t retry_step = 0;
    std::uint32_t setting = 0;
    std::uint32_t cycles = 0;
    double age_months = 0;
    double reads = 0;
    double later_programs = 0;  // share of the block's wordlines, 0..1
    double step_mv = 0;
    double temperature_c = 30;
    Adjustments adjusted = {};
  };
  double misread(const Read& read, const PageVariations::Logarithms& wordline);

  // Returns the spacing of the levels of a soft read. This is the configured spacing, if there is one. Otherwise it is
  // the most informative spacing for the page of a median wordline in the same condition, when read at its optimum
  // levels. A controller that knows the cycles and the age would choose the same spacing.
  double soft_spacing(const Read& read, std::uint32_t sensing_levels);

  // Returns a number that identifies this setting of the die's features. The default setting of the device has the
  // number 0.
  std::uint32_t setting(const SenseTiming* timing, std::span<const std::int16_t> vref_offsets_mv) {
    return timing == nullptr && vref_offsets_mv.empty() ? 0 : other_setting(timing, vref_offsets_mv);
  }

  // The condition of a read after its values have been rounded to buckets, and the read levels. These functions are for
  // models that sense cells individually.
  CellCondition condition(const Read& read) const;
  std::vector<double> levels(const Read& read, const WordlineReads& wordline, bool captured) const;
  const SenseTiming& timing(const Read& read) const { return settings_[read.setting].timing; }

 private:
  struct Setting {
    SenseTiming timing;
    std::vector<std::int16_t> vref_offsets_mv;
  };
  // The fields of a read that choose its table. Codings and mergings live as long as the device, so their addresses
  // identify them.
  struct Key {
    const Coding* coding;
    double temperature_c;
    Adjustments adjusted;
    std::uint64_t way;        // cycles, setting and page type
    std::uint64_t condition;  // age, reads, later programs, ISPP step and retry step
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Table {
    Key key;
    Read read;  // the first read that used this table; represents all of them
    double median_drift = 0;
    std::vector<float> log_misread;                              // by shift, then width; NaN if not computed yet
    std::array<double, most_sensing_levels + 1> soft_spacing{};  // by number of levels; 0 if not computed yet
  };
  // The grid points along one axis.
  struct Axis {
    Axis(double most, double spacing);
    double lowest;
    double spacing;
    std::uint32_t points;
  };

  std::uint32_t other_setting(const SenseTiming* timing, std::span<const std::int16_t> vref_offsets_mv);
  // Returns whether the block has been read often enough for its reads to count as a disturbance.
  bool disturbed(const Read& read) const;
  // Returns the number of reads from which on the reads of a block with this number of cycles count as a disturbance.
  double fewest_disturbing_reads(std::uint32_t cycles) const;
  Key key_of(const Read& read) const;
  Table& table(const Read& read);
  // Returns the table with this key. Makes the table if it does not exist yet.
  Table& find(const Read& read, const Key& key);
  void compute(Table& table, std::uint32_t at, bool captured);
  std::size_t grid_points() const { return std::size_t{shifts_.points} * widths_.points; }

  const VthModel& model_;
  mutable std::unordered_map<std::uint32_t, double> disturbing_reads_;  // by cycles; see fewest_disturbing_reads()
  mutable std::pair<std::uint32_t, double> recent_disturbing_reads_;    // the last entry that was used
  std::vector<Setting> settings_;
  Axis shifts_;
  Axis widths_;
  std::unordered_map<Key, std::unique_ptr<Table>, KeyHash> tables_;
  std::array<Table*, 1024> recent_;  // by page type and retry step: the last table, which is often used again
};

}  // namespace nandscape::nand
