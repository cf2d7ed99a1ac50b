// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace nandscape::python {

// Binds the study of how long the data of a trace must be retained.
void bind_retention_requirements(pybind11::module_& m);

}  // namespace nandscape::python
