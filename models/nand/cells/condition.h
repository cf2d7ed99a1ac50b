// SPDX-License-Identifier: Apache-2.0
// What a wordline has been through when it is read, and in which page of the device's spread it lies.
#pragma once

namespace nandscape::nand {

struct Merging;

// By what a wordline and its neighbours were adjusted since they were programmed, one after the other from the first
// wordline of the block on; null: not at all. States are those of the native coding.
struct Adjustments {
  const Merging* own = nullptr;
  const Merging* previous = nullptr;
  const Merging* next = nullptr;

  bool any() const { return own != nullptr || previous != nullptr || next != nullptr; }
};

struct CellCondition {
  double kilocycles = 0;        // program/erase cycles of its block, in thousands
  double retention_months = 0;  // since it was programmed, at 30 C; see arrhenius_factor() for other temperatures
  double kiloreads = 0;         // reads of its block since then, in thousands
  double later_programs = 0;    // share of its block's wordlines programmed after it, 0..1
  double read_temperature_c = 30;
  Adjustments adjusted = {};
};

// How far the wordline is from the median one of the device (see variation.h).
struct PageVariation {
  double width_factor = 1;  // of the tails of its distributions, and of the erased state
  double shift_factor = 1;  // of what retention does to it
};

}  // namespace nandscape::nand
