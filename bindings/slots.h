// SPDX-License-Identifier: Apache-2.0
// Types whose slots Python calls directly, where a call through pybind11 would cost more than the work itself.
#pragma once

#include <pybind11/pybind11.h>

#include <exception>

namespace nandscape::python {

// Runs a slot that returns a new reference. A C++ exception becomes a Python error, since none may pass through Python.
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

// Makes a type, whose slots and methods must live as long as the process.
inline pybind11::object type_from(PyType_Spec& spec) {
  auto type = pybind11::reinterpret_steal<pybind11::object>(PyType_FromSpec(&spec));
  if (!type) throw pybind11::error_already_set();
  return type;
}

}  // namespace nandscape::python
