// SPDX-License-Identifier: Apache-2.0
// Constants of the program algorithm in ispp/ispp.h.
#pragma once

#include "core/parameters.h"

namespace nandscape::nand {

struct IsppParameters {
  double start_mv = 0;
  double speed_sigma_mv = 100;
  double t_pulse_us = 15;
  double t_verify_us = 8;
  double cells_left_behind = 1e-4;
};

inline void describe(IsppParameters& p, ParameterVisitor& v) {
  v.real("start_mv", p.start_mv, {-20000, 20000}, "mv", "Vth to which the first pulse lifts the median cell");
  v.real("speed_sigma_mv", p.speed_sigma_mv, {0, 20000}, "mv", "spread between slow and fast cells");
  v.real("t_pulse_us", p.t_pulse_us, {0.001, 10000}, "us", "duration of one program pulse");
  v.real("t_verify_us", p.t_verify_us, {0, 10000}, "us", "duration of one verify at one level");
  v.real("cells_left_behind", p.cells_left_behind, {1e-9, 0.5}, "",
         "share of cells that may miss their verify level when programming ends");
}

}  // namespace nandscape::nand
