// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace nandscape::python {

void bind_guest(pybind11::module_& m);

}  // namespace nandscape::python
