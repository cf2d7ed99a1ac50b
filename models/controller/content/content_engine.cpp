// SPDX-License-Identifier: Apache-2.0
#include "controller/content/content_engine.h"

#include <string>

#include "core/error.h"
#include "core/message_text.h"

namespace nandscape::controller {

void describe(ContentParameters& p, ParameterVisitor& v) {
  v.unread_if(!p.plugin.empty(), {"bound"}, "plugin is given");
  v.unread_if(p.plugin.empty(), {"plugin_options"}, "plugin is empty");
  v.choice("profile", p.profile, content_kinds(), "content of pages, if the simulation keeps no data");
  v.real("page_spread", p.page_spread, {0, 1}, "",
         "standard deviation of the share of cells in a state, between pages");
  v.choice("faster_pages", p.faster_pages,
           {{"both", "all pages"}, {"lsb", "pages read at three levels"}, {"msb", "pages read at one level"}},
           "which pages are written faster");
  v.choice(
      "step_rule", p.step_rule,
      {{"wordline", "the step with which the cells are programmed keeps both of their pages correctable"},
       {"page",
        "each step keeps its own page correctable, as if the cells held that page alone: the published rule, only for "
        "cells without errors"}},
      "which ISPP steps are legal");
  v.choice("bound", p.bound,
           {{"relaxed", "from the counts of two states (equations 6 and 7)"},
            {"exact", "from the shares of all states (equations 4 and 5)"}},
           "how the error rate of a page is computed");
  v.boolean("state_mapping", p.state_mapping, "permute the states of the cells where this makes programming faster");
  v.reals("steps_mv", p.steps_mv, {1, 5000}, "mv", "ISPP steps to choose from, besides the device's own step");
  v.real("kept_kilocycles", p.kept_kilocycles, {0, 1000}, "",
         "program/erase cycles, in thousands, after which pages must be correctable");
  v.real("kept_months", p.kept_months, {0, 1200}, "months",
         "retention time at 30 C after which pages must be correctable");
  v.real("page_failure", p.page_failure, {1e-30, 0.5}, "", "probability that such a page is uncorrectable");
  v.text("plugin", p.plugin,
         "shared library whose content engine chooses the steps; its path is relative to the file that names it; "
         "empty: none");
  v.text("plugin_options", p.plugin_options, "options passed to the plug-in's content engine when it is created");
}

}  // namespace nandscape::controller
