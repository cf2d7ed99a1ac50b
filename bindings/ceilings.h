// SPDX-License-Identifier: Apache-2.0
// The ceilings and the capacity of a drive, by arithmetic, for Python.
#pragma once

#include <pybind11/pybind11.h>

namespace nandscape::python {

void bind_ceilings(pybind11::module_& module);

}  // namespace nandscape::python
