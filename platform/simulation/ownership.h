// SPDX-License-Identifier: Apache-2.0
// Whose a simulation is: that of one call at a time.
//
// - A call that moves time or changes the simulation takes it (Call). While it is under way, every other call of the
//   same simulation throws BusyError and does nothing: from another thread, and from the call's own progress callback.
// - Readers take it for moments (Reading), and wait for each other. From within a progress callback (Callback) they see
//   the simulation between two events; from another thread they throw BusyError until the call ends.
// - What never changes, as the configuration and the capacity, can be asked at any time.
// - Other simulations can be used from anywhere, from within a callback too. The threads that simulate take turns: see
//   KernelLock.
// - A simulation whose end comes in the middle of its own call, or while another thread is in the kernel, is destroyed
//   after that.
// - After a fork the child may use every simulation that no other thread was using. The others stay BusyError.
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

  // Within a Call, while code of the user runs.
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
  // Throws BusyError; waits for readers.
  void take(std::uint64_t as);
  void give_back() { holder_.store(0, std::memory_order_release); }

  std::atomic<std::uint64_t> holder_ = 0;  // a thread's number, with a mark for readers; 0: none
  bool calling_back_ = false;              // the holder's own
};

}  // namespace nandscape
