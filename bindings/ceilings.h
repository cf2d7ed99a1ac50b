// SPDX-License-Identifier: Apache-2.0
// Binds the throughput ceilings and the capacity of a drive, computed without a simulation.
#pragma once

#include <pybind11/pybind11.h>

namespace nandscape::python {

void bind_ceilings(pybind11::module_& module);

}  // namespace nandscape::python
