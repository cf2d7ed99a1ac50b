// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace nandscape::python {

// Error correcting codes: codecs, tables of measured failures and their making, equation 1.
void bind_ecc(pybind11::module_& m);

}  // namespace nandscape::python
