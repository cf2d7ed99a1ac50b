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
#include <type_traits>
#include <utility>

#include "core/interruption.h"

namespace nandscape::python {

// Once Python ends, a thread that still simulates stays where it is: Python would end it in the middle of C++, which
// takes the process with it. The end waits for those that are on their way into Python or out of it.
void watch_the_end_of_python();

class WayIntoPython {
 public:
  WayIntoPython();  // does not return any more once Python ends, but on the main thread
  ~WayIntoPython();
  WayIntoPython(const WayIntoPython&) = delete;
  WayIntoPython& operator=(const WayIntoPython&) = delete;
};

// Without the interpreter, which is taken back at the end.
class PythonReleased {
 public:
  PythonReleased() : thread_(PyEval_SaveThread()) {}
  ~PythonReleased() {
    const WayIntoPython way;
    PyEval_RestoreThread(thread_);
  }
  PythonReleased(const PythonReleased&) = delete;
  PythonReleased& operator=(const PythonReleased&) = delete;

 private:
  PyThreadState* thread_;
};

// Whether this thread is the one that Python handles signals on.
bool on_main_thread();

class SignalWatch {
 public:
  // Of the call that this thread is in, until its end.
  SignalWatch() : before_(std::exchange(current, this)) {}
  ~SignalWatch() { current = before_; }
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  // With the interpreter held, and an error of Python's set: a signal's KeyboardInterrupt, which has come in the middle
  // of Python code that the call asks something, is kept until quiet() is asked. False where it is another error, or
  // came before the one that is kept was seen.
  static bool put_off();

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
  // Raises what was put off and not asked for since.
  void end() const {
    if (raised_) std::rethrow_exception(raised_);
  }
  // What the handler raised; KeyboardInterrupt where another thread has called the work off.
  [[noreturn]] void raise() const {
    if (raised_) std::rethrow_exception(raised_);
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw pybind11::error_already_set();
  }

 private:
  static thread_local SignalWatch* current;

  SignalWatch* const before_;
  std::exception_ptr raised_;
};

// `called_off`: set by a thread that does not want what its helpers compute any more.
template <class Call>
auto interruptible(Call call, const std::atomic<bool>* called_off = nullptr) {
  SignalWatch signals;
  const bool watched = on_main_thread();
  try {
    const PythonReleased released;
    std::optional<Interruptible> watch;
    if (watched || called_off != nullptr) {
      watch.emplace([&] { return !(called_off != nullptr && *called_off) && (!watched || signals.quiet()); });
    }
    if constexpr (std::is_void_v<decltype(call())>) {
      call();
      signals.end();
    } else {
      auto answer = call();
      signals.end();
      return answer;
    }
  } catch (const Interrupted&) {
    signals.raise();
  }
}

}  // namespace nandscape::python
