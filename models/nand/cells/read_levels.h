// SPDX-License-Identifier: Apache-2.0
// Where the read levels lie by default, and where read-retry moves them.
//
// Default levels are the optimum of a fresh median wordline, or given. Given levels hold at a reference condition; at
// others they move with the drift that the median wordline has had, as a controller moves them that knows cycles and
// age. So do the optimum levels, where they are followed.
//
// Retry step n lowers every level by n steps, by the share of the drift at its voltage (retention.h):
//
//   VREF_j(n) = VREF_j(0) - n delta share(x_j)
//
// x_j lies midway between the two states, or at the lowest programmed state where that is higher. Vendors' tables have
// other steps, each level its own: entry n of `retry_table_mv` says by how much step n lowers each level.
//
// With `tracking`, the first step that comes within the capture range of the page's own drift, |S - n delta| <= range,
// with what the table lowers the highest level by in place of n delta, is read at the page's own optimum plus a fixed
// miss: the valley search that chips and controllers make once they are near. Without it no table leaves the margin in
// the last step that [Park 2021, section 5.1] measures: pages just inside "ends at step n" hold just as many errors as
// the code can bear, at every condition.
//
// Soft reads sense at several levels round each of these, evenly spaced. The spacing shows where a real decoder works
// on what the senses have found (`ecc.decoder: bit_true`).
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

  // By how much a step of the table, from 1, lowers each level.
  std::span<const double> table_entry(std::uint32_t retry_step) const {
    const std::size_t levels = retry_table_mv.size() / retry_steps;
    return std::span(retry_table_mv).subspan((retry_step - 1) * levels, levels);
  }
};

inline void describe(ReadLevelParameters& p, ParameterVisitor& v) {
  v.choice("kind", p.kind,
           {{"optimum", "the optimum of a fresh median wordline"},
            {"followed", "the same, moved with the drift of the median wordline"},
            {"given", "as in given_mv, moved with the drift"}},
           "where the default read levels lie");
  v.reals("given_mv", p.given_mv, {-20000, 20000}, "mv", "given levels, lowest first");
  v.real("given_at_kilocycles", p.given_at_kilocycles, {0, 1000}, "", "thousands of cycles at which they hold");
  v.real("given_at_months", p.given_at_months, {0, 1200}, "months", "retention at 30 C at which they hold");
  v.real("first_follows_step", p.first_follows_step, {0, 1}, "",
         "how far the lowest given level goes down, relative to the increase of the ISPP step over the device's own");
  v.real("retry_step_mv", p.retry_step_mv, {0, 10000}, "mv", "drift of the top state that one retry step makes up for");
  v.integer("retry_steps", p.retry_steps, {0, 254}, "",
            "steps of the retry table; without any, the controller reads each page once");
  v.reals("retry_table_mv", p.retry_table_mv, {-10000, 10000}, "mv",
          "by how much each step lowers each level, the lowest level of the first step first; without any, by "
          "retry_step_mv and the share of the drift");
  v.boolean("tracking", p.tracking, "read the step nearest to the page's drift at the page's own optimum");
  v.real("capture_range_mv", p.capture_range_mv, {0, 10000}, "mv", "how near a step must come for that");
  v.real("tracking_miss_mv", p.tracking_miss_mv, {-1000, 1000}, "mv", "by how much the optimum is missed then");
  v.real("soft_spacing_mv", p.soft_spacing_mv, {0, 10000}, "mv",
         "spacing of the levels of a soft read; 0: what tells most about pages of that age and wear, read at their "
         "optimum, as the tables of codes have it");
}

}  // namespace nandscape::nand
