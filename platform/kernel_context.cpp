// SPDX-License-Identifier: Apache-2.0
#include "platform/kernel_context.h"

#include <utility>

namespace nandscape {

namespace {

std::recursive_mutex& kernel_lock() {
  static std::recursive_mutex lock;
  return lock;
}

// Once per process: kernel statics live in the default context, which therefore stays; and errors of the kernel become
// exceptions, where SystemC would abort or print.
void prepare_kernel() {
  static const bool prepared = [] {
    sc_core::sc_get_curr_simcontext();
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_CACHE_REPORT);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    return true;
  }();
  static_cast<void>(prepared);
}

}  // namespace

KernelContext::KernelContext() {
  const std::lock_guard lock(kernel_lock());
  prepare_kernel();
  context_ = new sc_core::sc_simcontext;
}

KernelContext::~KernelContext() {
  const std::lock_guard lock(kernel_lock());
  // Frees timed notifications that were cancelled, which the context itself would leak.
  sc_core::sc_time next;
  context_->next_time(next);
  delete context_;
}

KernelContext::Scope::Scope(const KernelContext& context)
    : lock_(kernel_lock()), before_(std::exchange(sc_core::sc_curr_simcontext, context.context_)) {
  if (context.context_->get_status() == sc_core::SC_RUNNING) {
    sc_core::sc_curr_simcontext = before_;
    throw std::logic_error("a simulation cannot be used from within its own run");
  }
}

KernelContext::Scope::~Scope() { sc_core::sc_curr_simcontext = before_; }

}  // namespace nandscape
