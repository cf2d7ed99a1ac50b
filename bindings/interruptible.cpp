// SPDX-License-Identifier: Apache-2.0
#include "interruptible.h"

#include <pybind11/gil_safe_call_once.h>

#include <chrono>
#include <thread>
#include <utility>

namespace nandscape::python {

namespace py = pybind11;

namespace {

std::atomic<unsigned> on_their_way = 0;
std::atomic<unsigned> long_calls = 0;
thread_local unsigned long_calls_of_thread = 0;
std::atomic<bool> ending = false;
std::thread::id main_thread_id;  // set before `ending`

void end_of_python() {
  using namespace std::chrono_literals;
  main_thread_id = std::this_thread::get_id();
  ending = true;
  const py::gil_scoped_release released;
  for (int k = 0; k < 1000 && (on_their_way != 0 || long_calls != 0); ++k) std::this_thread::sleep_for(1ms);
}

bool must_stop() { return ending && std::this_thread::get_id() != main_thread_id; }

[[noreturn]] void stop_forever() {
  long_calls -= long_calls_of_thread;
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace

void watch_the_end_of_python() { py::module_::import("atexit").attr("register")(py::cpp_function(&end_of_python)); }

WayIntoPython::WayIntoPython() {
  ++on_their_way;
  if (!must_stop()) return;
  --on_their_way;
  stop_forever();
}

WayIntoPython::~WayIntoPython() { --on_their_way; }

LongCall::LongCall() {
  ++long_calls_of_thread;
  ++long_calls;
}

LongCall::~LongCall() {
  --long_calls;
  --long_calls_of_thread;
}

void LongCall::stop_if_python_ends() {
  if (must_stop()) stop_forever();
}

thread_local SignalWatch* SignalWatch::current = nullptr;

bool SignalWatch::put_off() {
  if (current == nullptr || current->raised_ || PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) == 0) return false;
  py::error_already_set raised;
  if (!on_main_thread()) {
    raised.restore();
    return false;
  }
  current->raised_ = std::make_exception_ptr(std::move(raised));
  return true;
}

bool on_main_thread() {
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> main_thread;
  const py::object& ask =
      main_thread.call_once_and_store_result([] { return py::module_::import("threading").attr("main_thread"); })
          .get_stored();
  return ask().attr("ident").cast<unsigned long>() == PyThread_get_thread_ident();
}

}  // namespace nandscape::python
