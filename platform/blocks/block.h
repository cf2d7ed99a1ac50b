// SPDX-License-Identifier: Apache-2.0
// What the platform asks of a block beside its sockets, whoever wrote it. Each kind of block has an interface of its
// own (die_block.h, channel_block.h, ecc_engine_block.h, front_end_block.h, host_block.h, drive.h) and a registry of
// those who make one by name; `simulation.blocks` of the configuration names the one to take. The built-in blocks are
// in the same registries. A block from outside adds itself before the configuration is read:
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

  // `never`: the block does everything in events of the calendar, as the built-in ones do. A block with processes of
  // its own says how far ahead they announce what they do: the least delay that their calls carry, 0 if they carry
  // none. The calendar runs ahead of SystemC by no more than that; a call with a shorter delay may come too late, which
  // is an error. What a call into the block returns is no matter of it.
  virtual Tick lookahead() const { return 0; }

  // Work of its processes that no transaction on its sockets shows: a posted write that is on its way through it, for
  // instance. A run goes on while there is some.
  virtual bool at_work() const { return false; }

  // Whether persist() writes and reads back all that a checkpoint needs of a block at rest, what it has counted among
  // it. Without that no checkpoint is made.
  virtual bool persists() const { return false; }
  virtual void persist(Archive&) {}
};

// One that runs in the calendar alone and needs no watching.
inline bool is_foreign(const Block& block) { return block.lookahead() != never; }

// Throws a RequestError unless the block persists: by the key that chose it, and its name.
void require_persistent(const Block& block, const std::string& key, const std::string& name);

}  // namespace nandscape
