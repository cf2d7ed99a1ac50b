// SPDX-License-Identifier: Apache-2.0
// Configuration group `nand.energy`: the power that the arrays draw while they work. Each working plane uses the energy
//
//   E = P_array x array time,
//
// as in NANDFlashSim [Jung 2012], whose 45 mW are the default. At 45 mW, two planes draw about as much as data sheets
// give for a die that reads, programs or erases, typically 25 mA at 3.3 V.
#pragma once

#include "core/parameters.h"
#include "core/ticks.h"

namespace nandscape::nand {

struct NandEnergyParameters {
  double read_mw = 45;
  double program_mw = 45;
  double erase_mw = 45;
  double standby_mw = 0;
};

inline void describe(NandEnergyParameters& p, ParameterVisitor& v) {
  v.real("read_mw", p.read_mw, {0, 100000}, "mw", "power of a plane that reads");
  v.real("program_mw", p.program_mw, {0, 100000}, "mw",
         "power of a plane that programs or adjusts voltages, the mean over tPROG");
  v.real("erase_mw", p.erase_mw, {0, 100000}, "mw", "power of a plane that erases");
  v.real("standby_mw", p.standby_mw, {0, 100000}, "mw",
         "power of a die at all times, in addition to that of its working planes");
}

// The times for which planes have been reading, programming and erasing, summed over the planes.
struct ArrayTimes {
  Tick reading = 0;
  Tick programming = 0;
  Tick erasing = 0;
  Tick busy = 0;  // time during which the array of the die works, regardless of the number of working planes

  ArrayTimes& operator+=(const ArrayTimes& other) {
    reading += other.reading;
    programming += other.programming;
    erasing += other.erasing;
    busy += other.busy;
    return *this;
  }
  ArrayTimes& operator-=(const ArrayTimes& other) {
    reading -= other.reading;
    programming -= other.programming;
    erasing -= other.erasing;
    busy -= other.busy;
    return *this;
  }
};

inline double array_joules(const NandEnergyParameters& p, const ArrayTimes& t) {
  const auto joules = [](double mw, Tick time) { return 1e-3 * mw * s_from_ticks(time); };
  return joules(p.read_mw, t.reading) + joules(p.program_mw, t.programming) + joules(p.erase_mw, t.erasing);
}

}  // namespace nandscape::nand
