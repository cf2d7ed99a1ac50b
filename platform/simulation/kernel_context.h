// SPDX-License-Identifier: Apache-2.0
// One private SystemC context per simulation, so that several live side by side in a process. The kernel is global
// state: a context is made current for the length of a Scope, which holds the KernelLock meanwhile.
#pragma once

#include <functional>
#include <systemc>
#include <vector>

#include "platform/simulation/kernel_lock.h"

namespace nandscape {

class KernelContext {
 public:
  KernelContext();
  // Everything that was built in the context must be gone.
  ~KernelContext();
  KernelContext(const KernelContext&) = delete;
  KernelContext& operator=(const KernelContext&) = delete;

  // Modules are built, run, asked and destroyed inside a Scope of their context.
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

  // What was built in it. Needs no Scope, as long as nothing is being built.
  const std::vector<sc_core::sc_object*>& objects() const { return sc_core::sc_get_top_level_objects(context_); }

  // Calls out of a Scope, between two events: no context is current and the lock is not held meanwhile, so that the
  // call may use other contexts and wait for other threads that do.
  static void outside(const std::function<void()>& call);
  // Likewise, for the threads that wait for the lock.
  static void give_way();

 private:
  sc_core::sc_simcontext* context_;
};

}  // namespace nandscape
