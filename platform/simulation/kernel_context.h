// SPDX-License-Identifier: Apache-2.0
// A separate SystemC context for each simulation, so that a process can have several simulations. SystemC's kernel has
// global state. A Scope therefore makes a context current and holds the KernelLock.
#pragma once

#include <functional>
#include <systemc>
#include <vector>

#include "platform/simulation/kernel_lock.h"

namespace nandscape {

class KernelContext {
 public:
  KernelContext();
  // Destroys the context. All objects that were built in it must have been destroyed before.
  ~KernelContext();
  KernelContext(const KernelContext&) = delete;
  KernelContext& operator=(const KernelContext&) = delete;

  // Makes the context current. Modules must be built, run, read and destroyed inside a Scope of their context.
  class Scope {
   public:
    explicit Scope(const KernelContext& context);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    KernelLock lock_;
    sc_core::sc_simcontext* before_;
  };

  // Returns the top-level objects of the context. No Scope is needed unless objects are being built at the same time.
  const std::vector<sc_core::sc_object*>& objects() const { return sc_core::sc_get_top_level_objects(context_); }

  // Runs `call` outside of the current Scope: no context is current, and the lock is released. The call may therefore
  // use other contexts, and may wait for threads that use them. If the calling thread does not hold the lock, it is
  // already outside, and the call is simply made.
  static void outside(const std::function<void()>& call);
  // Leaves the current Scope for a moment, so that threads that wait for the lock run first. Call it between two
  // events.
  static void give_way();

 private:
  sc_core::sc_simcontext* context_;
};

}  // namespace nandscape
