// SPDX-License-Identifier: Apache-2.0
// The condition of a wordline when it is read, and its position in the device's spread.
#pragma once

namespace nandscape::nand {

struct Merging;

// The adjustments of a wordline and its neighbours since they were programmed; null if there was none. Wordlines are
// adjusted one after the other, from the first wordline of the block onward. States are those of the native coding.
struct Adjustments {
  const Merging* own = nullptr;
  const Merging* previous = nullptr;
  const Merging* next = nullptr;

  bool any() const { return own != nullptr || previous != nullptr || next != nullptr; }
};

struct CellCondition {
  double kilocycles = 0;        // program/erase cycles of its block, in thousands
  double retention_months = 0;  // months at 30 C since it was programmed; for other temperatures see arrhenius_factor()
  double kiloreads = 0;         // reads of its block since the block's erase, in thousands
  double later_programs = 0;    // share of its block's wordlines programmed after it, 0..1
  double read_temperature_c = 30;
  Adjustments adjusted = {};
};

// The wordline's deviation from the median one of the device (see variation.h).
struct PageVariation {
  double width_factor = 1;  // scales the tails of its distributions and the erased state
  double shift_factor = 1;  // scales the effect of retention
};

}  // namespace nandscape::nand
