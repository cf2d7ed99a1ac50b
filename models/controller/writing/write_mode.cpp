// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/write_mode.h"

namespace nandscape::controller {

void describe(WriteModeParameters& p, ParameterVisitor& v) {
  v.unread_if(!p.built_in(), {"kept_weeks", "by_content", "step_ratio"}, "policy is " + p.policy.name);
  v.unread_if(p.built_in() && p.kept_weeks == 0, {"step_ratio"}, "kept_weeks is 0");
  v.variant("policy", p.policy, write_mode_registry(), "ISPP step with which a page is programmed");
  v.integer("kept_weeks", p.kept_weeks, {0, 520}, "weeks",
            "retention time of host writes, which use larger steps and are reprogrammed before it ends; 0: that of all "
            "other data");
  v.boolean("by_content", p.by_content, "pages use the largest step that their content allows (controller.content)");
  v.real("step_ratio", p.step_ratio, {0, 10}, "",
         "ISPP step of pages kept for kept_weeks over nand.cells.placement.step_mv; larger is faster and keeps data "
         "less long, 1.86 for 10 weeks and 2.33 for 2 in the published cells; 0: the largest step with which these "
         "cells keep equally frequent states for kept_weeks, after controller.content.kept_kilocycles");
}

// To add a write mode, define it in a separate file, and declare and register its function here.
void register_built_in_mode(WriteModeRegistry& registry);

WriteModeRegistry& write_mode_registry() {
  static WriteModeRegistry registry("controller.write_mode", &register_built_in_mode);
  return registry;
}

}  // namespace nandscape::controller
