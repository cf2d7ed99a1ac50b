// SPDX-License-Identifier: Apache-2.0
#include "controller/content/parameters.h"

#include <string>

#include "core/error.h"
#include "core/message_text.h"

namespace nandscape::controller {

void describe(ContentParameters& p, ParameterVisitor& v) {
  v.unread_if(!p.plugin.empty(), {"bound"}, "plugin is given");
  v.unread_if(p.plugin.empty(), {"plugin_options"}, "plugin is empty");
  v.choice("profile", p.profile, content_kinds(), "what pages hold, where the simulation keeps no data to look at");
  v.real("page_spread", p.page_spread, {0, 1}, "",
         "standard deviation of a state's share of the cells of a page, from page to page");
  v.choice("faster_pages", p.faster_pages,
           {{"both", "all"}, {"lsb", "those that are read at three levels"}, {"msb", "those that are read at one"}},
           "which pages are written faster");
  v.choice("step_rule", p.step_rule,
           {{"wordline", "the one that programs the cells bears both of their pages"},
            {"page",
             "each bears its own page, as if that had its cells to itself: the published rule, for cells without "
             "errors only"}},
           "which ISPP steps are legal");
  v.choice("bound", p.bound,
           {{"relaxed", "by counts of two states (equations 6 and 7)"},
            {"exact", "by the shares of all states (equations 4 and 5)"}},
           "how the error rate of a page is found");
  v.boolean("state_mapping", p.state_mapping, "write other states than the data ask for where that is faster");
  v.reals("steps_mv", p.steps_mv, {1, 5000}, "mv", "ISPP steps to choose from besides the device's own");
  v.real("kept_kilocycles", p.kept_kilocycles, {0, 1000}, "",
         "thousands of cycles after which pages have to be correctable");
  v.real("kept_months", p.kept_months, {0, 1200}, "months", "time at 30 C for which they have to be");
  v.real("page_failure", p.page_failure, {1e-30, 0.5}, "", "probability that such a page is not correctable");
  v.text("plugin", p.plugin,
         "shared library whose content engine says which steps are legal, by its path from the file that names it; "
         "empty: none");
  v.text("plugin_options", p.plugin_options, "what the content engine of the plug-in is told when it is made");
}

void check(const ContentParameters& p, double step_mv) {
  double before = step_mv;
  for (const double step : p.steps_mv) {
    if (step <= before) {
      throw ConfigError({}, "controller.content.steps_mv",
                        "must rise from the device's own step, nand.cells.placement.step_mv: " + shown(step) +
                            " follows " + shown(before));
    }
    before = step;
  }
}

}  // namespace nandscape::controller
