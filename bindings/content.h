// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace nandscape::python {

// Binds content-aware writing: state counts, content profiles, error rates, tables and mappings, on arrays of many
// pages.
void bind_content(pybind11::module_& m);
// The part for write-speed tables, segment tables, and their computation.
void bind_content_tables(pybind11::module_& m);

}  // namespace nandscape::python
