// SPDX-License-Identifier: Apache-2.0
// Which block of a plane garbage collection empties next. Variants: greedy, d_choices, random, random_p, random_pp,
// fifo, cost_benefit.
#pragma once

#include <cstdint>

#include "controller/mapping/block_table.h"
#include "core/registry.h"
#include "core/ticks.h"

namespace nandscape::controller {

class VictimPolicy {
 public:
  virtual ~VictimPolicy() = default;
  // A full block of the plane that no command is on its way to, with at least one page to gain; invalid when there is
  // none.
  virtual Superblock choose(const BlockTable& blocks, FtlPlane plane, Tick now) = 0;
  // What it remembers between choices.
  virtual void persist(Archive&) {}
};

// Made from the simulation's seed.
using VictimRegistry = Registry<VictimPolicy, std::uint64_t>;
const VictimRegistry& victim_registry();

}  // namespace nandscape::controller
