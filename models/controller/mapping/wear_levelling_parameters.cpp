// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/wear_levelling_parameters.h"

namespace nandscape::controller {

void describe(WearLevellingParameters& p, ParameterVisitor& v) {
  v.unread_if(p.static_threshold == 0, {"check_erases"}, "static_threshold is 0");
  v.choice("free_block", p.free_block,
           {{"fifo", "the one that was erased first"}, {"least_worn", "the one that was erased least often"}},
           "which free block of a plane is written next");
  v.integer("static_threshold", p.static_threshold, {}, "",
            "erases by which a block may lag behind its plane's most worn one before its data are moved; 0: any");
  v.integer("check_erases", p.check_erases, {1, 1 << 20}, "",
            "erases on a plane between two searches for such a block");
}

}  // namespace nandscape::controller
