// SPDX-License-Identifier: Apache-2.0
// Runs long C++ calls made from Python: the facade, the studies, and the files that they read.
//
// The GIL is released during the call, so other Python threads run. A thread that waits for the kernel lock never holds
// the GIL, so it does not block the Python callbacks of the lock's owner. Signals are checked at intervals; an
// exception raised by a handler, such as KeyboardInterrupt, ends the call and is rethrown from it. Only the main thread
// receives signals, as in Python.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <exception>
#include <type_traits>
#include <utility>

#include "core/interruption.h"

namespace nandscape::python {

// Registers an atexit handler for threads that still simulate. Python would end such a thread inside C++, which aborts
// the process, and the process would destroy static objects that the thread uses. Instead, the thread stops when it
// next acquires the GIL or looks for an interruption. The handler waits up to one second for all threads.
void watch_the_end_of_python();

class WayIntoPython {
 public:
  WayIntoPython();  // blocks forever once Python ends, except on the main thread
  ~WayIntoPython();
  WayIntoPython(const WayIntoPython&) = delete;
  WayIntoPython& operator=(const WayIntoPython&) = delete;
};

// Exists while a thread is in a long call without the GIL.
class LongCall {
 public:
  LongCall();
  ~LongCall();
  LongCall(const LongCall&) = delete;
  LongCall& operator=(const LongCall&) = delete;

  // Does not return once Python ends, except on the main thread.
  static void stop_if_python_ends();
};

// Releases the GIL, and acquires it again at the end of the scope.
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

// Returns whether the calling thread is the one on which Python handles signals.
bool on_main_thread();

class SignalWatch {
 public:
  // Registers this object as the watch of the thread's current call; the destructor restores the previous watch.
  SignalWatch() : before_(std::exchange(current, this)) {}
  ~SignalWatch() { current = before_; }
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  // Call it with the GIL when a Python error is set. If the error is the KeyboardInterrupt of a signal that arrived
  // inside Python code called by C++, stores it and returns true; end() or raise() rethrows it. Returns false for any
  // other error, off the main thread, and while an earlier exception is still stored.
  static bool put_off();

  // Checks for signals. Returns false once a signal handler has raised an exception.
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
  // Rethrows the exception that put_off() or quiet() has stored, if there is one.
  void end() const {
    if (raised_) std::rethrow_exception(raised_);
  }
  // Rethrows the exception of the signal handler, or raises KeyboardInterrupt if another thread cancelled the call.
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

// Runs `call` without the GIL and checks for signals at intervals. Another thread may set `called_off` to cancel the
// call.
template <class Call>
auto interruptible(Call call, const std::atomic<bool>* called_off = nullptr) {
  SignalWatch signals;
  const bool watched = on_main_thread();
  try {
    const PythonReleased released;
    const LongCall under_way;
    const Interruptible watch([&] {
      LongCall::stop_if_python_ends();
      return !(called_off != nullptr && *called_off) && (!watched || signals.quiet());
    });
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
