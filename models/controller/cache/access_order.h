// SPDX-License-Identifier: Apache-2.0
// Keeps accesses to the same unit in order. No write and no trim passes an earlier one of the same unit, wherever the
// earlier one waits. This also holds for writes that a reset of the front end has abandoned: an abandoned write must
// not replace data written after the reset. Accesses in the range of a trim wait until it ends, so that the cache and
// the backend agree on the order.
#pragma once

#include "controller/cache/cache_memory.h"
#include "controller/cache/cache_operation.h"
#include "controller/cache/pending_trims.h"
#include "controller/cache/waiting_writes.h"
#include "protocol/access_queue.h"

namespace nandscape::controller {

class AccessOrder {
 public:
  // The arguments are the other places where earlier accesses wait.
  AccessOrder(CacheMemory& memory, const WaitingWrites& waiting, const WritesThrough& writes_through,
              const PendingTrims& trims)
      : memory_(memory), waiting_(waiting), writes_through_(writes_through), trims_(trims) {}

  // Returns whether the access may proceed now. Otherwise it is held, and `release` admits it later.
  bool admits(PageAccess& access);
  // Puts accesses that waited for a finished operation before all held accesses. `release` checks them in order.
  void hold_first(AccessQueue accesses) { held_.prepend(accesses); }

  // Calls admit(access) for each held access that may proceed by then. admit() may release further accesses and may
  // submit new ones.
  template <class Admit>
  void release(Admit admit) {
    if (held_.empty()) return;
    if (!releasing_.empty()) {
      release_again_ = true;
      return;
    }
    do {
      release_again_ = false;
      releasing_ = held_.take();
      // Each access is checked after all earlier ones.
      while (!releasing_.empty()) {
        PageAccess& access = releasing_.pop();
        comes_too_early(access) ? held_.push(access) : admit(access);
      }
    } while (release_again_);
  }

 private:
  // Whether the access must wait for an earlier one that shares a unit with it: any access waits for a trim, and a trim
  // waits for waiting writes.
  bool comes_too_early(const PageAccess& access);
  bool writes_wait(const PageAccess& range);

  CacheMemory& memory_;
  const WaitingWrites& waiting_;
  const WritesThrough& writes_through_;
  const PendingTrims& trims_;

  AccessQueue held_;       // accesses whose turn has not come yet
  AccessQueue releasing_;  // accesses taken from held_ that `release` is checking
  bool release_again_ = false;
};

}  // namespace nandscape::controller
