// SPDX-License-Identifier: Apache-2.0
// Cell-to-cell interference. When a wordline is programmed, the threshold voltages of the cells in the previous
// wordline rise by capacitive coupling,
//
//   shift = gy D_y + gxy (D_left + D_right),
//
// where D_y is the rise of Vth of the neighbour on the same bitline, and D_left and D_right are the rises of the two
// diagonal neighbours [Lee 2002, "Effects of floating-gate interference on NAND flash memory cell operation"].
// Neighbours within the wordline are programmed together with the cell (all-bit-line), so the cell's own verify
// compensates for them.
#pragma once

#include "core/parameters.h"

namespace nandscape::nand {

struct InterferenceParameters {
  double vertical = 0;
  double diagonal = 0;

  bool any() const { return vertical > 0 || diagonal > 0; }
};

inline void describe(InterferenceParameters& p, ParameterVisitor& v) {
  v.real("vertical", p.vertical, {0, 1}, "", "coupling to the cell of the next wordline on the same bitline");
  v.real("diagonal", p.diagonal, {0, 1}, "", "coupling to each of the two cells beside that one");
}

}  // namespace nandscape::nand
