// SPDX-License-Identifier: Apache-2.0
// One private SystemC context per simulation, so that several live side by side in a process. The kernel is global
// state: a context is made current for the length of a Scope, and one process-wide lock is held meanwhile.
#pragma once

#include <mutex>
#include <systemc>

namespace nandscape {

class KernelContext {
 public:
  KernelContext();
  // Everything that was built in the context must be gone.
  ~KernelContext();
  KernelContext(const KernelContext&) = delete;
  KernelContext& operator=(const KernelContext&) = delete;

  // Modules are built, run, asked and destroyed inside a Scope of their context. Throws std::logic_error when it is
  // opened from within a running simulation.
  class Scope {
   public:
    explicit Scope(const KernelContext& context);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    std::unique_lock<std::recursive_mutex> lock_;
    sc_core::sc_simcontext* before_;
  };

 private:
  sc_core::sc_simcontext* context_;
};

}  // namespace nandscape
