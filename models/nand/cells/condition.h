// SPDX-License-Identifier: Apache-2.0
// The condition of a wordline when it is read, and its deviation from the median wordline of the device.
#pragma once

namespace nandscape::nand {

struct Merging;

// The adjustments that the wordline and its two neighbours have undergone since they were programmed. A pointer is null
// if that wordline was not adjusted. The wordlines of a block are adjusted one after the other, beginning with the
// first one. The states are those of the native coding.
struct Adjustments {
  const Merging* own = nullptr;
  const Merging* previous = nullptr;
  const Merging* next = nullptr;

  bool any() const { return own != nullptr || previous != nullptr || next != nullptr; }
  bool operator==(const Adjustments&) const = default;
};

struct CellCondition {
  double kilocycles = 0;        // program/erase cycles of the wordline's block, in thousands
  double retention_months = 0;  // months at 30 C since programming; see arrhenius_factor() for other temperatures
  double kiloreads = 0;         // reads of the block since it was erased, in thousands
  double later_programs = 0;    // share of the block's wordlines programmed after this one, 0..1
  double read_temperature_c = 30;
  Adjustments adjusted = {};
};

// The factors by which a wordline deviates from the median wordline of the device (see variation.h).
struct PageVariation {
  double width_factor = 1;  // scales the tails of the programmed states and the width of the erased state
  double shift_factor = 1;  // scales the effect of retention
};

}  // namespace nandscape::nand
