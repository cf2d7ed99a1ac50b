// SPDX-License-Identifier: Apache-2.0
// How busy each kind of resource was: what a drive that serves less than it is asked for has run out of.
#pragma once

#include "core/statistics.h"
#include "core/ticks.h"
#include "platform/config/parameters.h"
#include "platform/wiring/machine.h"

namespace nandscape {

// Shares of the time since power-up; of several of a kind, of the busiest one, or of their mean where they take work in
// turn.
struct Utilisation {
  double link = 0;
  double firmware = 0;
  double dram = 0;
  double ecc = 0;
  double channel = 0;
  double die = 0;
};
void describe(const Utilisation& utilisation, StatisticsVisitor& visitor);

Utilisation utilisation_of(const PlatformParameters& parameters, const Machine& machine, Tick time);

}  // namespace nandscape
