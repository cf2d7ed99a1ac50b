// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace nandscape::python {

// Binds error-correcting codes: codecs, tables of measured failures, the measurement of such tables, and the
// uncorrectable bit error rate by equation 1 of Liu et al. (FAST 2012).
void bind_ecc(pybind11::module_& m);

}  // namespace nandscape::python
