// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace nandscape::python {

// Binds read-timing parameter tables and the study that profiles cells for them.
void bind_read_timing(pybind11::module_& m);

}  // namespace nandscape::python
