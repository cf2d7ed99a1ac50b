// SPDX-License-Identifier: Apache-2.0
#include "interruptible.h"

#include <pybind11/gil_safe_call_once.h>

namespace nandscape::python {

namespace py = pybind11;

bool on_main_thread() {
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> main_thread;
  const py::object& ask =
      main_thread.call_once_and_store_result([] { return py::module_::import("threading").attr("main_thread"); })
          .get_stored();
  return ask().attr("ident").cast<unsigned long>() == PyThread_get_thread_ident();
}

}  // namespace nandscape::python
