// SPDX-License-Identifier: Apache-2.0
// Ensures that a simulation is used by one call at a time.
//
// - A call that moves time or changes the simulation locks it (Call). During the call, every other such call of the
//   same simulation throws BusyError without effect: from another thread, and from the call's own progress callback.
// - Readers lock the simulation briefly (Reading), and wait for each other. In a progress callback (Callback) they see
//   it between two events; in another thread they throw BusyError until the call ends.
// - Constant properties, such as the configuration and the capacity, can be read at any time.
// - Other simulations can be used anywhere, also in a callback and in other threads: see KernelLock.
// - A simulation released during its own call, or while another thread uses the kernel, is destroyed afterwards.
// - After a fork the child may use every simulation that no other thread was using. Calls of the others throw
//   BusyError.
#pragma once

#include <atomic>
#include <cstdint>

namespace nandscape {

class Ownership {
 public:
  class Call {
   public:
    explicit Call(Ownership& simulation);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    Ownership& simulation_;
  };

  class Reading {
   public:
    explicit Reading(Ownership& simulation);
    ~Reading();
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

   private:
    Ownership& simulation_;
    bool taken_;
  };

  // Marks a callback of user code that is made within a Call.
  class Callback {
   public:
    explicit Callback(Ownership& simulation) : simulation_(simulation) { simulation_.calling_back_ = true; }
    ~Callback() { simulation_.calling_back_ = false; }
    Callback(const Callback&) = delete;
    Callback& operator=(const Callback&) = delete;

   private:
    Ownership& simulation_;
  };

 private:
  // Waits until no reader is active and acquires the simulation for the thread `as`. Throws BusyError during a Call.
  void take(std::uint64_t as);
  void give_back() { holder_.store(0, std::memory_order_release); }

  // The number of the thread that holds the simulation, with a bit for readers. 0 if no thread holds it.
  std::atomic<std::uint64_t> holder_ = 0;
  bool calling_back_ = false;  // the Call that holds the simulation is executing a callback
};

}  // namespace nandscape
