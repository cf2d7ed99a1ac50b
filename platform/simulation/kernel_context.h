// SPDX-License-Identifier: Apache-2.0
// A private SystemC context per simulation, so that a process can have several. The kernel is global state: a Scope
// makes a context current and holds the KernelLock.
#pragma once

#include <functional>
#include <systemc>
#include <vector>

#include "platform/simulation/kernel_lock.h"

namespace nandscape {

class KernelContext {
 public:
  KernelContext();
  // All objects that were built in the context must be destroyed first.
  ~KernelContext();
  KernelContext(const KernelContext&) = delete;
  KernelContext& operator=(const KernelContext&) = delete;

  // Modules must be built, run, read and destroyed inside a Scope of their context.
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

  // The top-level objects of the context. Needs no Scope while nothing is being built.
  const std::vector<sc_core::sc_object*>& objects() const { return sc_core::sc_get_top_level_objects(context_); }

  // Leaves the current Scope for a call between two events: no context is current and the lock is released, so the call
  // may use other contexts and wait for threads that use them.
  static void outside(const std::function<void()>& call);
  // Leaves the current Scope, too, so that threads that wait for the lock run first. Call it between two events.
  static void give_way();

 private:
  sc_core::sc_simcontext* context_;
};

}  // namespace nandscape
