// SPDX-License-Identifier: Apache-2.0
// Which block of a plane garbage collection empties next. Variants: greedy.
#pragma once

#include "controller/mapping/block_table.h"
#include "core/registry.h"

namespace nandscape {

class VictimPolicy {
 public:
  virtual ~VictimPolicy() = default;
  // A full block of the plane that no command is on its way to, with at least one page to gain; invalid when there is
  // none.
  virtual BlockId choose(const BlockTable& blocks, PlaneId plane) = 0;
};

using VictimRegistry = Registry<VictimPolicy>;
const VictimRegistry& victim_registry();

}  // namespace nandscape
