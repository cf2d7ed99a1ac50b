// SPDX-License-Identifier: Apache-2.0
// The order of accesses to a unit. No write and no trim passes an earlier one of the same unit, wherever that waits and
// whether anybody still waits for it: after a reset of the front end, what it has forgotten must not replace what was
// written since. Those in the range of a trim wait for its end, so that the cache and the backend agree on the order.
#pragma once

#include "controller/cache/access_queue.h"
#include "controller/cache/cache_memory.h"
#include "controller/cache/cache_operation.h"
#include "controller/cache/pending_trims.h"
#include "controller/cache/waiting_writes.h"

namespace nandscape::controller {

class AccessOrder {
 public:
  // Where earlier accesses wait, beside those that are held here.
  AccessOrder(CacheMemory& memory, const WaitingWrites& waiting, const WritesThrough& writes_through,
              const PendingTrims& trims)
      : memory_(memory), waiting_(waiting), writes_through_(writes_through), trims_(trims) {}

  // Whether it is the turn of an access that comes; else it is held until then.
  bool admits(PageAccess& access);
  // What has waited for something that has ended comes before all that is held, and is looked at in its turn.
  void hold_first(AccessQueue accesses) { held_.prepend(accesses); }

  // Calls admit(access) for each of the held accesses whose turn it is by then. What one does may let others go, and
  // bring new ones.
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
      // Each is looked at after all that came before it.
      while (!releasing_.empty()) {
        PageAccess& access = releasing_.pop();
        comes_too_early(access) ? held_.push(access) : admit(access);
      }
    } while (release_again_);
  }

 private:
  // Whether the access has to wait for an earlier one whose range has a unit of it: any access for a trim, and a trim
  // for writes that wait.
  bool comes_too_early(const PageAccess& access);
  bool writes_wait(const PageAccess& range);

  CacheMemory& memory_;
  const WaitingWrites& waiting_;
  const WritesThrough& writes_through_;
  const PendingTrims& trims_;

  AccessQueue held_;       // that have come too early, or have waited for one that has ended
  AccessQueue releasing_;  // of these, the ones that are being looked at again
  bool release_again_ = false;
};

}  // namespace nandscape::controller
