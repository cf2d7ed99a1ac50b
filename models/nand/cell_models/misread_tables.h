// SPDX-License-Identifier: Apache-2.0
// Misread probabilities cached by condition. WordlineReads computes one in microseconds; a lookup takes tens of
// nanoseconds.
//
// One table serves all reads that differ only in the wordline: same page type and coding, retry step, setting of the
// die's features and cycles, and nearly the same age and number of reads (in steps of about 1 % and 20 %). The
// logarithm of the probability is interpolated on a grid whose axes are the logarithms of a wordline's two factors.
// Grid points are computed when first needed.
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
    double later_programs = 0;  // 0..1
    double step_mv = 0;
    double temperature_c = 30;
    Adjustments adjusted = {};
  };
  double misread(const Read& read, const PageVariations::Logarithms& wordline);

  // Spacing of a soft read's levels: the configured one, or the most informative one for the page of a median wordline
  // in that condition, read at its optimum levels. A controller that knows cycles and age would choose the same.
  double soft_spacing(const Read& read, std::uint32_t sensing_levels);

  // Returns a number for the setting of the features; 0 for the device's own.
  std::uint32_t setting(const SenseTiming& timing, std::span<const std::int16_t> vref_offsets_mv);

  // The bucketed condition and levels behind a read, for models that sense cells one by one.
  CellCondition condition(const Read& read) const;
  std::vector<double> levels(const Read& read, const WordlineReads& wordline, bool captured) const;
  const SenseTiming& timing(const Read& read) const { return settings_[read.setting].timing; }

 private:
  struct Setting {
    SenseTiming timing;
    std::vector<std::int16_t> vref_offsets_mv;
  };
  struct Key {
    std::uint64_t high;
    std::uint64_t low;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Table {
    Read read;  // the first read of the table, representative of all
    double median_drift = 0;
    std::vector<float> log_misread;                              // by shift, then width; NaN: not computed yet
    std::array<double, most_sensing_levels + 1> soft_spacing{};  // by number of levels; 0: not computed yet
  };
  // Grid points along one logarithm.
  struct Axis {
    Axis(double most, double spacing);
    double lowest;
    double spacing;
    std::uint32_t points;
  };

  bool disturbed(const Read& read) const;
  Key key_of(const Read& read) const;
  Table& table(const Read& read);
  float point(Table& table, std::uint32_t at, std::uint32_t captured);

  const VthModel& model_;
  std::vector<Setting> settings_;
  Axis shifts_;
  Axis widths_;
  std::unordered_map<Key, std::unique_ptr<Table>, KeyHash> tables_;
  std::array<std::pair<Key, Table*>, 8> recent_;  // by page type; most reads hit the table of the previous read
};

}  // namespace nandscape::nand
