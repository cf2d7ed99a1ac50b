// SPDX-License-Identifier: Apache-2.0
// The one way from Python into what may take long: the facade, the studies, the files they read.
//
// The interpreter is released meanwhile: other Python threads go on, and one that waits for the kernel's lock does not
// keep another from its callbacks. Nobody waits for that lock with the interpreter held. Signals are looked at now and
// then; what their handlers raise, as KeyboardInterrupt, ends the call and is raised from it. Only the main thread sees
// signals, which is Python's rule.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
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
  // What the handler raised; KeyboardInterrupt where another thread has called the work off.
  [[noreturn]] void raise() const {
    if (raised_) std::rethrow_exception(raised_);
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw pybind11::error_already_set();
  }

 private:
  std::exception_ptr raised_;
};

// `called_off`: set by a thread that does not want what its helpers compute any more.
template <class Call>
auto interruptible(Call call, const std::atomic<bool>* called_off = nullptr) {
  SignalWatch signals;
  const bool watched = on_main_thread();
  try {
    const pybind11::gil_scoped_release released;
    std::optional<Interruptible> watch;
    if (watched || called_off != nullptr) {
      watch.emplace([&] { return !(called_off != nullptr && *called_off) && (!watched || signals.quiet()); });
    }
    return call();
  } catch (const Interrupted&) {
    signals.raise();
  }
}

}  // namespace nandscape::python
