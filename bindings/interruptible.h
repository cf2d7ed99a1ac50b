// SPDX-License-Identifier: Apache-2.0
// The one way from Python into what may take long: the facade, the studies, the files they read.
//
// The interpreter is released meanwhile: other Python threads go on, and one that waits for the kernel's lock does not
// keep another from its callbacks. Nobody waits for that lock with the interpreter held. Signals are looked at now and
// then; what their handlers raise, as KeyboardInterrupt, ends the call and is raised from it. Only the main thread sees
// signals, which is Python's rule.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <optional>

#include "core/interruption.h"

namespace nandscape::python {

// Whether this thread is the one that Python handles signals on.
bool on_main_thread();

class SignalWatch {
 public:
  // False once a handler has raised.
  bool quiet() {
    const pybind11::gil_scoped_acquire acquired;
    if (raised_) return false;
    try {
      if (PyErr_CheckSignals() == 0) return true;
      throw pybind11::error_already_set();
    } catch (const pybind11::error_already_set&) {
      raised_ = std::current_exception();
      return false;
    }
  }
  [[noreturn]] void raise() const { std::rethrow_exception(raised_); }

 private:
  std::exception_ptr raised_;
};

template <class Call>
auto interruptible(Call call) {
  SignalWatch signals;
  const bool watched = on_main_thread();
  try {
    const pybind11::gil_scoped_release released;
    std::optional<Interruptible> watch;
    if (watched) watch.emplace([&signals] { return signals.quiet(); });
    return call();
  } catch (const Interrupted&) {
    signals.raise();
  }
}

}  // namespace nandscape::python
