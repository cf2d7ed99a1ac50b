// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace nandscape::python {

// Binds content-aware writing: state counts, content profiles, error rates, tables and mappings, on arrays of many
// pages.
void bind_content(pybind11::module_& m);
// Binds the write-speed tables, the segment tables, and their computation; called by bind_content().
void bind_content_tables(pybind11::module_& m);

}  // namespace nandscape::python
