// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/kernel_context.h"

#include <utility>

namespace nandscape {

namespace {

// Once per process: kernel statics live in the default context, which therefore stays; and errors of the kernel become
// exceptions, where SystemC would abort or print.
sc_core::sc_simcontext* default_context() {
  static sc_core::sc_simcontext* const context = [] {
    sc_core::sc_simcontext* const made = sc_core::sc_get_curr_simcontext();
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_CACHE_REPORT);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    return made;
  }();
  return context;
}

// Another context is the current one, until its end.
class Current {
 public:
  explicit Current(sc_core::sc_simcontext* context) : before_(std::exchange(sc_core::sc_curr_simcontext, context)) {}
  ~Current() { sc_core::sc_curr_simcontext = before_; }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  sc_core::sc_simcontext* before_;
};

}  // namespace

KernelContext::KernelContext() {
  const KernelLock lock;
  const Current current(default_context());
  context_ = new sc_core::sc_simcontext;
}

KernelContext::~KernelContext() {
  const KernelLock lock;
  // A Scope of it may still be open; nothing is done in it any more.
  if (sc_core::sc_curr_simcontext == context_) sc_core::sc_curr_simcontext = default_context();
  // What is destroyed with the context asks for the current one.
  const Current current(context_);
  // Frees timed notifications that were cancelled, which the context itself would leak.
  sc_core::sc_time next;
  context_->next_time(next);
  delete context_;
}

KernelContext::Scope::Scope(const KernelContext& context)
    : before_(std::exchange(sc_core::sc_curr_simcontext, context.context_)) {}

KernelContext::Scope::~Scope() { sc_core::sc_curr_simcontext = before_; }

void KernelContext::outside(const std::function<void()>& call) {
  const Current current(default_context());
  const KernelLock::Released released;
  call();
}

void KernelContext::give_way() {
  const Current current(default_context());
  KernelLock::give_way();
}

}  // namespace nandscape
