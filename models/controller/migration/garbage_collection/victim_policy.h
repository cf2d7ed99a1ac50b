// SPDX-License-Identifier: Apache-2.0
// Chooses the next victim of garbage collection on a plane.
#pragma once

#include <cstdint>

#include "controller/mapping/block_table.h"
#include "core/registry.h"
#include "core/ticks.h"

namespace nandscape::controller {

class VictimPolicy {
 public:
  virtual ~VictimPolicy() = default;
  // Returns a full block of the plane without pending commands and with at least one page to gain; invalid if there is
  // none.
  virtual Superblock choose(const BlockTable& blocks, FtlPlane plane, Tick now) = 0;
  // Saves or restores the state that the policy keeps between choices.
  virtual void persist(Archive&) {}
};

// Policies are made from the simulation's seed.
using VictimRegistry = Registry<VictimPolicy, std::uint64_t>;
VictimRegistry& victim_registry();

}  // namespace nandscape::controller
