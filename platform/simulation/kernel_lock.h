// SPDX-License-Identifier: Apache-2.0
// The kernel is global state, so only the thread that holds this recursive lock may use it. Other threads wait in order
// of arrival, until still_wanted() returns false.
//
// During a long simulation the holder regularly lets waiting threads run first (give_way). It releases the lock during
// calls of user code (Released), since that code may wait for another thread that simulates.
//
// After a fork while another thread holds the lock, the child has a kernel in an inconsistent state, so taking the lock
// throws BusyError there. After a fork by the holder, or while the lock is free, the child has its own valid lock.
#pragma once

#include <functional>

namespace nandscape {

class KernelLock {
 public:
  // Throws Interrupted when cancelled, and BusyError in a child with an inconsistent kernel.
  KernelLock();
  ~KernelLock();
  KernelLock(const KernelLock&) = delete;
  KernelLock& operator=(const KernelLock&) = delete;

  // Releases the lock, if this thread holds it, for the lifetime of the object. The destructor throws BusyError in a
  // child with an inconsistent kernel.
  class Released {
   public:
    enum class Return { first, last };  // position in the queue when the lock is taken again
    explicit Released(Return where = Return::first);
    ~Released() noexcept(false);  // NOLINT(bugprone-exception-escape): it is what its owner waits for
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;

   private:
    Return where_;
    unsigned depth_;
  };

  // Requires the lock. Lets the threads that wait for it run first.
  static void give_way();

  // Runs the job under the lock: now if the lock is free, else when its holder releases it. Neither waits nor throws.
  static void when_free(std::function<void()> job);
};

}  // namespace nandscape
