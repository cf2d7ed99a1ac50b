// SPDX-License-Identifier: Apache-2.0
// The kernel is global state, so one thread of the process at a time is in it: the one that holds this lock. It may
// take it again. Others wait in the order in which they came, and still_wanted() ends their waiting.
//
// A thread that simulates for long lets those that wait go first now and then (give_way), and gives the lock back
// while it calls out to code of the user (Released): that code may wait for another thread that simulates.
//
// A process that is forked while another thread holds the lock is left with half a step of the kernel: in the child
// the lock cannot be taken any more, which BusyError says. Forked while nobody holds it, or by its holder, the child
// goes on with a lock of its own.
#pragma once

#include <functional>

namespace nandscape {

class KernelLock {
 public:
  // Throws Interrupted, and BusyError in such a child.
  KernelLock();
  ~KernelLock();
  KernelLock(const KernelLock&) = delete;
  KernelLock& operator=(const KernelLock&) = delete;

  // While it lives, this thread does not hold the lock that it held. Its end throws BusyError in such a child.
  class Released {
   public:
    enum class Return { first, last };  // among those who wait for the lock by then
    explicit Released(Return where = Return::first);
    ~Released() noexcept(false);  // NOLINT(bugprone-exception-escape): it is what its owner waits for
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;

   private:
    Return where_;
    unsigned depth_;
  };

  // Held: lets the threads go first that wait for it.
  static void give_way();

  // Runs the job under the lock, and neither waits nor throws: at once if the lock is free, else when it is given back.
  static void when_free(std::function<void()> job);
};

}  // namespace nandscape
