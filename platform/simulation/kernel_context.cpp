// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/kernel_context.h"

#include <array>
#include <cstddef>
#include <utility>

namespace nandscape {

namespace {

// Returns the default context, which is determined once per process. It holds static objects of the kernel, so it must
// never be destroyed.
sc_core::sc_simcontext* default_context() {
  static sc_core::sc_simcontext* const context = sc_core::sc_get_curr_simcontext();
  return context;
}

// The actions that SystemC takes for reports, by their severity. They are global to the process.
using ReportActions = std::array<sc_core::sc_actions, sc_core::SC_MAX_SEVERITY>;

ReportActions exchange_actions(const ReportActions& actions) {
  ReportActions before;
  for (std::size_t severity = 0; severity < actions.size(); ++severity) {
    before[severity] =
        sc_core::sc_report_handler::set_actions(static_cast<sc_core::sc_severity>(severity), actions[severity]);
  }
  return before;
}

// The actions inside a KernelContext, where errors are thrown as exceptions. By default, SystemC would abort or print.
// These variables are guarded by the KernelLock.
constexpr ReportActions our_actions = {sc_core::SC_DO_NOTHING, sc_core::SC_CACHE_REPORT, sc_core::SC_THROW,
                                       sc_core::SC_THROW};
ReportActions actions_of_process;
int uses_of_ours = 0;

void begin_our_actions() {
  if (uses_of_ours++ == 0) actions_of_process = exchange_actions(our_actions);
}

void end_our_actions() {
  if (--uses_of_ours == 0) exchange_actions(actions_of_process);
}

class OurActions {
 public:
  OurActions() { begin_our_actions(); }
  ~OurActions() { end_our_actions(); }
  OurActions(const OurActions&) = delete;
  OurActions& operator=(const OurActions&) = delete;
};

// Makes a context current for the lifetime of this object.
class Current {
 public:
  explicit Current(sc_core::sc_simcontext* context) : before_(std::exchange(sc_core::sc_curr_simcontext, context)) {}
  ~Current() { sc_core::sc_curr_simcontext = before_; }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  sc_core::sc_simcontext* before_;
};

// Makes the default context and the report actions of the process current for the lifetime of this object.
class Outside {
 public:
  Outside() : uses_(std::exchange(uses_of_ours, 0)) {
    if (uses_ != 0) exchange_actions(actions_of_process);
  }
  ~Outside() {
    if (uses_ != 0) actions_of_process = exchange_actions(our_actions);
    uses_of_ours = uses_;
  }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  const Current current_{default_context()};
  const int uses_;
};

}  // namespace

KernelContext::KernelContext() {
  const KernelLock lock;
  const OurActions actions;
  const Current current(default_context());
  context_ = new sc_core::sc_simcontext;
}

KernelContext::~KernelContext() {
  const KernelLock lock;
  // A Scope of this context may still be open, but it is no longer used.
  if (sc_core::sc_curr_simcontext == context_) sc_core::sc_curr_simcontext = default_context();
  const OurActions actions;
  // The destructors of the context's objects access the current context.
  const Current current(context_);
  // Frees the timed notifications that were cancelled. The context itself would not free them.
  sc_core::sc_time next;
  context_->next_time(next);
  delete context_;
}

KernelContext::Scope::Scope(const KernelContext& context)
    : before_(std::exchange(sc_core::sc_curr_simcontext, context.context_)) {
  begin_our_actions();
}

KernelContext::Scope::~Scope() {
  end_our_actions();
  sc_core::sc_curr_simcontext = before_;
}

void KernelContext::outside(const std::function<void()>& call) {
  if (!KernelLock::held()) return call();
  const Outside outside;
  const KernelLock::Released released;
  call();
}

void KernelContext::give_way() {
  const Outside outside;
  KernelLock::give_way();
}

}  // namespace nandscape
