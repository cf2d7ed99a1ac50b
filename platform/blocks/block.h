// SPDX-License-Identifier: Apache-2.0
// The interface that every block has towards the platform, in addition to its sockets. Each kind of block has its own
// interface (die_block.h, channel_block.h, ecc_engine_block.h, front_end_block.h, host_block.h, drive.h) and a registry
// of factories by name. `simulation.blocks` of the configuration names the block to use. The built-in blocks are in the
// same registries. An external block registers itself before the configuration is read:
//
//   ecc_engine_blocks().add<ThreadedEngine>("threaded", "an engine whose decoder is an SC_THREAD");
#pragma once

#include <string>

#include "core/archive.h"
#include "core/ticks.h"

namespace nandscape {

class Block {
 public:
  virtual ~Block() = default;

  // Returns how far ahead the calendar may run for this block. `never` stands for no limit: the block does all its work
  // in calendar events, as the built-in blocks do. A block with SystemC processes returns the smallest delay with which
  // it calls other blocks, or 0 if its calls carry no delay. The calendar runs ahead of SystemC by at most this time. A
  // call with a shorter delay may arrive too late, which is an error. The limit does not apply to answers that the
  // block returns from calls into it.
  virtual Tick lookahead() const { return 0; }

  // Returns whether the block's processes have work that no transaction on its sockets shows, for example a posted
  // write in transit. A run continues while this is true.
  virtual bool at_work() const { return false; }

  // Returns whether persist() saves and restores the complete state of an idle block, including its counters. If one
  // block returns false, no checkpoint of the simulation is possible.
  virtual bool persists() const { return false; }
  virtual void persist(Archive&) {}
};

// Returns whether the block has SystemC processes, which run outside the calendar.
inline bool is_foreign(const Block& block) { return block.lookahead() != never; }

// Throws a RequestError if the block does not persist. `key` is the configuration key that chose the block, and `name`
// is the name of the block.
void require_persistent(const Block& block, const std::string& key, const std::string& name);

}  // namespace nandscape
