// SPDX-License-Identifier: Apache-2.0
// The response of a die to a power loss, and its persisted state.
#include "core/error.h"
#include "nand/die.h"

namespace nandscape::nand {

void Die::power_cut(Tick now) {
  forgo(now);
  if (cached_complete_) {
    for (const NandCommand* c : cached_program_.commands) array_.drop(*c);
  }
  if (state_ == State::busy) {
    for (const NandCommand* c : active_.commands) array_.interrupt(*c);
  }
  for (const NandCommand* c : suspended_.commands) array_.interrupt(*c);
  plane_reads_.drop();
  array_.lose_latches();
  active_.commands.clear();
  cached_program_.commands.clear();
  suspended_.commands.clear();
  aborted_.clear();
  cache_read_ = nullptr;
  next_waits_ = cached_complete_ = false;
  state_ = State::idle;
  ready_ = 0;
  features_.power_on();
}

void Die::persist(Archive& archive, Tick now) {
  if (!idle() || ready_ > now)
    throw ProtocolError(name_ + ": its state can only be saved or restored while no command is under way");
  archive.section("die");
  ready_ = 0;
  archive(suspends_, resets_, times_);
  features_.persist(archive);
  array_.persist(archive, now);
}

}  // namespace nandscape::nand
