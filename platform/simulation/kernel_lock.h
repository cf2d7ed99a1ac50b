// SPDX-License-Identifier: Apache-2.0
// SystemC's kernel has global state, so only the thread that holds this recursive lock may use it. Other threads wait
// for the lock in the order of their arrival, until still_wanted() returns false.
//
// During a long simulation the holder regularly lets waiting threads run first (give_way). It releases the lock during
// calls of user code (Released), since that code may wait for another thread that simulates. It also releases the lock
// while it runs events that do not use SystemC, so that several threads can simulate at the same time.
//
// After a fork while another thread holds the lock, the child has a kernel in an inconsistent state, so acquiring the
// lock in the child throws BusyError. After a fork by the holder, or while the lock is free, the child has its own
// valid lock.
#pragma once

#include <functional>

namespace nandscape {

class KernelLock {
 public:
  // Acquires the lock. Throws Interrupted if the waiting call is cancelled, and BusyError in a child process whose
  // kernel is in an inconsistent state.
  KernelLock();
  ~KernelLock();
  KernelLock(const KernelLock&) = delete;
  KernelLock& operator=(const KernelLock&) = delete;

  // Releases the lock for the lifetime of the object, if this thread holds it. The destructor acquires it again, and
  // throws BusyError in a child process whose kernel is in an inconsistent state.
  class Released {
   public:
    enum class Return { first, last };  // position in the queue when the lock is acquired again
    explicit Released(Return where = Return::first);
    ~Released() noexcept(false);  // NOLINT(bugprone-exception-escape): it is what its owner waits for
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;

   private:
    Return where_;
    unsigned depth_;
  };

  // Returns whether the calling thread holds the lock.
  static bool held();

  // Lets the threads that wait for the lock run first. The calling thread must hold the lock.
  static void give_way();

  // Runs the job while the lock is held: immediately if the lock is free, and otherwise when its holder releases it.
  // This function neither waits nor throws.
  static void when_free(std::function<void()> job);
};

}  // namespace nandscape
