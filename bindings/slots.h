// SPDX-License-Identifier: Apache-2.0
// Helpers for Python types that are defined without pybind11, because pybind11's overhead would exceed the work of a
// call.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>

namespace nandscape::python {

// Runs the body of a type slot that returns a new reference. Converts C++ exceptions to Python errors, so that they
// never reach the interpreter.
template <class Call>
PyObject* slot(Call call) noexcept {
  try {
    return pybind11::object(call()).release().ptr();
  } catch (pybind11::error_already_set& raised) {
    raised.restore();
  } catch (const pybind11::builtin_exception& raised) {
    raised.set_error();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

// Creates a Python type. The arrays of its slots and methods must exist until the process ends.
inline pybind11::object type_from(PyType_Spec& spec) {
  auto type = pybind11::reinterpret_steal<pybind11::object>(PyType_FromSpec(&spec));
  if (!type) throw pybind11::error_already_set();
  return type;
}

}  // namespace nandscape::python
