// SPDX-License-Identifier: Apache-2.0
// The default read levels, and how read-retry moves them.
//
// The default read levels are either the optimum levels of a fresh median wordline, or are given in the configuration.
// Given levels are valid at a reference condition. At other conditions they move with the drift of the median wordline,
// as if the controller knew the cycles and the age. The kind `followed` moves the optimum levels in the same way.
//
// Retry step n lowers each level by n steps. The step is scaled by the share of the drift at the voltage of the level
// (see retention.h):
//
//   VREF_j(n) = VREF_j(0) - n delta share(x_j)
//
// The voltage x_j is the middle between the two states, or the centre of the lowest programmed state if that is higher.
// The retry tables of vendors have other steps, which differ from level to level. Such a table is given as
// `retry_table_mv`, whose entry n contains the amounts by which step n lowers the levels.
//
// `tracking` models the valley search of chips and controllers, which find the optimum levels once they are close to
// them. If a retry step n comes within the capture range of the drift S of the page, |S - n delta| <= range, the page
// is read at its own optimum levels plus a fixed error. For a table, n delta is replaced by the amount by which the
// table lowers the highest level. Without such a search, no table could explain the margin in the last step that [Park
// 2021, section 5.1] measured. At every condition there would be pages that only just become readable at step n, and
// these would have as many errors as the code corrects.
//
// A soft read senses at several evenly spaced levels around each read level. The spacing affects the results only if a
// real decoder uses the soft values (`ecc.decoder: bit_true`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parameters.h"

namespace nandscape::nand {

enum class DefaultLevels { optimum, followed, given };

struct ReadLevelParameters {
  DefaultLevels kind = DefaultLevels::optimum;
  std::vector<double> given_mv;
  double given_at_kilocycles = 0;
  double given_at_months = 0;
  double first_follows_step = 0;
  double retry_step_mv = 25;
  std::uint32_t retry_steps = 40;
  std::vector<double> retry_table_mv;
  bool tracking = true;
  double capture_range_mv = 0;
  double tracking_miss_mv = 0;
  double soft_spacing_mv = 0;

  // Returns the amounts in mV by which step `retry_step` of the table lowers each level. The steps are counted from 1.
  std::span<const double> table_entry(std::uint32_t retry_step) const {
    const std::size_t levels = retry_table_mv.size() / retry_steps;
    return std::span(retry_table_mv).subspan((retry_step - 1) * levels, levels);
  }
};

inline void describe(ReadLevelParameters& p, ParameterVisitor& v) {
  v.choice("kind", p.kind,
           {{"optimum", "the optimum of a fresh median wordline"},
            {"followed", "the optimum of a fresh median wordline, moved with its drift"},
            {"given", "given_mv, moved with the drift of the median wordline"}},
           "how the default read levels are chosen");
  v.reals("given_mv", p.given_mv, {-20000, 20000}, "mv", "read levels of kind given, lowest first");
  v.real("given_at_kilocycles", p.given_at_kilocycles, {0, 1000}, "",
         "thousands of cycles at which the given levels hold");
  v.real("given_at_months", p.given_at_months, {0, 1200}, "months", "retention at 30 C at which the given levels hold");
  v.real("first_follows_step", p.first_follows_step, {0, 1}, "",
         "how far the lowest given level drops, relative to the increase of the ISPP step over the device's own");
  v.real("retry_step_mv", p.retry_step_mv, {0, 10000}, "mv", "drift of the top state that one retry step compensates");
  v.integer("retry_steps", p.retry_steps, {0, 254}, "",
            "steps of the retry table; 0: the controller reads each page once");
  v.reals(
      "retry_table_mv", p.retry_table_mv, {-10000, 10000}, "mv",
      "how far each step lowers each level, beginning with the lowest level of the first step; empty: retry_step_mv "
      "times the share of the drift");
  v.boolean("tracking", p.tracking, "read the step nearest to the page's drift at the page's own optimum");
  v.real("capture_range_mv", p.capture_range_mv, {0, 10000}, "mv",
         "distance to the page's drift within which a step is tracked");
  v.real("tracking_miss_mv", p.tracking_miss_mv, {-1000, 1000}, "mv", "offset of a tracked read from the optimum");
  v.real("soft_spacing_mv", p.soft_spacing_mv, {0, 10000}, "mv",
         "spacing of the levels of a soft read; 0: the most informative one for pages of that age and wear, read at "
         "their optimum, as in the code tables");
}

}  // namespace nandscape::nand
