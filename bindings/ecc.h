// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace nandscape::python {

// Binds error-correcting codes: codecs, tables of measured failures, their characterisation, and equation 1 (UBER).
void bind_ecc(pybind11::module_& m);

}  // namespace nandscape::python
